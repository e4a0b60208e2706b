import { expect } from 'chai';
import fc from 'fast-check';
import { isUid, newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { anyText } from '../../support/arbitrary.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

describe('public ids', () => {
  it('consist of the prefix and 26 characters of Crockford base32', () => {
    for (const prefix of Object.values(prefixes)) {
      const uid = newUid(prefix);
      expect(uid).to.match(new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`));
      expect(isUid(uid)).to.equal(true);
      expect(isUid(uid, prefix)).to.equal(true);
    }
  });

  it('contain a UUIDv7 with the millisecond of their creation, so that sorting their texts sorts by time', () => {
    for (let count = 0; count < 1_000; count++) {
      const earliest = Date.now();
      const bits = decode(newUid('req'));
      const latest = Date.now();
      const made = Number(bits >> 80n);
      expect(made).to.be.within(earliest, latest);
      expect(Number((bits >> 76n) & 15n), 'version').to.equal(7);
      expect(Number((bits >> 62n) & 3n), 'variant').to.equal(2);
    }
  });

  it('are all different', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newUid('tfr'))).size).to.equal(10_000);
  });

  it('sort in the order of their creation, even within one millisecond', () => {
    const made = Array.from({ length: 10_000 }, () => newUid('tfr'));
    expect([...made].sort()).to.deep.equal(made);
  });

  it('have a prefix of three lower-case letters that is unique to their kind', () => {
    const all = Object.values(prefixes);
    expect(new Set(all).size).to.equal(all.length);
    for (const prefix of all) expect(prefix).to.match(/^[a-z]{3}$/);
  });

  it('are not accepted as ids of another kind', () => {
    for (const prefix of Object.values(prefixes)) {
      for (const other of Object.values(prefixes)) {
        expect(isUid(newUid(prefix), other), `${prefix} as ${other}`).to.equal(prefix === other);
      }
    }
  });

  it('are rejected with a letter outside the alphabet, in lower case, or with a wrong length or value', () => {
    const uid = 'tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC';
    expect(isUid(uid)).to.equal(true);
    const others = [
      ...[...'ILOU'].map((letter) => uid.slice(0, -1) + letter),
      uid.toLowerCase(),
      uid.toUpperCase(),
      uid.slice(0, -1),
      `${uid}0`,
      `${uid}\n`,
      ` ${uid}`,
      uid.replace('_', '-'),
      uid.replace('tfr_', ''),
      uid.replace('_0', '_8'),
      '',
    ];
    for (const other of others) expect(isUid(other), JSON.stringify(other)).to.equal(false);
  });

  it('are the only texts that the check accepts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isUid(text)).to.equal(/^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/u.test(text));
      }),
    );
  });
});

function decode(uid: string): bigint {
  return [...uid.slice(4)].reduce((bits, letter) => (bits << 5n) | BigInt(ALPHABET.indexOf(letter)), 0n);
}
