import { expect } from 'chai';
import { factorStatistics } from '#lib/investment/theme-factors/factor-statistics.ts';
import { RESIDUALS_MIN, specificRisks } from '#lib/investment/theme-factors/specific-risk.ts';
import { chainIndex } from '#lib/investment/theme-factors/theme-index.ts';

describe('factorStatistics', () => {
  it('equals values computed by hand', () => {
    const statistics = factorStatistics([0.1, -0.1, 0.3, 0.1]);
    expect(statistics).to.include({ months: 4, newey_west_lags: 2, hit_rate: 0.75 });
    expect(statistics.mean).to.be.closeTo(0.1, 1e-16);
    expect(statistics.volatility).to.be.closeTo(Math.sqrt(0.08 / 3), 1e-16);
    expect(statistics.t_stat).to.be.closeTo(0.1 / Math.sqrt(0.08 / 12), 1e-14);
    expect(statistics.annualized_mean).to.be.closeTo(1.2, 1e-15);
    expect(statistics.annualized_volatility).to.be.closeTo(Math.sqrt(0.32), 1e-15);
    expect(statistics.cumulative_return).to.be.closeTo(1.1 * 0.9 * 1.3 * 1.1 - 1, 1e-15);
    expect(statistics.max_drawdown).to.be.closeTo(-0.1, 1e-15);
    // The deviations 0, -0.2, 0.2, 0 have the autocovariances g0 = 0.02, g1 = -0.01 and g2 = 0; w1 is 2/3.
    expect(statistics.newey_west_t).to.be.closeTo(0.1 / Math.sqrt((0.02 - 2 * (2 / 3) * 0.01) / 4), 1e-13);
  });

  it('contains null for a statistic that is undefined for too few or constant returns', () => {
    expect(factorStatistics([])).to.deep.equal({
      months: 0,
      mean: null,
      volatility: null,
      t_stat: null,
      newey_west_lags: 2,
      newey_west_t: null,
      annualized_mean: null,
      annualized_volatility: null,
      cumulative_return: null,
      max_drawdown: null,
      hit_rate: null,
    });
    expect(factorStatistics([0.02])).to.include({
      months: 1,
      mean: 0.02,
      volatility: null,
      t_stat: null,
      newey_west_t: null,
    });
    expect(factorStatistics([0, 0, 0])).to.include({
      mean: 0,
      volatility: 0,
      t_stat: null,
      newey_west_t: null,
      hit_rate: 0,
    });
  });
});

describe('chainIndex', () => {
  it('starts at 100, and continues from the last level after a missing return', () => {
    expect(chainIndex([0.5, null, 0.5])).to.deep.equal({ levels: [150, null, 225], gaps: 1 });
    expect(chainIndex([null, -1])).to.deep.equal({ levels: [null, 0], gaps: 1 });
    expect(chainIndex([])).to.deep.equal({ levels: [], gaps: 0 });
  });
});

describe('specificRisks', () => {
  const months = 14;
  const alternating = (size: number) =>
    Array.from({ length: months }, (_, t) => (t % 2 === 0 ? size : -size));

  it('contains only symbols with at least 12 specific returns', () => {
    const short = alternating(0.02).map((value, t) => (t < 3 ? Number.NaN : value));
    const enough = alternating(0.02).map((value, t) => (t < 2 ? Number.NaN : value));
    const risks = specificRisks(['SHORT', 'ENOUGH'], Float64Array.from([...short, ...enough]), months);
    expect(risks.map(({ symbol }) => symbol)).to.deep.equal(['ENOUGH']);
    expect(risks[0]!.months).to.equal(RESIDUALS_MIN);
    expect(risks[0]!.mean).to.be.closeTo(0, 1e-17);
    expect(risks[0]!.volatility).to.be.closeTo(0.02 * Math.sqrt(12 / 11), 1e-16);
    expect(risks[0]!.ewma_volatility).to.be.closeTo(0.02, 1e-16);
    expect(risks[0]!.annualized_volatility).to.be.closeTo(0.02 * Math.sqrt((12 * 12) / 11), 1e-15);
  });

  it('shrinks every volatility towards the mean volatility, by a larger share for a larger distance', () => {
    const sizes = [0.01, 0.02, 0.03, 0.12];
    const residuals = Float64Array.from(sizes.flatMap(alternating));
    const risks = specificRisks(['A', 'B', 'C', 'D'], residuals, months);
    const centre = risks.reduce((total, { volatility }) => total + volatility, 0) / risks.length;
    for (const { volatility, shrunk_volatility, shrinkage } of risks) {
      expect(Math.abs(shrunk_volatility - centre)).to.be.below(Math.abs(volatility - centre));
      expect(Math.sign(shrunk_volatility - centre)).to.equal(Math.sign(volatility - centre));
      expect(shrinkage).to.be.within(0, 1);
    }
    const byDistance = [...risks].sort(
      (a, b) => Math.abs(a.volatility - centre) - Math.abs(b.volatility - centre),
    );
    expect(byDistance.map(({ shrinkage }) => shrinkage)).to.deep.equal(
      risks.map(({ shrinkage }) => shrinkage).sort((a, b) => a - b),
    );
  });

  it('does not shrink volatilities that are all equal, or the volatility of a single symbol', () => {
    const one = specificRisks(['A'], Float64Array.from(alternating(0.02)), months)[0]!;
    expect(one).to.include({ shrinkage: 0, shrunk_volatility: one.volatility });
    const zero = specificRisks(['A', 'B'], new Float64Array(2 * months), months);
    expect(zero.map(({ shrunk_volatility }) => shrunk_volatility)).to.deep.equal([0, 0]);
    expect(specificRisks([], new Float64Array(0), months)).to.deep.equal([]);
  });
});
