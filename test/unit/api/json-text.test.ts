import { expect } from 'chai';
import { jsonText } from '#api/http/json-text.ts';
import { sha256 } from '#lib/core/seal.ts';

describe('the JSON text of a response', () => {
  const long = Array.from({ length: 40 }, (_, at) => ({ at, text: '\u00e9'.repeat(100_000) }));
  for (const [about, body] of [
    ['a resource', { uid: 'x', at: new Date(0), none: undefined }],
    ['an empty list', { data: [], page: { limit: 50 } }],
    ['a list', { data: [1, 'two', null, undefined, { three: 3 }], left_out: undefined, page: null }],
    ['a list that is written in several parts', { before: 1, data: long, page: { limit: 50 } }],
  ] as const) {
    it(`equals the output of JSON.stringify for ${about}`, async () => {
      const { content, hash } = await jsonText(body);
      expect(content.toString()).to.equal(JSON.stringify(body));
      expect(hash()).to.equal(sha256(content));
    });
  }

  it('is written with pauses for other work if it contains a long list', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await jsonText({ data: [...long, ...long], page: null });
    clearInterval(timer);
    expect(turns).to.be.greaterThan(1);
  });
});
