import { expect } from 'chai';
import type { Context } from 'koa';
import { catalog } from '#api/catalog.ts';
import { idempotencyOf, parseKey } from '#api/http/idempotency.ts';
import type { Operation } from '#lib/core/operation.ts';
import { sha256 } from '#lib/core/seal.ts';
import { Problem } from '#lib/core/problem.ts';

const operation = catalog.find(({ method }) => method === 'POST')!;

type Request = { method: string; path: string; querystring: string; body: unknown };
const request: Request = { method: 'POST', path: '/api/v2/things', querystring: '', body: { a: 1, b: [2] } };

/** Parses the idempotency key of a minimal request, which has only the members that the parser reads. */
function parse(header: string, { body, ...rest }: Request = request, of: Operation = operation) {
  const context = {
    ...rest,
    state: { body },
    get: (name: string) => (name === 'idempotency-key' ? header : ''),
  };
  const key = parseKey(context as unknown as Context);
  return key === undefined ? undefined : idempotencyOf(context as unknown as Context, of, key);
}

describe('the header Idempotency-Key', () => {
  it('is optional', () => {
    expect(parse('')).to.equal(undefined);
  });

  it('gives the same key with and without quotes', () => {
    expect(parse('"order-66"')).to.deep.equal(parse('order-66'));
    expect(parse('order-66')).to.include({ key: sha256('order-66'), operation: operation.key });
  });

  it('accepts up to 255 visible ASCII characters', () => {
    for (const key of [
      'a',
      'x'.repeat(255),
      '!~',
      '0b6e2c3a-7f54-4b2e-9a53-6b4c9c6c2d0e',
      'a,b;c=d',
      '{"a":1}',
    ]) {
      expect(parse(key)!.key).to.equal(sha256(key));
    }
  });

  for (const key of ['""', '" "', 'two words', 'x'.repeat(256), 'é', 'tab\there', '\u0000', '\u007f', '💥']) {
    it(`is rejected with malformed_header if it is ${JSON.stringify(key.slice(0, 12))} (first 12 of ${key.length} characters)`, () => {
      expect(() => parse(key))
        .to.throw(Problem)
        .with.property('code', 'malformed_header');
    });
  }

  it('is stored with a hash of the request that does not depend on the order of members or on the key', () => {
    const { fingerprint } = parse('k')!;
    expect(fingerprint).to.match(/^[0-9a-f]{64}$/);
    expect(parse('k', { ...request, body: { b: [2], a: 1 } })!.fingerprint).to.equal(fingerprint);
    expect(parse('other')!.fingerprint).to.equal(fingerprint);
  });

  it('is stored with a different hash for a different request', () => {
    const others: Request[] = [
      request,
      { ...request, method: 'PUT' },
      { ...request, path: '/api/v2/thing' },
      { ...request, querystring: 'a=1' },
      { ...request, body: { a: 1, b: [3] } },
      { ...request, body: { a: 1, b: 2 } },
      { ...request, body: {} },
      { ...request, body: undefined },
    ];
    expect(new Set(others.map((other) => parse('k', other)!.fingerprint)).size).to.equal(others.length);
  });
});
