import { annualReturn } from './annual-return.ts';
import { deepestDrawdown, drawdownSeries } from './drawdown-series.ts';

/**
 * Returns the Calmar ratio: the geometric annual return divided by the size of the maximum drawdown.
 *
 * `returns`: n simple returns as fractions. Returns null if there is no drawdown, or if the annual return is
 * null.
 * Source: Young, "Calmar Ratio: A Smoother Tool" (Futures 1991). The drawdown is measured over the whole
 * history.
 *
 * Example: for [-0.5, 1] and 1 period a year, the result is 0, because the annual return is 0.
 */
export function calmarRatio(returns: ArrayLike<number>, periodsPerYear: number): number | null {
  const annual = annualReturn(returns, periodsPerYear);
  const deepest = deepestDrawdown(drawdownSeries(returns));
  return annual === null || deepest === 0 ? null : annual / Math.abs(deepest);
}
