import { expect } from 'chai';
import {
  countInside,
  mase,
  meanAbsoluteError,
  meanScaledIntervalScore,
  overallWeightedAverage,
  seasonalNaiveScale,
  smape,
} from '#lib/forecasting/engine/error-metrics.ts';

// Every expected number is computed by hand from the definitions of the M4 competition.
describe('errors of forecasts', () => {
  it('are absolute in the unit of the values', () => {
    expect(meanAbsoluteError([1, 3], [2, 5])).to.equal(1.5);
    expect(meanAbsoluteError([-1], [1])).to.equal(2);
  });

  it('are symmetric percentages 200 |y - f| / (|y| + |f|), or 0 where both are 0', () => {
    expect(smape([100, 100], [100, 300])).to.equal(50);
    expect(smape([0, 0], [0, 5])).to.equal(100);
    expect(smape([-10], [10])).to.equal(200);
  });

  it('are scaled by the seasonal naive method in the history', () => {
    expect(seasonalNaiveScale([1, 2, 4], 1)).to.equal(1.5);
    expect(seasonalNaiveScale([1, 10, 3, 14, 5, 12], 2)).to.equal((2 + 4 + 2 + 2) / 4);
    expect(mase([1, 3], [2, 5], 3)).to.equal(0.5);
  });

  it('are scaled by one-step differences if the history is at most one season long', () => {
    expect(seasonalNaiveScale([1, 3], 12)).to.equal(2);
    expect(seasonalNaiveScale([7], 1)).to.equal(0);
  });

  it('are combined into one number relative to a reference', () => {
    expect(overallWeightedAverage({ smape: 9, mase: 0.8 }, { smape: 10, mase: 1 })).to.be.closeTo(
      0.85,
      1e-15,
    );
  });

  it('of a 95 % interval are its width plus forty times the distance outside the interval', () => {
    const options = { level: 95, scale: 2 };
    expect(meanScaledIntervalScore([5], { lower: [6], upper: [8] }, options)).to.be.closeTo(21, 1e-9);
    expect(meanScaledIntervalScore([10], { lower: [6], upper: [8] }, options)).to.be.closeTo(41, 1e-9);
    expect(meanScaledIntervalScore([7, 7], { lower: [6, 5], upper: [8, 9] }, options)).to.equal(1.5);
  });

  it('of an 80 % interval are its width plus ten times the distance outside the interval', () => {
    const score = meanScaledIntervalScore([5], { lower: [6], upper: [8] }, { level: 80, scale: 1 });
    expect(score).to.be.closeTo(12, 1e-9);
  });

  it('include the share of values inside an interval or on its ends', () => {
    expect(countInside([1, 5, 2], { lower: [0, 6, 2], upper: [2, 7, 2] })).to.equal(2);
  });
});
