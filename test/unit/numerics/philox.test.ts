import { expect } from 'chai';
import fc from 'fast-check';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';

const word = fc.integer({ min: 0, max: 0xffffffff });
const notASeed = [-1, -0.5, 0.5, 2 ** 53, 2 ** 60, Number.NaN, Infinity, -Infinity];

describe('philox4x32', () => {
  it('gives the results that the authors of Philox publish', () => {
    expect(block([0, 0, 0, 0], [0, 0], 10)).to.equal('6627e8d5 e169c58d bc57ac4c 9b00dbd8');
    expect(block([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0], 10)).to.equal(
      'd16cfe09 94fdcceb 5001e420 24126ea1',
    );
    expect(block([0, 0, 0, 0], [0, 0], 7)).to.equal('5f6fb709 0d893f64 4f121f81 4f730a48');
  });

  it('equals the definition with arbitrary-precision integers, for any counter, key and number of rounds', () => {
    fc.assert(
      fc.property(
        fc.tuple(word, word, word, word),
        fc.tuple(word, word),
        fc.integer({ min: 0, max: 16 }),
        (counter, key, rounds) => {
          expect(block(counter, key, rounds)).to.equal(blockByDefinition(counter, key, rounds));
        },
      ),
    );
  });

  it('accepts its counter array as output array', () => {
    const counter = Uint32Array.of(1, 2, 3, 4);
    philox4x32(counter, Uint32Array.of(5, 6), PHILOX_ROUNDS, counter);
    expect(hex(counter)).to.equal(block([1, 2, 3, 4], [5, 6], PHILOX_ROUNDS));
  });
});

describe('philoxKey', () => {
  it('splits a seed into its low and high word', () => {
    expect([...philoxKey(0)]).to.deep.equal([0, 0]);
    expect([...philoxKey(4294967295)]).to.deep.equal([4294967295, 0]);
    expect([...philoxKey(4294967296)]).to.deep.equal([0, 1]);
    expect([...philoxKey(2 ** 53 - 1)]).to.deep.equal([4294967295, 2097151]);
  });

  it('gives every seed its own key', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        const [low, high] = philoxKey(seed);
        expect(high! * 4294967296 + low!).to.equal(seed);
      }),
    );
  });

  it('throws on a seed that is not an integer from 0 to 2^53 - 1', () => {
    for (const seed of notASeed) expect(() => philoxKey(seed), String(seed)).to.throw(RangeError, /^seed /);
  });
});

describe('philoxCounter', () => {
  it('contains block, low word of the sample, domain and high word of the sample', () => {
    const counter = philoxCounter({ domain: PHILOX_DOMAINS.resampling, sample: 4294967303, block: 5 });
    expect([...counter]).to.deep.equal([5, 7, 4, 1]);
    expect([...philoxCounter({ domain: 1, sample: 0 })]).to.deep.equal([0, 0, 1, 0]);
  });

  it('throws on a sample, a domain or a block out of range', () => {
    for (const sample of notASeed)
      expect(() => philoxCounter({ domain: 1, sample })).to.throw(RangeError, /^sample /);
    for (const domain of [-1, 2 ** 32, 1.5]) {
      expect(() => philoxCounter({ domain, sample: 0 })).to.throw(RangeError, /^domain /);
    }
    for (const at of [-1, 2 ** 32, 1.5]) {
      expect(() => philoxCounter({ domain: 1, sample: 0, block: at })).to.throw(RangeError, /^block /);
    }
  });

  it('is different for different domains', () => {
    const domains = Object.values(PHILOX_DOMAINS);
    expect(new Set(domains).size).to.equal(domains.length);
    const blocks = domains.map((domain) =>
      block([...philoxCounter({ domain, sample: 9 })], [1, 0], PHILOX_ROUNDS),
    );
    expect(new Set(blocks).size).to.equal(domains.length);
  });
});

function block(counter: number[], key: number[], rounds: number): string {
  const out = new Uint32Array(4);
  philox4x32(Uint32Array.from(counter), Uint32Array.from(key), rounds, out);
  return hex(out);
}

/** Returns a Philox block, computed by the definition in the paper with arbitrary-precision integers. */
function blockByDefinition(counter: number[], key: number[], rounds: number): string {
  let [c0, c1, c2, c3] = counter.map(BigInt) as [bigint, bigint, bigint, bigint];
  let [k0, k1] = key.map(BigInt) as [bigint, bigint];
  const low = (n: bigint) => n & 0xffffffffn;
  for (let round = 0; round < rounds; round++) {
    const product0 = c0 * 0xd2511f53n;
    const product1 = c2 * 0xcd9e8d57n;
    [c0, c1, c2, c3] = [
      (product1 >> 32n) ^ c1 ^ k0,
      low(product1),
      (product0 >> 32n) ^ c3 ^ k1,
      low(product0),
    ];
    k0 = low(k0 + 0x9e3779b9n);
    k1 = low(k1 + 0xbb67ae85n);
  }
  return hex(Uint32Array.from([c0, c1, c2, c3].map(Number)));
}

function hex(words: Uint32Array): string {
  return [...words].map((each) => each.toString(16).padStart(8, '0')).join(' ');
}
