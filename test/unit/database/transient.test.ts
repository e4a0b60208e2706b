import { expect } from 'chai';
import { isTransient } from '#lib/database/transient.ts';

function coded(code: string, message = 'x'): Error {
  return Object.assign(new Error(message), { code });
}

describe('a transient database error', () => {
  const passing: [code: string, what: string][] = [
    ['08000', 'connection exception'],
    ['08006', 'connection failure'],
    ['53200', 'out of memory'],
    ['53300', 'too many connections'],
    ['57014', 'query cancelled'],
    ['57P01', 'administrator shutdown'],
    ['57P03', 'cannot connect now'],
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock detected'],
    ['ECONNREFUSED', 'no server on the port'],
    ['ECONNRESET', 'connection reset by the server'],
    ['ETIMEDOUT', 'no answer'],
    ['EPIPE', 'connection closed while writing'],
    ['ENOTFOUND', 'host name not found'],
    ['EAI_AGAIN', 'no answer from a name server'],
    ['server_read_only', 'the server is a standby'],
  ];
  for (const [code, what] of passing) {
    it(`is an error with the code ${code} (${what}), even as the cause of another error`, () => {
      expect(isTransient(coded(code))).to.equal(true);
      expect(isTransient(new Error('query failed', { cause: coded(code) }))).to.equal(true);
      const far = new Error('a', { cause: new Error('b', { cause: coded(code) }) });
      expect(isTransient(far)).to.equal(true);
    });
  }

  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'Connection ended',
  ]) {
    it(`is an error without a code and with the message "${message}"`, () => {
      expect(isTransient(new Error(message))).to.equal(true);
    });
  }

  const lasting: [code: string, what: string][] = [
    ['22P02', 'invalid text representation'],
    ['23505', 'unique violation'],
    ['23514', 'check violation'],
    ['25P02', 'transaction that has already failed'],
    ['42501', 'insufficient privilege'],
    ['42P01', 'undefined table'],
    ['28P01', 'wrong password'],
    ['XX000', 'internal error'],
    ['ENOENT', 'no such file'],
    ['ERR_INVALID_ARG_TYPE', 'argument of the wrong type'],
  ];
  for (const [code, what] of lasting) {
    it(`is not an error with the code ${code} (${what})`, () => {
      expect(isTransient(coded(code))).to.equal(false);
      expect(isTransient(new Error('query failed', { cause: coded(code) }))).to.equal(false);
    });
  }

  it('is neither a programming error nor a thrown value that is not an error', () => {
    for (const thrown of [
      undefined,
      null,
      'ECONNREFUSED',
      503,
      { code: 'ECONNREFUSED' },
      new TypeError('x is not a function'),
    ]) {
      expect(isTransient(thrown)).to.equal(false);
    }
    expect(isTransient(Object.assign(new Error('x'), { code: 40001 }))).to.equal(false);
  });
});
