import { ewmaVolatility } from '#lib/numerics/ewma-volatility.ts';
import { fitsTheWire } from '#lib/core/money.ts';
import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { calmarRatio } from '#lib/numerics/risk/calmar-ratio.ts';
import { concentration } from '#lib/numerics/risk/concentration.ts';
import { conditionalDrawdown } from '#lib/numerics/risk/conditional-drawdown.ts';
import { downsideDeviation } from '#lib/numerics/risk/downside-deviation.ts';
import { deepestDrawdown, drawdownSeries } from '#lib/numerics/risk/drawdown-series.ts';
import { drawdownTable } from '#lib/numerics/risk/drawdown-table.ts';
import { hitRate } from '#lib/numerics/risk/hit-rate.ts';
import { gainToPain, omegaRatio } from '#lib/numerics/risk/omega-ratio.ts';
import { painIndex } from '#lib/numerics/risk/pain-index.ts';
import { populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { sortinoRatio } from '#lib/numerics/risk/sortino-ratio.ts';
import { stability } from '#lib/numerics/risk/stability.ts';
import { tailRatio } from '#lib/numerics/risk/tail-ratio.ts';
import { ulcerIndex } from '#lib/numerics/risk/ulcer-index.ts';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { benchmarkRelative } from './benchmark-relative.ts';
import { factorRisk } from './factor-risk.ts';
import { type PreparedRisk, prepareRisk } from './prepared-risk.ts';
import { writeReturns } from './price-history.ts';
import { riskBacktest } from './risk-backtest.ts';
import { riskComponents } from './risk-components.ts';
import type { RiskInput } from './risk-input.ts';
import { DECAY, FREQUENCIES } from './risk-limits.ts';
import { riskLiquidity } from './risk-liquidity.ts';
import type { RiskRefusal } from './risk-refusal.ts';
import type { RiskResult } from './risk-result.schema.ts';
import { pricedReturns, realisedReturns } from './realised-returns.ts';
import { tailRisk } from './tail-risk.ts';

const DRAWDOWNS = 10;

export type RiskOutcome = { ok: true; result: RiskResult } | { ok: false; refusal: RiskRefusal };

/**
 * Returns the risk of one portfolio, which is the complete body of GET /investment/risk.
 *
 * The function is pure and reproducible to the bit; the order of positions does not matter. Parts that
 * `include` does not name are null. Figures that are not defined are also null, such as a ratio with a
 * standard deviation of 0. `RiskRefusal` lists the refusals. Throws a `RangeError` on arrays whose lengths do
 * not fit the dates.
 */
export function portfolioRisk(input: RiskInput): RiskOutcome {
  const found = prepareRisk(input);
  if (!found.ok) return found;
  const { options } = input;
  const { prepared } = found;
  const { returns, held, positions, coverage, valueMinor } = prepared;
  const { periodsPerYear } = FREQUENCIES[options.frequency];
  const has = (part: (typeof options.include)[number]) => options.include.includes(part);
  const result: RiskResult = {
    portfolio: input.portfolio,
    as_of: input.asOf,
    basis: options.basis,
    frequency: options.frequency,
    window: options.window,
    observations: returns.length,
    first_date: input.dates[input.dates.length - returns.length]!,
    last_date: input.dates.at(-1)!,
    currency: prepared.currency,
    value_minor: fitsTheWire(valueMinor) ? Number(valueMinor) : null,
    volatility: annualVolatility(returns, periodsPerYear)!,
    ewma_volatility: ewmaVolatility(returns, DECAY) * Math.sqrt(periodsPerYear),
    tail: tailRisk(returns, options.levels, valueMinor),
    performance: performanceOf(returns, periodsPerYear),
    drawdowns: drawdownsOf(returns, input.dates),
    benchmark: benchmarkOf(input, returns, periodsPerYear),
    concentration: concentration(positions.map((each) => Number(each.valueMinor ?? 0n))),
    components:
      has('components') && options.basis === 'current_holdings'
        ? riskComponents(held, returns, { levels: options.levels, periodsPerYear })
        : null,
    liquidity: has('liquidity') ? riskLiquidity(positions) : null,
    factors: has('factors') && input.factorModel ? factorRisk(held, input.factorModel) : null,
    backtest: has('backtest') ? backtestOf(prepared, options) : null,
    coverage: {
      value_share_without_history: coverage.shareWithout,
      symbols: coverage.symbols,
      rows_filled: coverage.rowsFilled,
      ...otherCurrencies(positions),
    },
  };
  return { ok: true, result };
}

/** Returns the positions whose closes are in another currency. The member is absent if there are none. */
function otherCurrencies(positions: PreparedRisk['positions']) {
  const others = positions.flatMap(({ symbol, currency, otherCurrency }) =>
    otherCurrency === null ? [] : [{ symbol, currency, price_currency: otherCurrency }],
  );
  return others.length > 0 && { other_currency: others };
}

/** Returns the performance figures of n simple returns. Figures per unit of time are annual. */
export function performanceOf(returns: Float64Array, periodsPerYear: number) {
  const moments = populationMoments(returns);
  return {
    annual_return: annualReturn(returns, periodsPerYear),
    downside_deviation: downsideDeviation(returns, periodsPerYear),
    sharpe: sharpeRatio(returns, { riskFree: 0, periodsPerYear }),
    probabilistic_sharpe: probabilisticSharpe(returns, { riskFree: 0, target: 0 }),
    sortino: sortinoRatio(returns, periodsPerYear),
    calmar: calmarRatio(returns, periodsPerYear),
    omega: omegaRatio(returns),
    gain_to_pain: gainToPain(returns),
    hit_rate: hitRate(returns),
    tail_ratio: tailRatio(sortDoubles(returns)),
    stability: stability(returns),
    skewness: moments.skewness,
    excess_kurtosis: moments.excessKurtosis,
  };
}

/** Returns the drawdown figures of n simple returns. `dates` ends with the dates of the returns. */
export function drawdownsOf(returns: Float64Array, dates: readonly string[]) {
  const series = drawdownSeries(returns);
  const dateOf = (place: number) => dates[dates.length - returns.length + place]!;
  return {
    maximum: deepestDrawdown(series),
    ulcer_index: ulcerIndex(series)!,
    pain_index: painIndex(series)!,
    conditional_drawdown_95: conditionalDrawdown(series, 0.95),
    table: drawdownTable(returns, DRAWDOWNS).map(({ depth, start, trough, recovery }) => ({
      depth,
      from: dateOf(start),
      trough: dateOf(trough),
      recovered: recovery === null ? null : dateOf(recovery),
      periods: (recovery ?? returns.length - 1) - start + 1,
    })),
  };
}

/**
 * Returns the figures relative to the benchmark. Returns null without a benchmark, or if the benchmark has no
 * history over the window.
 */
function benchmarkOf({ benchmark, dates }: RiskInput, returns: Float64Array, periodsPerYear: number) {
  if (!benchmark) return null;
  if ('path' in benchmark) {
    const { path, portfolio } = benchmark;
    const all = path.isFunded ? pricedReturns(path, realisedReturns(path).returns) : new Float64Array(0);
    if (all.length < returns.length) return null;
    const own = all.subarray(all.length - returns.length);
    return { portfolio, ...benchmarkRelative(returns, own, periodsPerYear) };
  }
  const { symbol, prices } = benchmark;
  if (prices.length !== dates.length)
    throw new RangeError(`${symbol} has ${prices.length} prices at ${dates.length} dates`);
  const own = new Float64Array(returns.length);
  if (writeReturns(prices.subarray(prices.length - returns.length - 1), own) === null) return null;
  return { symbol, ...benchmarkRelative(returns, own, periodsPerYear) };
}

function backtestOf({ allReturns }: PreparedRisk, { window, levels }: RiskInput['options']) {
  return allReturns && riskBacktest(allReturns, { window, levels });
}
