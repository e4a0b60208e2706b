import { expect } from 'chai';
import fc from 'fast-check';
import { completeObservations } from '#lib/numerics/covariance/complete-observations.ts';
import { exponentiallyWeightedCovariance } from '#lib/numerics/covariance/exponentially-weighted.ts';
import { factorCovariance } from '#lib/numerics/covariance/factor-model.ts';
import { ledoitWolf } from '#lib/numerics/covariance/ledoit-wolf.ts';
import { sampleCovariance } from '#lib/numerics/covariance/sample.ts';
import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';

const table = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 2, max: 70 })).chain(([K, N]) =>
  fc.array(fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: N, maxLength: N }), {
    minLength: K,
    maxLength: K,
  }),
);

describe('the covariance estimators', () => {
  it('give the same sample covariance as the definition', () => {
    fc.assert(
      fc.property(table, (series) => {
        const [fast, plain] = [sampleCovariance(series).to2DArray(), covarianceMatrix(series).to2DArray()];
        for (const [k, row] of plain.entries())
          for (const [l, value] of row.entries()) expect(fast[k]![l]).to.be.closeTo(value, 1e-16);
      }),
    );
  });

  it('use only the periods in which all series have a value, and report the share of values of each series', () => {
    const { series, periods, coverage } = completeObservations([
      [1, Number.NaN, 3, Infinity],
      [4, 5, 6, 7],
    ]);
    expect(series.map((each) => [...each])).to.deep.equal([
      [1, 3],
      [4, 6],
    ]);
    expect(periods).to.deep.equal([0, 2]);
    expect([...coverage]).to.deep.equal([0.5, 1]);
    expect(completeObservations([[], []]).coverage).to.deep.equal(new Float64Array(2));
    expect(() => completeObservations([[1], [1, 2]])).to.throw(RangeError);
  });

  it('keep the trace of the covariance under Ledoit-Wolf shrinkage', () => {
    fc.assert(
      fc.property(table, (series) => {
        const { covariance, shrinkage } = ledoitWolf(series);
        const N = series[0]!.length;
        const population = sampleCovariance(series).mul((N - 1) / N);
        expect(shrinkage).to.be.within(0, 1);
        expect(covariance.trace()).to.be.closeTo(population.trace(), 1e-14);
      }),
    );
  });

  it('make the covariance of two equal series positive definite by Ledoit-Wolf shrinkage', () => {
    const one = [0.01, -0.02, 0.03, 0.005, -0.01];
    const { covariance, shrinkage } = ledoitWolf([one, one, [0.02, 0.01, -0.03, 0, 0.02]]);
    expect(shrinkage).to.be.above(0);
    expect(lowerCholesky(covariance)).to.not.equal(null);
  });

  it('have a Ledoit-Wolf shrinkage of 0 for a single series', () => {
    expect(ledoitWolf([[1, 1, 1]]).covariance.to2DArray()).to.deep.equal([[0]]);
    expect(ledoitWolf([[1, 2, 3]])).to.deep.include({ shrinkage: 0 });
    expect(() => ledoitWolf([[1]])).to.throw(RangeError);
  });

  it('weight periods by age, and nearly equally for a very long half-life', () => {
    expect(exponentiallyWeightedCovariance([[3, 0]], { halfLife: 1 }).get(0, 0)).to.be.closeTo(3, 1e-15);
    const equal = exponentiallyWeightedCovariance([[3, 0, -3]], { halfLife: 1e12 });
    expect(equal.get(0, 0)).to.be.closeTo(6, 1e-9);
    expect(() => exponentiallyWeightedCovariance([[3, 0]], { halfLife: 0 })).to.throw(RangeError);
    expect(() => exponentiallyWeightedCovariance([[]], { halfLife: 1 })).to.throw(RangeError);
  });

  it('add specific variances to the covariance that the factors imply', () => {
    const model = { exposures: [[1], [2]], factorCovariance: [[0.04]], specificVariances: [0.01, 0.02] };
    expect(factorCovariance(model).to2DArray()).to.deep.equal([
      [0.05, 0.08],
      [0.08, 0.18],
    ]);
    for (const change of [
      { exposures: [[1], [Number.NaN]] },
      { exposures: [[1], [1, 2]] },
      { specificVariances: [0.01] },
      { specificVariances: [0.01, -0.01] },
    ])
      expect(() => factorCovariance({ ...model, ...change })).to.throw(RangeError);
  });
});
