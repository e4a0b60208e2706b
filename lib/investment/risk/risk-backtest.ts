import { baselZone } from '#lib/numerics/risk/basel-zone.ts';
import { christoffersen } from '#lib/numerics/risk/christoffersen.ts';
import { kupiec } from '#lib/numerics/risk/kupiec.ts';
import { rollingExceptions } from '#lib/numerics/risk/rolling-exceptions.ts';
import { BACKTEST } from './risk-limits.ts';

/**
 * Tests the historical value at risk (type 7) on at most the last 250 returns. Each return is compared with
 * the value at risk of the `window` returns before it. Returns null with fewer than 50 returns after the
 * first window.
 *
 * `returns`: all T returns of the portfolio. The zone of the Basel framework is stated only for the level
 * 0.99.
 */
export function riskBacktest(
  returns: Float64Array,
  { window, levels }: { window: number; levels: readonly number[] },
) {
  const count = Math.min(BACKTEST.most, returns.length - window);
  if (count < BACKTEST.least) return null;
  const tested = returns.subarray(returns.length - window - count);
  return levels.map((level) => {
    const marks = rollingExceptions(tested, { window, level });
    const exceptions = marks.reduce((total, each) => total + each, 0);
    const { independence, conditionalCoverage } = christoffersen(marks, level);
    return {
      level,
      measure: 'historical_type7' as const,
      periods: count,
      exceptions,
      expected: count * (1 - level),
      kupiec: kupiec(exceptions, count, level),
      christoffersen_independence: independence,
      christoffersen_conditional_coverage: conditionalCoverage,
      basel_zone: level === 0.99 ? baselZone(exceptions, count, level) : null,
    };
  });
}
