import { expect } from 'chai';
import { LogBroken, LogCheck } from '#lib/audit/log-check.ts';
import { leafHash } from '#lib/audit/merkle.ts';

function take(body: string): void {
  new LogCheck().add({ index: 0, body, leafHash: leafHash(body) });
}

describe('the check of a log', () => {
  for (const body of [
    '{"10":1,"9":2}',
    '{"a":[{"b":1,"c":[]}],"d":"\\\\ud800 \\n ä"}',
    '{"n":[0,-1,1e+21,0.1,1e-7,true,null]}',
  ]) {
    it(`accepts a body in RFC 8785 form: ${body}`, () => {
      expect(() => take(body)).to.not.throw();
    });
  }

  for (const [what, body] of [
    ['members in another order', '{"b":1,"a":2}'],
    ['members in another order within a list', '{"a":[{"c":1,"b":2}]}'],
    ['numbers as names in the order of numbers', '{"9":2,"10":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a member twice', '{"a":1,"a":1}'],
    ['white space', '{"a": 1}'],
    ['a number in another form', '{"a":1.0}'],
    ['a text in another form', '{"a":"\\u0041"}'],
    ['no JSON', '{"a"}'],
  ]) {
    it(`rejects ${what} with a correct hash`, () => {
      expect(() => take(body!)).to.throw(LogBroken, 'is not in RFC 8785 form');
    });
  }
});
