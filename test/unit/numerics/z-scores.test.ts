import { expect } from 'chai';
import fc from 'fast-check';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { zScores } from '#lib/numerics/z-scores.ts';

describe('zScores', () => {
  it('have mean 0 and sample standard deviation 1 over the values that are not missing', () => {
    const value = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(value, fc.constant(Number.NaN)), { maxLength: 30 }), (values) => {
        const there = values.filter((each) => !Number.isNaN(each));
        fc.pre(new Set(there).size > 1 && Math.max(...there) - Math.min(...there) > 1e-3);
        const scores = zScores(values);
        expect([...scores].map(Number.isNaN)).to.deep.equal(values.map(Number.isNaN));
        const reported = scores.filter((each) => !Number.isNaN(each));
        expect(mean(reported)).to.be.closeTo(0, 1e-9);
        expect(standardDeviation(reported, { ddof: 1 })).to.be.closeTo(1, 1e-9);
      }),
    );
  });

  it('are all NaN if fewer than two values are given or all values are equal', () => {
    for (const values of [[], [1], [Number.NaN, 5], [0.1, 0.1, 0.1]]) {
      expect([...zScores(values)].every(Number.isNaN)).to.equal(true);
    }
  });
});
