import { expect } from 'chai';
import { compareEvidence, gradeHash } from '#lib/governance/evidence.ts';

const HEX = 'ab'.repeat(32);
const content = { counterparty_id: 1, currency: 'EUR', original_minor: '100', status: null };

describe('evidence', () => {
  it('ignores the case of SHA-256 hashes but not of other hashes', () => {
    for (const text of [HEX, `sha256:${HEX}`, HEX.toUpperCase()]) {
      expect(gradeHash(text)).to.deep.equal({ hash: `sha256:${HEX}`, grade: 'sha256' });
    }
    expect(gradeHash('etag-12345')).to.deep.equal({ hash: 'etag-12345', grade: 'opaque' });
    for (const none of ['', 'short', 'with space 1', 'é'.repeat(9), 'x'.repeat(257)]) {
      expect(gradeHash(none), none).to.equal(undefined);
    }
  });

  const kept = { sourceHash: 'sha256:a', content };
  const cases: [string, Partial<typeof content>, string, string, string[]][] = [
    ['I-018 another hash', {}, 'sha256:b', 'hash_mismatch', ['/source_hash']],
    [
      'I-019 the same hash with other content',
      { original_minor: '101' },
      'sha256:a',
      'content_mismatch',
      ['/original_minor'],
    ],
    [
      'another counterparty',
      { counterparty_id: 2 },
      'sha256:a',
      'counterparty_mismatch',
      ['/counterparty_id'],
    ],
    [
      'another currency and hash',
      { currency: 'USD' },
      'sha256:b',
      'currency_mismatch',
      ['/currency', '/source_hash'],
    ],
    [
      'another hash with other content',
      { original_minor: '101' },
      'sha256:b',
      'hash_mismatch',
      ['/original_minor', '/source_hash'],
    ],
  ];
  for (const [about, change, sourceHash, kind, differing] of cases) {
    it(`${about} is a ${kind}`, () => {
      const offered = { sourceHash, content: { ...content, ...change } };
      expect(compareEvidence(kept, offered)).to.deep.equal({ same: false, kind, differing });
    });
  }

  it('I-017 treats the same hash with the same content as the same source', () => {
    expect(compareEvidence(kept, { sourceHash: 'sha256:a', content: { ...content } })).to.deep.equal({
      same: true,
    });
  });
});
