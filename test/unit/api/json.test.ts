import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '#api/http/json.ts';
import { Problem } from '#lib/core/problem.ts';

const parseText = (text: string) => parseJson(Buffer.from(text));

describe('the JSON of a body', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!text.includes('\\u0000'));
        expect(parseText(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  const refused: [string, string | Uint8Array, RegExp][] = [
    ['text that ends early', '{"a":1', /well-formed JSON/],
    ['a trailing comma, naming the place', '{"a":1,}', /at character 7/],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /not UTF-8/],
    ['a NUL character', '{"a":["\\u0000"]}', /NUL/],
    ['a NUL character in a name', '{"\\u0000":1}', /NUL/],
    ['a lone surrogate', '{"a":"\\ud800"}', /surrogate/],
    ['33 levels', `${'['.repeat(34)}${']'.repeat(34)}`, /deeper than 32/],
  ];
  for (const [what, text, detail] of refused) {
    it(`is malformed with ${what}`, () => {
      const parse = () => (typeof text === 'string' ? parseText(text) : parseJson(text));
      expect(parse).to.throw(Problem, detail).with.property('code', 'malformed_json');
    });
  }

  it('may be 32 levels deep', () => {
    expect(() => parseText(`${'['.repeat(33)}${']'.repeat(33)}`)).not.to.throw();
  });
});
