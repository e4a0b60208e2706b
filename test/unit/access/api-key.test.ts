import { expect } from 'chai';
import { newApiKey, parseApiKey } from '#lib/access/api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const environments = ['sandbox', 'production'] as const;

describe('api keys', () => {
  for (const environment of environments) {
    it(`of ${environment} have the documented format with their environment and id`, () => {
      const { key, keyId } = newApiKey(environment);
      expect(key).to.match(
        environment === 'sandbox' ? /^svc_test_[0-9A-Za-z]{59}$/ : /^svc_live_[0-9A-Za-z]{59}$/,
      );
      expect(key.slice(9, 19)).to.equal(keyId);
      expect(parseApiKey(key)).to.deep.equal({ environment, keyId });
    });

    it(`of ${environment} are rejected with one character replaced, at every position`, () => {
      for (let round = 0; round < 3; round++) {
        const { key } = newApiKey(environment);
        for (let at = 0; at < key.length; at++) {
          for (const letter of `${ALPHABET}_- é`) {
            if (letter === key[at]) continue;
            expect(parseApiKey(key.slice(0, at) + letter + key.slice(at + 1)), `${letter} at ${at}`).to.equal(
              undefined,
            );
          }
        }
      }
    });

    it(`of ${environment} are rejected with one character omitted, doubled, or added at either end`, () => {
      const { key } = newApiKey(environment);
      for (let at = 0; at < key.length; at++) {
        expect(parseApiKey(key.slice(0, at) + key.slice(at + 1)), `without ${at}`).to.equal(undefined);
        expect(parseApiKey(key.slice(0, at) + key[at] + key.slice(at)), `twice ${at}`).to.equal(undefined);
      }
      for (const edge of [' ', '\n', '0', '\u0000']) {
        expect(parseApiKey(key + edge)).to.equal(undefined);
        expect(parseApiKey(edge + key)).to.equal(undefined);
      }
    });

    it(`of ${environment} are rejected with two adjacent characters of the id or the secret exchanged`, () => {
      const { key } = newApiKey(environment);
      for (let at = 9; at < key.length - 7; at++) {
        const exchanged = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        if (exchanged !== key) expect(parseApiKey(exchanged), `at ${at}`).to.equal(undefined);
      }
    });
  }

  it('are rejected if their prefix is replaced by the prefix of another environment', () => {
    const { key } = newApiKey('sandbox');
    expect(parseApiKey(key.replace('svc_test_', 'svc_live_'))).to.equal(undefined);
  });

  it('never repeat an id or a secret', () => {
    const keys = Array.from({ length: 10_000 }, () => newApiKey('sandbox'));
    expect(new Set(keys.map(({ key }) => key.slice(19, -6))).size).to.equal(keys.length);
    expect(new Set(keys.map(({ keyId }) => keyId)).size).to.equal(keys.length);
  });

  it('use every letter of the alphabet at every position of the secret', () => {
    const places = Array.from({ length: 53 }, () => new Set<string>());
    for (let count = 0; count < 2_000; count++) {
      const { key } = newApiKey('production');
      places.forEach((seen, at) => seen.add(key[9 + at]!));
    }
    // The probability that any letter is missing from 2,000 draws of a position is 62 * (61/62)^2000, below
    // 1e-12.
    for (const seen of places) expect([...seen].sort().join('')).to.equal(ALPHABET);
  });

  it('are never parsed from random text', () => {
    for (const noise of [
      '',
      'svc_test_',
      'Bearer x',
      'svc_test_'.padEnd(68, '0'),
      '\u0000'.repeat(68),
      '💥',
    ]) {
      expect(parseApiKey(noise), noise).to.equal(undefined);
    }
  });
});
