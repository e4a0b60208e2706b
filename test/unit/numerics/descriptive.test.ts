import { expect } from 'chai';
import fc from 'fast-check';
import * as simple from 'simple-statistics';
import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import { mean, standardDeviation, sum } from '#lib/numerics/descriptive.ts';

const values = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 60 });

describe('descriptive statistics', () => {
  it('equal those of simple-statistics up to rounding', () => {
    fc.assert(
      fc.property(values, (sample) => {
        const tolerance = 1e-12 * Math.max(...sample.map(Math.abs), 1);
        expect(mean(sample)).to.be.closeTo(simple.mean(sample), tolerance);
        expect(standardDeviation(sample, { ddof: 1 })).to.be.closeTo(
          simple.sampleStandardDeviation(sample),
          tolerance,
        );
        expect(standardDeviation(sample, { ddof: 0 })).to.be.closeTo(
          simple.standardDeviation(sample),
          tolerance,
        );
      }),
    );
  });

  it('sum from left to right', () => {
    expect(sum([1e16, 1, -1e16])).to.equal(0);
    expect(sum([1e16, -1e16, 1])).to.equal(1);
    expect(sum([])).to.equal(0);
  });

  it('give the same result for plain and typed arrays', () => {
    const sample = [0.1, 0.2, 0.7];
    expect(standardDeviation(Float64Array.from(sample), { ddof: 1 })).to.equal(
      standardDeviation(sample, { ddof: 1 }),
    );
  });

  it('have a deviation that is unchanged by a shift and doubled by doubling the values, to the bit', () => {
    expect(standardDeviation([1, 2, 4], { ddof: 1 })).to.equal(
      standardDeviation([1025, 1026, 1028], { ddof: 1 }),
    );
    expect(standardDeviation([2, 4, 8], { ddof: 0 })).to.equal(2 * standardDeviation([1, 2, 4], { ddof: 0 }));
  });

  it('have a deviation of 0 for constant values, and throw for too few values', () => {
    expect(standardDeviation([3, 3, 3], { ddof: 1 })).to.equal(0);
    expect(standardDeviation([3], { ddof: 0 })).to.equal(0);
    expect(() => standardDeviation([3], { ddof: 1 })).to.throw(RangeError);
    expect(() => standardDeviation([], { ddof: 0 })).to.throw(RangeError);
    expect(() => mean([])).to.throw(RangeError);
  });
});

describe('covarianceMatrix', () => {
  it('equals simple-statistics up to rounding and is symmetric to the bit', () => {
    const pairs = fc.array(
      fc.tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: -9, max: 9, noNaN: true })),
      {
        minLength: 2,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(pairs, (rows) => {
        const a = rows.map(([value]) => value);
        const b = rows.map(([, value]) => value);
        const [[aa, ab], [ba, bb]] = covarianceMatrix([a, b]).to2DArray() as [
          [number, number],
          [number, number],
        ];
        expect(ab).to.be.closeTo(simple.sampleCovariance(a, b), 1e-12);
        expect(ab).to.equal(ba);
        expect(Math.sqrt(aa)).to.be.closeTo(standardDeviation(a, { ddof: 1 }), 1e-12);
        expect(bb).to.be.at.least(0);
      }),
    );
  });

  it('is empty without series, and throws for fewer than two values', () => {
    expect(covarianceMatrix([]).to2DArray()).to.deep.equal([]);
    expect(() => covarianceMatrix([[1]])).to.throw(RangeError);
    expect(() =>
      covarianceMatrix([
        [1, 2],
        [1, 2, 3],
      ]),
    ).to.throw(RangeError);
  });
});
