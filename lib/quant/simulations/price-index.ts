import { monthIndex, monthOf } from '#lib/core/date.ts';
import type { PeriodValue } from '#lib/forecasting/series/period-grid.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { INFLATION } from './simulation-limits.ts';
import { unfit, type SimulationRefusal } from './simulation-refusal.ts';

/** Mean annual growth of an index, and the last days of the two periods from which it was computed. */
export type IndexGrowth = { annual: number; first: string; last: string };

/**
 * Returns the mean annual growth of an index over its last `years` years: (last / first)^(12 / months) - 1, where
 * `first` is the newest value that is at least `years` years older than the last value. Refuses an index with a shorter
 * history, with one of the two values at 0 or below, or with a growth out of bounds.
 */
export function indexGrowth(
  observed: readonly PeriodValue[],
  years: number,
): IndexGrowth | SimulationRefusal {
  const month = ({ lastDay }: PeriodValue) => monthIndex(monthOf(lastDay));
  const last = observed.at(-1);
  const first = last && observed.findLast((each) => month(each) <= month(last) - 12 * years);
  if (!first)
    return unfit(
      '/inflation/metric',
      'too_short',
      `has no value ${years} years before its newest value, as known by the as-of date`,
    );
  if (!(first.value > 0 && last.value > 0))
    return unfit('/inflation/metric', 'not_positive', 'must be an index of prices, with values above 0');
  const months = month(last) - month(first);
  const annual = exp((12 * ln(last.value / first.value)) / months) - 1;
  if (!(annual >= INFLATION.min && annual <= INFLATION.max))
    return unfit(
      '/inflation/metric',
      'range',
      `grows by ${annual} a year; inflation is at most ${INFLATION.max}`,
    );
  return { annual, first: first.lastDay, last: last.lastDay };
}
