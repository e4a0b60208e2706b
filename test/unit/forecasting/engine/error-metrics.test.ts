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
describe('the error metrics of forecasts', () => {
  it('include the mean absolute error in the unit of the values', () => {
    expect(meanAbsoluteError([1, 3], [2, 5])).to.equal(1.5);
    expect(meanAbsoluteError([-1], [1])).to.equal(2);
  });

  it('include sMAPE, the mean of 200 |y - f| / (|y| + |f|), with 0 if y and f are 0', () => {
    expect(smape([100, 100], [100, 300])).to.equal(50);
    expect(smape([0, 0], [0, 5])).to.equal(100);
    expect(smape([-10], [10])).to.equal(200);
  });

  it('include MASE, scaled by the mean error of the seasonal naive method in the history', () => {
    expect(seasonalNaiveScale([1, 2, 4], 1)).to.equal(1.5);
    expect(seasonalNaiveScale([1, 10, 3, 14, 5, 12], 2)).to.equal((2 + 4 + 2 + 2) / 4);
    expect(mase([1, 3], [2, 5], 3)).to.equal(0.5);
  });

  it('use one-step differences as the scale if the history is at most one season long', () => {
    expect(seasonalNaiveScale([1, 3], 12)).to.equal(2);
    expect(seasonalNaiveScale([7], 1)).to.equal(0);
  });

  it('include OWA, the mean of sMAPE and MASE relative to a reference method', () => {
    expect(overallWeightedAverage({ smape: 9, mase: 0.8 }, { smape: 10, mase: 1 })).to.be.closeTo(
      0.85,
      1e-15,
    );
  });

  it('score a 95 % interval by its width plus 40 times the distance of a value outside the interval, both divided by the scale', () => {
    const options = { level: 95, scale: 2 };
    expect(meanScaledIntervalScore([5], { lower: [6], upper: [8] }, options)).to.be.closeTo(21, 1e-9);
    expect(meanScaledIntervalScore([10], { lower: [6], upper: [8] }, options)).to.be.closeTo(41, 1e-9);
    expect(meanScaledIntervalScore([7, 7], { lower: [6, 5], upper: [8, 9] }, options)).to.equal(1.5);
  });

  it('score an 80 % interval by its width plus 10 times the distance of a value outside the interval, both divided by the scale', () => {
    const score = meanScaledIntervalScore([5], { lower: [6], upper: [8] }, { level: 80, scale: 1 });
    expect(score).to.be.closeTo(12, 1e-9);
  });

  it('count the values inside an interval or on its bounds', () => {
    expect(countInside([1, 5, 2], { lower: [0, 6, 2], upper: [2, 7, 2] })).to.equal(2);
  });
});
