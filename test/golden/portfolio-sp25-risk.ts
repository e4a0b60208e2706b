import { ewmaVolatility } from '#lib/numerics/ewma-volatility.ts';
import { maxDrawdown } from '#lib/numerics/drawdown.ts';
import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { beta } from '#lib/numerics/risk/beta.ts';
import { calmarRatio } from '#lib/numerics/risk/calmar-ratio.ts';
import { cdarOrderMean } from '#lib/numerics/risk/conditional-drawdown.ts';
import { varCornishFisher } from '#lib/numerics/risk/cornish-fisher.ts';
import { drawdownSeries } from '#lib/numerics/risk/drawdown-series.ts';
import { drawdownTable } from '#lib/numerics/risk/drawdown-table.ts';
import { esRockafellarUryasev } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import { eulerSum, volatilityCoefficients } from '#lib/numerics/risk/euler-coefficients.ts';
import { esGaussian, varGaussian } from '#lib/numerics/risk/gaussian.ts';
import { varHistoricalOrder } from '#lib/numerics/risk/historical-order.ts';
import { varHistoricalType7 } from '#lib/numerics/risk/historical-type7.ts';
import { informationRatio } from '#lib/numerics/risk/information-ratio.ts';
import { populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { sortinoRatio } from '#lib/numerics/risk/sortino-ratio.ts';
import { trackingError } from '#lib/numerics/risk/tracking-error.ts';
import { ulcerIndex } from '#lib/numerics/risk/ulcer-index.ts';
import { type Members, asMembers, asNumber } from './golden-file.ts';
import type { Tally } from './report.ts';
import type { Sp25Returns } from './sp25-market.ts';

const TOLERANCE = 1e-9;
const DAYS = 252;
const BENCHMARK = 'min_variance_long_only';

/** Compares the section `risk`: the equally weighted portfolio, rebalanced daily, and its components. */
export function checkRisk(tally: Tally, file: Members, market: Sp25Returns): void {
  const risk = asMembers(file['risk'], 'risk');
  const share = 1 / market.returns.size;
  const returns = portfolioOf(market, () => share);
  const ascending = returns.toSorted();
  // In the parametric measures, the file uses the sample standard deviation instead of the population
  // standard deviation.
  const moments = { ...populationMoments(returns), deviation: annualVolatility(returns, 1)! };
  for (const [key, value] of Object.entries(risk)) {
    if (key === 'equal_weight') checkEqualWeight(tally, asMembers(value, key), { file, market, returns });
    else if (key === 'ewma_0.94_volatility_daily') {
      tally.case();
      tally.number(`risk.${key}`, asNumber(value, key), ewmaVolatility(returns, 0.94), TOLERANCE);
    } else {
      const level = Number(key);
      tally.case();
      compare(tally, `risk.${key}`, asMembers(value, key), {
        var_historical_type7: varHistoricalType7(ascending, level),
        var_historical_order_statistic: varHistoricalOrder(ascending, level),
        cvar_rockafellar_uryasev: esRockafellarUryasev(ascending, level),
        var_normal: varGaussian(moments, level),
        cvar_normal: esGaussian(moments, level),
        var_cornish_fisher: varCornishFisher(moments, level),
      });
    }
  }
}

function checkEqualWeight(
  tally: Tally,
  expected: Members,
  { file, market, returns }: { file: Members; market: Sp25Returns; returns: Float64Array },
): void {
  tally.case();
  const moments = populationMoments(returns);
  const drawdowns = drawdownSeries(returns);
  const own = asMembers(asMembers(file['portfolios'], 'portfolios')[BENCHMARK], BENCHMARK);
  const weights = asMembers(own['weights'], BENCHMARK);
  const benchmark = portfolioOf(market, (symbol) => asNumber(weights[symbol], symbol));
  const coefficients = volatilityCoefficients(returns)!;
  const marginal = Object.fromEntries(
    [...market.returns].map(([symbol, column]) => [symbol, eulerSum(coefficients, column) * Math.sqrt(DAYS)]),
  );
  compare(tally, 'risk.equal_weight', expected, {
    observations: returns.length,
    mean_daily: moments.mean,
    stdev_daily: annualVolatility(returns, 1),
    skewness_population: moments.skewness,
    excess_kurtosis_population: moments.excessKurtosis,
    annual_return_geometric: annualReturn(returns, DAYS),
    annual_volatility: annualVolatility(returns, DAYS),
    sharpe_rf0: sharpeRatio(returns, { riskFree: 0, periodsPerYear: DAYS }),
    sortino_rf0: sortinoRatio(returns, DAYS),
    max_drawdown: maxDrawdown(returns),
    max_drawdown_date: market.dates[drawdownTable(returns, 1)[0]!.trough]!,
    calmar: calmarRatio(returns, DAYS),
    ulcer_index: ulcerIndex(drawdowns),
    cdar_95: cdarOrderMean(drawdowns, 0.95),
    beta_to_min_variance_portfolio: beta(returns, benchmark),
    tracking_error_to_min_variance: trackingError(returns, benchmark, DAYS),
    information_ratio: informationRatio(returns, benchmark, DAYS),
    marginal_risk: marginal,
    component_risk: Object.fromEntries(
      Object.entries(marginal).map(([symbol, each]) => [symbol, each / market.returns.size]),
    ),
  });
}

function portfolioOf({ dates, returns }: Sp25Returns, weightOf: (symbol: string) => number): Float64Array {
  const portfolio = new Float64Array(dates.length);
  for (const [symbol, column] of returns) {
    const weight = weightOf(symbol);
    for (let t = 0; t < portfolio.length; t += 1) portfolio[t]! += weight * column[t]!;
  }
  return portfolio;
}

type Found = { [key: string]: number | string | null | Record<string, number> };

/**
 * Compares the members that Assay computes. Every other member is reported as not known, except the
 * description in `portfolio`.
 */
function compare(tally: Tally, name: string, expected: Members, found: Found): void {
  for (const [key, value] of Object.entries(expected)) {
    const actual = found[key];
    if (key === 'portfolio') continue;
    if (actual === undefined) tally.note(`${name}.${key} is not known`);
    else if (typeof actual === 'object' && actual !== null)
      compare(tally, `${name}.${key}`, asMembers(value, key), actual);
    else if (typeof actual === 'number')
      tally.number(`${name}.${key}`, asNumber(value, key), actual, TOLERANCE);
    else tally.equal(`${name}.${key}`, value, actual);
  }
}
