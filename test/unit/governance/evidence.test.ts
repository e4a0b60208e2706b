import { expect } from 'chai';
import { compareEvidence, gradeHash } from '#lib/governance/evidence.ts';

const HEX = 'ab'.repeat(32);
const content = { counterparty_id: 1, currency: 'EUR', original_minor: '100', status: null };

describe('the comparison of evidence', () => {
  it('ignores letter case in SHA-256 hashes but not in other hashes', () => {
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
    ['another hash (I-018)', {}, 'sha256:b', 'hash_mismatch', ['/source_hash']],
    [
      'the same hash with other content (I-019)',
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
    it(`reports ${kind} for ${about}`, () => {
      const offered = { sourceHash, content: { ...content, ...change } };
      expect(compareEvidence(kept, offered)).to.deep.equal({ same: false, kind, differing });
    });
  }

  it('I-017 reports no difference for the same hash with the same content', () => {
    expect(compareEvidence(kept, { sourceHash: 'sha256:a', content: { ...content } })).to.deep.equal({
      same: true,
    });
  });
});
