import { expect } from 'chai';
import fc from 'fast-check';
import { uniform52 } from '#lib/numerics/uniform.ts';

const word = fc.integer({ min: 0, max: 0xffffffff });

describe('uniform52', () => {
  it('stays strictly between 0 and 1 at both ends', () => {
    expect(uniform52(0, 0)).to.equal(2 ** -53);
    expect(uniform52(0xffffffff, 0xffffffff)).to.equal(1 - 2 ** -53);
  });

  it('lies on the grid of odd multiples of 2^-53, exactly', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const exact = BigInt(a >>> 6) * 2n ** 27n + BigInt(b >>> 6) * 2n + 1n;
        expect(BigInt(uniform52(a, b) * 2 ** 53)).to.equal(exact);
      }),
    );
  });

  it('has its exact mirror image 1 - u for inverted words', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(1 - uniform52(a, b)).to.equal(uniform52(~a, ~b));
      }),
    );
  });

  it('reads signed words as unsigned', () => {
    expect(uniform52(-1, -1)).to.equal(uniform52(0xffffffff, 0xffffffff));
  });
});
