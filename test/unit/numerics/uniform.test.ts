import { expect } from 'chai';
import fc from 'fast-check';
import { uniform52 } from '#lib/numerics/uniform.ts';

const word = fc.integer({ min: 0, max: 0xffffffff });

describe('uniform52', () => {
  it('is above 0 and below 1 for the smallest and the largest words', () => {
    expect(uniform52(0, 0)).to.equal(2 ** -53);
    expect(uniform52(0xffffffff, 0xffffffff)).to.equal(1 - 2 ** -53);
  });

  it('is exactly an odd multiple of 2^-53', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const exact = BigInt(a >>> 6) * 2n ** 27n + BigInt(b >>> 6) * 2n + 1n;
        expect(BigInt(uniform52(a, b) * 2 ** 53)).to.equal(exact);
      }),
    );
  });

  it('gives exactly 1 - u for words with all bits inverted', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(1 - uniform52(a, b)).to.equal(uniform52(~a, ~b));
      }),
    );
  });

  it('treats signed words as unsigned', () => {
    expect(uniform52(-1, -1)).to.equal(uniform52(0xffffffff, 0xffffffff));
  });
});
