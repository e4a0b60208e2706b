import { expect } from 'chai';
import fc from 'fast-check';
import { exactNumber, parseJson } from '#api/http/json.ts';
import { Problem } from '#lib/core/problem.ts';

const parseText = (text: string) => parseJson(Buffer.from(text));

describe('the JSON parser of request bodies', () => {
  it('gives the same value as JSON.parse for any text without a NUL character', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!text.includes('\\u0000'));
        expect(parseText(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  const refused: [string, string | Uint8Array, RegExp][] = [
    ['a text that ends before its object ends', '{"a":1', /well-formed JSON/],
    ['a trailing comma, with its position in the detail', '{"a":1,}', /at character 7/],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /not UTF-8/],
    ['a NUL character', '{"a":["\\u0000"]}', /NUL/],
    ['a NUL character in a name', '{"\\u0000":1}', /NUL/],
    ['a lone surrogate', '{"a":"\\ud800"}', /surrogate/],
    ['more than 32 levels of nesting', `${'['.repeat(34)}${']'.repeat(34)}`, /deeper than 32/],
  ];
  for (const [what, text, detail] of refused) {
    it(`rejects ${what}`, () => {
      const parse = () => (typeof text === 'string' ? parseText(text) : parseJson(text));
      expect(parse).to.throw(Problem, detail).with.property('code', 'malformed_json');
    });
  }

  it('rejects too many values, too many objects, arrays and members in total, and too many members of one object', () => {
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":1`).join(',');
    const refused: Record<string, string> = {
      values: `[${'1,'.repeat(500_000)}1]`,
      'objects, arrays and members': `[${'{},'.repeat(150_000)}{}]`,
      'more than 1000 members': `{"a":{${members(1_001)}}}`,
    };
    for (const [what, text] of Object.entries(refused))
      expect(() => parseText(text), what).to.throw(Problem, what);
    expect(parseText(`{"a":{${members(1_000)}},"b":[${'[1,2,3],'.repeat(50_000)}1]}`)).to.have.keys('a', 'b');
  });

  it('accepts 32 levels of nesting', () => {
    expect(() => parseText(`${'['.repeat(33)}${']'.repeat(33)}`)).not.to.throw();
  });

  it('rejects a member that occurs twice in one object, even if its name is escaped differently', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '[{"b":{"a":"x","a" :"y"}}]',
      '{"__proto__":1,"__proto__":2}',
    ]) {
      expect(() => parseJson(Buffer.from(text)), text).to.throw(/has the same member twice/);
    }
    for (const text of [
      '{"a":"\\"a\\":1","b":{"a":2}}',
      '[{"a":1},{"a":1}]',
      '{"a":"x:","b":"\\\\"}',
      '{"__proto__":1}',
    ]) {
      expect(parseJson(Buffer.from(text)), text).to.deep.equal(JSON.parse(text));
    }
  });

  it('accepts every output of JSON.stringify without NUL characters and lone surrogates', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('\\u0000') || !text.isWellFormed() || /\\ud[89a-f]/i.test(text)) return;
        expect(parseJson(Buffer.from(text))).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('keeps the digits of a number as sent', () => {
    const text = '{"amount":12345678901234567.10,"more":[{"a/b":1e3,"~":-0.0}],"text":"1"}';
    expect(exactNumber(text, '/amount')).to.equal('12345678901234567.10');
    expect(exactNumber(text, '/more/0/a~1b')).to.equal('1e3');
    expect(exactNumber(text, '/more/0/~0')).to.equal('-0.0');
    for (const none of ['/text', '/more', '/nothing', '/amount/0', ''])
      expect(exactNumber(text, none), none).to.equal(undefined);
  });
});
