import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { compoundReturn, maxDrawdown } from '#lib/numerics/drawdown.ts';
import { neweyWestLags, neweyWestVariance } from '#lib/numerics/newey-west.ts';
import type { FactorStatistics } from './theme-factors.result.ts';

/**
 * Computes the statistics of a factor over its estimated months. `returns` are monthly, oldest first, in fractions
 * (0.01 is 1 %). Leave out months without an estimate beforehand; neighbours can then be more than a month apart.
 *
 * Undefined statistics are null. Without a month, all statistics except the counts are null. With fewer than two
 * months, the volatility and t are null. With a standard error of 0, t is null. Source: specification of
 * svc_theme_factor_ridge_v1, step 9.
 */
export function factorStatistics(returns: readonly number[]): FactorStatistics {
  const months = returns.length;
  const lags = neweyWestLags(months);
  const average = months === 0 ? null : mean(returns);
  const volatility = months < 2 ? null : standardDeviation(returns, { ddof: 1 });
  const longRunVariance = months < 2 ? 0 : neweyWestVariance(returns, lags);
  return {
    months,
    mean: average,
    volatility,
    t_stat: average === null || volatility === null ? null : ratio(average, volatility / Math.sqrt(months)),
    newey_west_lags: lags,
    newey_west_t: average === null ? null : ratio(average, Math.sqrt(Math.max(longRunVariance, 0))),
    annualized_mean: average === null ? null : 12 * average,
    annualized_volatility: volatility === null ? null : volatility * Math.sqrt(12),
    cumulative_return: months === 0 ? null : compoundReturn(returns),
    max_drawdown: months === 0 ? null : maxDrawdown(returns),
    hit_rate: months === 0 ? null : returns.filter((value) => value > 0).length / months,
  };
}

function ratio(value: number, standardError: number): number | null {
  return standardError > 0 ? value / standardError : null;
}
