import { maxDrawdown } from '#lib/numerics/drawdown.ts';
import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { calmarRatio } from '#lib/numerics/risk/calmar-ratio.ts';
import { informationRatio } from '#lib/numerics/risk/information-ratio.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { sortinoRatio } from '#lib/numerics/risk/sortino-ratio.ts';
import type { SearchMetric } from './search-metrics.ts';

const rules: Readonly<
  Record<
    SearchMetric,
    (returns: Float64Array, periodsPerYear: number, benchmark: Float64Array | null) => number | null
  >
> = {
  sharpe: (returns, periodsPerYear) => sharpeRatio(returns, { riskFree: 0, periodsPerYear }),
  sortino: (returns, periodsPerYear) => sortinoRatio(returns, periodsPerYear),
  calmar: (returns, periodsPerYear) => calmarRatio(returns, periodsPerYear),
  information_ratio: (returns, periodsPerYear, benchmark) =>
    benchmark && informationRatio(returns, benchmark, periodsPerYear),
  annual_return: (returns, periodsPerYear) => annualReturn(returns, periodsPerYear),
  // `maxDrawdown` returns a fraction of at most 0, so a larger value is better.
  minus_max_drawdown: (returns) => maxDrawdown(returns),
  minus_volatility: (returns, periodsPerYear) => {
    const volatility = annualVolatility(returns, periodsPerYear);
    return volatility === null ? null : -volatility;
  },
};

/**
 * Returns a measure of simple returns. A measure per unit of time is annual. An undefined measure is NaN. `benchmark`:
 * the returns of the benchmark over the same sessions, for the information ratio; null for none.
 */
export function searchMetric(
  metric: SearchMetric,
  returns: Float64Array,
  { periodsPerYear, benchmark }: { periodsPerYear: number; benchmark: Float64Array | null },
): number {
  return rules[metric](returns, periodsPerYear, benchmark) ?? Number.NaN;
}
