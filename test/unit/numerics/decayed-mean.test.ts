import { expect } from 'chai';
import fc from 'fast-check';
import { decayedMean } from '#lib/numerics/decayed-mean.ts';

describe('decayedMean', () => {
  it('equals its definition by powers of the decay', () => {
    const value = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 60 }),
        fc.double({ min: 0.5, max: 1, noNaN: true }),
        (past, decay) => {
          const values = [...past, 0.5];
          let total = 0;
          let weights = 0;
          values.forEach((each, t) => {
            if (Number.isNaN(each)) return;
            total += Math.pow(decay, values.length - 1 - t) * each;
            weights += Math.pow(decay, values.length - 1 - t);
          });
          expect(decayedMean(values, decay)).to.be.closeTo(total / weights, 1e-14);
        },
      ),
    );
  });

  it('applies the decay for missing values too, and throws on an empty list', () => {
    expect(decayedMean([3, Number.NaN, 0], 0.5)).to.equal((0.25 * 3) / 1.25);
    expect(() => decayedMean([Number.NaN], 0.9)).to.throw(RangeError);
    expect(() => decayedMean([], 0.9)).to.throw(RangeError);
  });
});
