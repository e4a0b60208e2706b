import { expect } from 'chai';
import fc from 'fast-check';
import { standardDeviation } from '#lib/numerics/descriptive.ts';
import { neweyWestLags, neweyWestVariance } from '#lib/numerics/newey-west.ts';

const series = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 80 });

describe('neweyWestLags', () => {
  it('equals floor(4 (T / 100)^(2/9)) for T from 5 to 620, and throws above', () => {
    for (let observations = 5; observations <= 620; observations += 1) {
      const rule = Math.floor(4 * Math.pow(observations / 100, 2 / 9) + 1e-9);
      expect(neweyWestLags(observations), String(observations)).to.equal(rule);
    }
    expect(() => neweyWestLags(621)).to.throw(RangeError);
  });
});

describe('neweyWestVariance', () => {
  it('is the population variance divided by T if there are no lags', () => {
    fc.assert(
      fc.property(series, (values) => {
        const deviation = standardDeviation(values, { ddof: 0 });
        expect(neweyWestVariance(values, 0)).to.be.closeTo((deviation * deviation) / values.length, 1e-15);
      }),
    );
  });

  it('equals values computed by hand', () => {
    expect(neweyWestVariance([1, 2, 3, 4], 1)).to.equal(0.390625);
    expect(neweyWestVariance([1, -1, 1, -1], 1)).to.equal(0.0625);
  });

  // With equal weights of the lags, the variance could be negative. Bartlett weights prevent a negative
  // variance.
  it('is never below 0, up to rounding', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 0, max: 8 }), (values, lags) => {
        expect(neweyWestVariance(values, lags)).to.be.at.least(-1e-16);
      }),
    );
  });

  it('is 0 for a constant series, even with more lags than values', () => {
    expect(neweyWestVariance([2, 2, 2], 3)).to.equal(0);
    expect(neweyWestVariance([5], 4)).to.equal(0);
    expect(() => neweyWestVariance([], 2)).to.throw(RangeError);
  });
});
