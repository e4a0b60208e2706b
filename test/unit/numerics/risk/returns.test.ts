import { expect } from 'chai';
import fc from 'fast-check';
import { compoundReturn, maxDrawdown } from '#lib/numerics/drawdown.ts';
import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { beta } from '#lib/numerics/risk/beta.ts';
import { calmarRatio } from '#lib/numerics/risk/calmar-ratio.ts';
import { captureRatio } from '#lib/numerics/risk/capture-ratio.ts';
import { concentration } from '#lib/numerics/risk/concentration.ts';
import { cdarOrderMean, conditionalDrawdown } from '#lib/numerics/risk/conditional-drawdown.ts';
import { downsideDeviation } from '#lib/numerics/risk/downside-deviation.ts';
import { deepestDrawdown, drawdownSeries } from '#lib/numerics/risk/drawdown-series.ts';
import { drawdownTable } from '#lib/numerics/risk/drawdown-table.ts';
import { hitRate } from '#lib/numerics/risk/hit-rate.ts';
import { informationRatio, informationRatioGeometric } from '#lib/numerics/risk/information-ratio.ts';
import { liquidityDays } from '#lib/numerics/risk/liquidity-days.ts';
import { gainToPain, omegaRatio } from '#lib/numerics/risk/omega-ratio.ts';
import { painIndex } from '#lib/numerics/risk/pain-index.ts';
import { populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { sortinoRatio } from '#lib/numerics/risk/sortino-ratio.ts';
import { stability } from '#lib/numerics/risk/stability.ts';
import { tailRatio } from '#lib/numerics/risk/tail-ratio.ts';
import { trackingError } from '#lib/numerics/risk/tracking-error.ts';
import { ulcerIndex } from '#lib/numerics/risk/ulcer-index.ts';

const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 2, maxLength: 60 });
const monthly = { riskFree: 0, periodsPerYear: 12 };

describe('return measures', () => {
  it('equal values computed by hand', () => {
    expect(annualReturn([0.01, 0.01], 12)).to.be.closeTo(1.01 ** 12 - 1, 1e-15);
    expect(annualVolatility([0.01, -0.01], 252)).to.be.closeTo(0.2244994, 1e-7);
    expect(downsideDeviation([0.01, -0.02], 1)).to.be.closeTo(0.0141421, 1e-7);
    expect(sharpeRatio([0.01, 0.03], { riskFree: 0, periodsPerYear: 1 })).to.be.closeTo(Math.SQRT2, 1e-12);
    expect(sortinoRatio([0.03, -0.01], 1)).to.be.closeTo(Math.SQRT2, 1e-12);
    expect(calmarRatio([-0.5, 1], 1)).to.equal(0);
    expect(omegaRatio([0.03, -0.01])).to.be.closeTo(3, 1e-12);
    expect(gainToPain([0.03, -0.01])).to.be.closeTo(2, 1e-12);
    expect(hitRate([0.01, 0, -0.02, 0.03])).to.equal(2 / 3);
    expect(tailRatio([-0.02, 0, 0.02])).to.be.closeTo(1, 1e-12);
    expect(stability([0.01, 0.01, 0.01])).to.be.closeTo(1, 1e-12);
    expect(beta([0.02, 0.04, 0.06], [0.01, 0.02, 0.03])).to.be.closeTo(2, 1e-12);
    expect(populationMoments([-1, 0, 1])).to.deep.include({ mean: 0, skewness: 0, excessKurtosis: -1.5 });
  });

  it('are null if they are not defined', () => {
    expect(annualReturn([], 12)).to.equal(null);
    expect(annualReturn([-2], 12)).to.equal(null);
    expect(annualVolatility([0.1], 12)).to.equal(null);
    expect(downsideDeviation([], 12)).to.equal(null);
    expect(sharpeRatio([0.01, 0.01], monthly)).to.equal(null);
    expect(sortinoRatio([0.01, 0.02], 12)).to.equal(null);
    expect(calmarRatio([0.01, 0.02], 12)).to.equal(null);
    expect(omegaRatio([0.01])).to.equal(null);
    expect(gainToPain([])).to.equal(null);
    expect(tailRatio([0, 0, 0])).to.equal(null);
    expect(stability([0.1, -1])).to.equal(null);
    expect(stability([0.1])).to.equal(null);
    expect(beta([0.1, 0.2], [0.1, 0.1])).to.equal(null);
    expect(informationRatio([0.1, 0.2], [0.1, 0.2], 12)).to.equal(null);
    expect(informationRatioGeometric([0.1, 0.2], [0.1, 0.2], 12)).to.equal(null);
    expect(captureRatio([0.1], [-0.1], { side: 'up', periodsPerYear: 12 })).to.equal(null);
    expect(probabilisticSharpe([0.01, 0.01], { riskFree: 0, target: 0 })).to.equal(null);
    expect(populationMoments([3])).to.deep.equal({
      mean: 3,
      deviation: 0,
      skewness: null,
      excessKurtosis: null,
    });
  });

  it('include a hit rate and a stability of 0 for returns that are all 0', () => {
    expect(hitRate([0, 0])).to.equal(0);
    expect(stability([0, 0])).to.equal(0);
  });

  it('include an annual return of -1 after a return of -1', () => {
    expect(annualReturn([0.1, -1, 0.5], 12)).to.equal(-1);
  });

  it('throw on a benchmark of another length', () => {
    expect(() => trackingError([0.1, 0.2], [0.1], 12)).to.throw(RangeError);
    expect(() => beta([0.1, 0.2], [0.1])).to.throw(RangeError);
    expect(() => captureRatio([0.1, 0.2], [0.1], { side: 'up', periodsPerYear: 12 })).to.throw(RangeError);
  });

  it('include volatility and downside deviation, which double if all returns are doubled', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const doubled = values.map((each) => 2 * each);
        expect(annualVolatility(doubled, 12)).to.be.closeTo(2 * annualVolatility(values, 12)!, 1e-12);
        expect(downsideDeviation(doubled, 12)).to.be.closeTo(2 * downsideDeviation(values, 12)!, 1e-12);
      }),
    );
  });
});

describe('drawdown measures', () => {
  it('are consistent with the maximum drawdown and with each other', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const series = drawdownSeries(values);
        const deepest = maxDrawdown(values);
        expect(Math.min(0, ...series)).to.equal(deepest);
        expect(drawdownTable(values, 1)[0]?.depth ?? 0).to.equal(deepest);
        expect(ulcerIndex(series)!).to.be.within(painIndex(series)! - 1e-15, -deepest + 1e-15);
        expect(conditionalDrawdown(series, 0.95)).to.be.within(painIndex(series)! - 1e-12, -deepest + 1e-12);
      }),
    );
  });

  it('are correct even if the level exceeds the range of doubles', () => {
    const levels = Array.from({ length: 400 }, () => 9);
    expect([...drawdownSeries([...levels, -0.5])].slice(-2)).to.deep.equal([0, -0.5]);
    expect(deepestDrawdown(drawdownSeries([...levels, -0.5, ...levels, -0.25]))).to.equal(-0.5);
    expect(annualReturn(levels, 12)).to.equal(null);
    expect(annualReturn([1e300, 1e300], 12)).to.equal(null);
  });

  it('list drawdowns that do not overlap and that end when the earlier high is reached', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const table = drawdownTable(values, 100).sort((one, other) => one.start - other.start);
        for (const [at, { start, trough, recovery }] of table.entries()) {
          expect(trough).to.be.within(start, (recovery ?? values.length) - 1);
          if (at > 0) expect(table[at - 1]!.recovery).to.be.at.most(start);
          if (recovery !== null)
            expect(compoundReturn(values.slice(start, recovery + 1))).to.be.at.least(-1e-12);
        }
      }),
    );
  });

  it('equal values computed by hand', () => {
    expect(drawdownTable([0.5, -0.5, 1], 3)).to.deep.equal([
      { depth: -0.5, start: 1, trough: 1, recovery: 2 },
    ]);
    expect(drawdownTable([-0.1, -0.1], 3)[0]).to.deep.include({ start: 0, trough: 1, recovery: null });
    expect(drawdownTable([0.1, 0, 0.1], 3)).to.deep.equal([]);
    expect(ulcerIndex([0, -0.3, -0.4])).to.be.closeTo(0.2886751, 1e-7);
    expect(painIndex([0, -0.3, -0.6])).to.be.closeTo(0.3, 1e-15);
    expect(conditionalDrawdown([0, -0.1, -0.2, -0.3], 0.5)).to.be.closeTo(0.25, 1e-15);
    expect(cdarOrderMean([0, -0.1, -0.2, -0.3], 0.7)).to.equal(0.3);
    expect(ulcerIndex([])).to.equal(null);
  });
});

describe('concentration and liquidityDays', () => {
  it('equal values computed by hand', () => {
    expect(concentration([50, -50])).to.deep.equal({ hhi: 0.5, effective: 2, top10: 1 });
    expect(concentration([0, 0])).to.equal(null);
    expect(concentration([])).to.equal(null);
    expect(liquidityDays(-1_000, new Float64Array(21).fill(500))).to.equal(10);
  });

  it('give a concentration that does not depend on the order of the positions', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1 }), (sizes) => {
        expect(concentration(sizes.toReversed())).to.deep.equal(concentration(sizes));
        expect(concentration(sizes)!.effective).to.be.within(1 - 1e-12, sizes.length + 1e-9);
      }),
    );
  });

  it('give null as liquidityDays without enough days of volume above 0', () => {
    const volumes = new Float64Array(21).fill(Number.NaN);
    volumes.fill(100, 11);
    expect(liquidityDays(100, volumes)).to.equal(null);
    volumes[0] = 100;
    expect(liquidityDays(100, volumes)).to.equal(5);
    expect(liquidityDays(100, new Float64Array(21))).to.equal(null);
    expect(liquidityDays(100, [])).to.equal(null);
  });
});
