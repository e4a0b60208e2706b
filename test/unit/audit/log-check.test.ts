import { expect } from 'chai';
import { LogBroken, LogCheck } from '#lib/audit/log-check.ts';
import { leafHash } from '#lib/audit/merkle.ts';

function take(body: string): void {
  new LogCheck().add({ index: 0, body, leafHash: leafHash(body) });
}

describe('the check of an audit log entry', () => {
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
    ['integer member names in numeric order', '{"9":2,"10":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a repeated member', '{"a":1,"a":1}'],
    ['white space', '{"a": 1}'],
    ['a number in another form', '{"a":1.0}'],
    ['a text in another form', '{"a":"\\u0041"}'],
    ['a text that is not JSON', '{"a"}'],
  ]) {
    it(`rejects a body with ${what}, even if its hash is correct`, () => {
      expect(() => take(body!)).to.throw(LogBroken, 'is not in RFC 8785 form');
    });
  }
});
