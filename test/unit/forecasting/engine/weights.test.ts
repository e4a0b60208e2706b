import { expect } from 'chai';
import fc from 'fast-check';
import { errorsOfMethods } from '#lib/forecasting/engine/backtest.ts';
import { combinePoints } from '#lib/forecasting/engine/combine.ts';
import { combinationWeights } from '#lib/forecasting/engine/weights.ts';

const weighed = fc.record({
  prior: fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1, noNaN: true })),
  error: fc.oneof(fc.constant(null), fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
});
const pool = fc.array(weighed, { minLength: 1, maxLength: 20 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('the method weights of a combined forecast', () => {
  it('are in proportion to the prior divided by the square root of the error', () => {
    const weights = combinationWeights([
      { prior: 1, error: 1 },
      { prior: 1, error: 1.21 },
      { prior: 2, error: 1.21 },
    ]);
    const all = 1 + 3 / 1.1;
    expect(weights[0]).to.be.closeTo(1 / all, 1e-15);
    expect(weights[1]).to.be.closeTo(1 / 1.1 / all, 1e-15);
    expect(weights[2]).to.be.closeTo(2 / 1.1 / all, 1e-15);
  });

  it('are not negative and sum to 1, for any errors', () => {
    fc.assert(
      fc.property(pool, (methods) => {
        const weights = combinationWeights(methods);
        expect(sum(weights)).to.be.closeTo(1, 1e-12);
        for (const weight of weights) expect(weight).to.be.at.least(0);
      }),
    );
  });

  it('do not depend on the unit of the errors', () => {
    fc.assert(
      fc.property(pool, (methods) => {
        const scaled = methods.map(({ prior, error }) => ({
          prior,
          error: error === null ? null : error * 8,
        }));
        expect(combinationWeights(scaled)).to.deep.equal(combinationWeights(methods));
      }),
    );
  });

  it('are 0 for methods far worse than the best method', () => {
    const weights = combinationWeights([1, 1.2, 50].map((error) => ({ prior: 1, error })));
    expect(weights[2]).to.equal(0);
    expect(weights[1]).to.be.above(0);
  });

  it('use the median error of the other methods for a method without an error', () => {
    const [first, second, unknown] = combinationWeights([
      { prior: 1, error: 2 },
      { prior: 1, error: 2 },
      { prior: 1, error: null },
    ]);
    expect(unknown).to.equal(first);
    expect(second).to.equal(first);
  });

  it('equal the normalised priors if no method has an error', () => {
    expect(combinationWeights([1, 3].map((prior) => ({ prior, error: null })))).to.deep.equal([0.25, 0.75]);
  });

  it('are 0 for methods without a prior unless no method has a prior', () => {
    const errors = [100, 120, 1];
    expect(combinationWeights(errors.map((error, at) => ({ prior: at < 2 ? 1 : 0, error })))[2]).to.equal(0);
    expect(combinationWeights(errors.map((error) => ({ prior: 0, error })))).to.deep.equal([0, 0, 1]);
  });
});

describe('the mean error of each method over the origins', () => {
  it('does not become lower because a method has no error at an origin, and is null if the method has no error at any origin', () => {
    expect(
      errorsOfMethods([
        [1, 4],
        [1, null],
        [1, 4],
        [null, null],
      ]),
    ).to.deep.equal([2.5, 2.5, 2.5, null]);
  });
});

describe('a combined forecast', () => {
  const forecast = (...point: number[]) => ({ point: Float64Array.from(point) });

  it('is the weighted mean of the points of the methods', () => {
    const shares = [
      { weight: 0.25, forecast: forecast(1, 3) },
      { weight: 0.75, forecast: forecast(3, 5) },
    ];
    expect([...combinePoints(shares, 2)]).to.deep.equal([2.5, 4.5]);
  });

  it('uses only the methods that have a forecast, and throws if no method has a forecast', () => {
    const shares = [
      { weight: 0.9, forecast: null },
      { weight: 0.1, forecast: forecast(4) },
    ];
    expect([...combinePoints(shares, 1)]).to.deep.equal([4]);
    expect([...combinePoints([{ weight: 0, forecast: forecast(7) }], 1)]).to.deep.equal([7]);
    expect(() => combinePoints([{ weight: 1, forecast: null }], 1)).to.throw(RangeError);
  });
});
