import { expect } from 'chai';
import {
  intervalLoss,
  normalCrps,
  pinballLoss,
  sharpeLosses,
} from '#lib/numerics/comparison/forecast-losses.ts';
import { mean } from '#lib/numerics/descriptive.ts';

describe('the computation of losses', () => {
  it('weights the two sides of a quantile', () => {
    expect(pinballLoss(10, 8, 0.9)).to.be.closeTo(1.8, 1e-15);
    expect(pinballLoss(8, 10, 0.9)).to.be.closeTo(0.2, 1e-15);
    expect(pinballLoss(8, 8, 0.9)).to.equal(0);
  });

  it('scores an interval by its width and its misses', () => {
    const bounds = { lower: 6, upper: 8, level: 0.95 };
    expect(intervalLoss(7, bounds)).to.equal(2);
    expect(intervalLoss(5, bounds)).to.be.closeTo(42, 1e-12);
    expect(intervalLoss(9, bounds)).to.be.closeTo(42, 1e-12);
  });

  it('has the published scores of a normal forecast, and equals the absolute error if the spread is 0', () => {
    // sqrt(2 / pi) - 1 / sqrt(pi), and 1.4... by numerical integration of (F - 1{y <= x})^2.
    expect(normalCrps(0, { mean: 0, deviation: 1 })).to.be.closeTo(0.23369497725510913, 1e-15);
    let integral = 0;
    const step = 1e-3;
    for (let x = -12 + step / 2; x < 14; x += step) {
      const f = phi(x);
      integral += (x >= 2 ? (f - 1) ** 2 : f * f) * step;
    }
    expect(normalCrps(7, { mean: 1, deviation: 3 })).to.be.closeTo(3 * integral, 1e-5);
    expect(normalCrps(7, { mean: 5, deviation: 0 })).to.equal(2);
  });

  it('has losses whose mean is the negative Sharpe ratio, and no losses for constant returns', () => {
    const returns = [0.01, -0.02, 0.03, 0.005, 0.012];
    const centre = mean(returns);
    const deviation = Math.sqrt(mean(returns.map((each) => (each - centre) ** 2)));
    expect(mean(sharpeLosses(returns)!)).to.be.closeTo(-centre / deviation, 1e-14);
    expect(sharpeLosses([0.01, 0.01, 0.01])).to.equal(null);
    expect(sharpeLosses([0.01])).to.equal(null);
  });
});

/** The normal distribution function, by a series that shares no code with the library. */
function phi(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let [term, total] = [x, x];
  for (let n = 1; n < 200; n += 1) {
    term *= (x * x) / (2 * n + 1);
    total += term;
  }
  return 0.5 + (total * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
