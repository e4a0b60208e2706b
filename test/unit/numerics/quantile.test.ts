import { expect } from 'chai';
import fc from 'fast-check';
import * as simple from 'simple-statistics';
import { quantile, quantileSorted } from '#lib/numerics/quantile.ts';
import { tailQuantiles, tailScratch } from '#lib/numerics/tail-quantiles.ts';

const sample = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 400 });
const withTies = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 400 });

describe('quantile, type 7', () => {
  // The expected values are the results of numpy.quantile([15, 20, 35, 40, 50], p) and of R quantile(c(15,
  // 20, 35, 40, 50), p), type 7.
  it('equals numpy and R', () => {
    const values = [35, 15, 50, 40, 20];
    const probabilities = [0, 0.05, 0.3, 0.4, 0.5, 1];
    expect(probabilities.map((p) => quantile(values, p))).to.deep.equal([15, 16, 23, 29, 35, 50]);
  });

  it('equals the median of simple-statistics at probability 0.5', () => {
    fc.assert(
      fc.property(sample, (values) => {
        expect(quantile(values, 0.5)).to.be.closeTo(simple.median(values), 1e-15);
      }),
    );
  });

  it('does not change its input or depend on the order of the input', () => {
    const values = [3, 1, 2, 4];
    expect(quantile(values, 0.25)).to.equal(1.75);
    expect(values).to.deep.equal([3, 1, 2, 4]);
    expect(quantile([4, 3, 2, 1], 0.25)).to.equal(1.75);
    expect(quantileSorted([1, 2, 3, 4], 0.5)).to.equal(2.5);
  });

  it('does not decrease if the probability increases', () => {
    const p = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(withTies, p, p, (values, a, b) => {
        expect(quantile(values, Math.min(a, b))).to.be.at.most(quantile(values, Math.max(a, b)));
      }),
    );
  });

  it('rejects an empty list, NaN and invalid probabilities', () => {
    expect(() => quantile([], 0.5)).to.throw(RangeError);
    expect(() => quantile([1, Number.NaN, 2], 0.5)).to.throw(RangeError);
    for (const p of [-0.1, 1.1, Number.NaN]) expect(() => quantile([1], p)).to.throw(RangeError);
  });
});

describe('tailQuantiles', () => {
  it('equals quantile for any order, size and repetition of values', () => {
    const p = fc.constantFrom(0, 0.01, 0.05, 0.25, 0.5);
    fc.assert(
      fc.property(fc.oneof(sample, withTies), p, (values, lower) => {
        const { low, high } = tailQuantiles(Float64Array.from(values), values.length, {
          lower,
          upper: 1 - lower,
        });
        expect(low === quantile(values, lower)).to.equal(true);
        expect(high === quantile(values, 1 - lower)).to.equal(true);
      }),
    );
  });

  it('uses only the first `count` values and gives the same result with reused memory', () => {
    const scratch = tailScratch();
    const descending = Float64Array.from({ length: 10_000 }, (_, i) => -i);
    const bounds = { lower: 0.01, upper: 0.99 };
    expect(tailQuantiles(descending, 10_000, bounds, scratch)).to.deep.equal({
      low: quantile(descending, 0.01),
      high: quantile(descending, 0.99),
    });
    expect(tailQuantiles(descending, 101, bounds, scratch)).to.deep.equal({ low: -99, high: -1 });
    expect(tailQuantiles(descending, 1, bounds, scratch).low).to.equal(0);
    expect(descending[9_999]).to.equal(-9_999);
  });

  it('rejects an empty list, NaN and probabilities out of order', () => {
    const bounds = { lower: 0.01, upper: 0.99 };
    expect(() => tailQuantiles(new Float64Array(3), 0, bounds)).to.throw(RangeError);
    expect(() => tailQuantiles(new Float64Array(3), 4, bounds)).to.throw(RangeError);
    expect(() => tailQuantiles(Float64Array.of(1, Number.NaN), 2, bounds)).to.throw(RangeError);
    expect(() => tailQuantiles(Float64Array.of(1), 1, { lower: 0.9, upper: 0.1 })).to.throw(RangeError);
  });
});
