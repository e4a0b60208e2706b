import { expect } from 'chai';
import { disagreementOf, weightedError, wideningOf } from '#lib/forecasting/engine/interval-widening.ts';
import { ascending } from '#lib/forecasting/engine/intervals.ts';

const model = { step: 0, disagreement: 0.5, error: 1, change: 2 };

describe('the widening of intervals', () => {
  it('is a product of powers of the ratios to the mean standard error', () => {
    const evidence = { disagreement: Float64Array.of(4, 1), error: 3, change: 2, observations: 50 };
    const [first, second] = wideningOf(Float64Array.of(1, 1), evidence, model);
    expect(first).to.be.closeTo(2 * 3 * 4, 1e-12);
    expect(second).to.be.closeTo(1 * 3 * 4, 1e-12);
    const [, later] = wideningOf(Float64Array.of(1, 1), evidence, { ...model, step: 1 });
    expect(later).to.be.closeTo(2 * 12, 1e-12);
  });

  it('does not change with the unit of the series', () => {
    const of = (unit: number) =>
      wideningOf(
        Float64Array.of(unit),
        { disagreement: Float64Array.of(0.3 * unit), error: 2 * unit, change: unit, observations: 50 },
        model,
      )[0];
    expect(of(1e6)).to.be.closeTo(of(1)!, 1e-12);
  });

  it('clips extreme ratios, and ignores the ratios of a width of 0 and of a missing backtest', () => {
    const evidence = { disagreement: Float64Array.of(1e9), error: 1e9, change: 1e9, observations: 50 };
    expect(wideningOf(Float64Array.of(1), evidence, model)[0]).to.be.closeTo(Math.sqrt(5) * 20 * 100, 1e-8);
    expect(wideningOf(Float64Array.of(0), evidence, model)[0]).to.equal(1);
    const missing = { disagreement: Float64Array.of(1), error: null, change: 1, observations: 50 };
    expect(wideningOf(Float64Array.of(1), missing, model)[0]).to.equal(1);
  });

  it('depends on the length of the series, within bounds, if the model has exponents of the length', () => {
    const of = (observations: number, more: object) =>
      wideningOf(
        Float64Array.of(1),
        { disagreement: Float64Array.of(1), error: 1, change: 1, observations },
        { ...model, ...more },
      )[0]!;
    expect(of(25, {})).to.equal(1);
    expect(of(25, { length: -1 })).to.be.closeTo(2, 1e-12);
    expect(of(100, { length: -1 })).to.be.closeTo(0.5, 1e-12);
    expect(of(100, { length_curve: 1 })).to.be.closeTo(Math.exp(Math.LN2 ** 2), 1e-12);
    expect(of(8, { length: 1 })).to.be.closeTo(0.25, 1e-12);
    expect(of(2_000, { length: 1 })).to.be.closeTo(4, 1e-12);
  });

  it('uses the weighted distance of the methods and the weighted error', () => {
    const shares = [
      { weight: 3, forecast: { point: Float64Array.of(1) }, error: 4 },
      { weight: 1, forecast: { point: Float64Array.of(5) }, error: null },
      { weight: 0, forecast: { point: Float64Array.of(99) }, error: 99 },
      { weight: 1, forecast: null, error: 8 },
    ];
    expect(disagreementOf(Float64Array.of(2), shares)[0]).to.be.closeTo(Math.sqrt(0.75 + 2.25), 1e-12);
    expect(weightedError(shares)).to.equal(5);
    expect(weightedError([{ weight: 1, error: null }])).to.equal(null);
  });

  it('never narrows as the horizon grows', () => {
    expect([...ascending(Float64Array.of(2, 1, 3))]).to.deep.equal([2, 2, 3]);
  });
});
