import { mean } from '#lib/numerics/descriptive.ts';
import type { ScoredOrigin } from './collect-losses.ts';
import type { ObservationKind } from './outcome-codes.ts';
import { SERIES_AS_OBSERVATIONS } from './tournament-limits.ts';

export type ComparedLosses = {
  kind: ObservationKind;
  /** A row of losses for each entry, in order of time. */
  losses: Float64Array[];
  /** A row of mean losses by series for each entry; empty with one series. */
  bySeries: Float64Array[];
};

/**
 * Returns the losses that entries are compared on. With one series, an observation is an origin. With several series,
 * an observation is the mean over all series in a period in which each series has an origin, because series often move
 * together. From 20 series on, an observation is the mean loss of one series, as in forecasting competitions.
 *
 * `entries`: indices of the entries that are compared; origins at which one of them has no loss are left out.
 */
export function comparedLosses(all: readonly ScoredOrigin[], entries: readonly number[]): ComparedLosses {
  const origins = all.filter(({ losses }) => entries.every((entry) => losses[entry] !== null));
  const lossOf = (entry: number) => (origin: ScoredOrigin) => origin.losses[entry]!;
  const series = groupsOf(origins, (origin) => origin.series);
  const means = (groups: readonly ScoredOrigin[][]) =>
    entries.map((entry) => Float64Array.from(groups, (group) => mean(group.map(lossOf(entry)))));
  if (series.length < 2) {
    const losses = entries.map((entry) => Float64Array.from(origins, lossOf(entry)));
    return { kind: 'origin', losses, bySeries: [] };
  }
  const bySeries = means(series);
  if (series.length >= SERIES_AS_OBSERVATIONS) return { kind: 'series', losses: bySeries, bySeries };
  const ordered = [...origins].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const periods = groupsOf(ordered, ({ day }) => day).filter(({ length }) => length === series.length);
  return { kind: 'period', losses: means(periods), bySeries };
}

/** Groups origins by a key, in the order in which the keys occur first. */
function groupsOf<Key>(origins: readonly ScoredOrigin[], keyOf: (origin: ScoredOrigin) => Key) {
  const groups = new Map<Key, ScoredOrigin[]>();
  for (const origin of origins) {
    const group = groups.get(keyOf(origin));
    if (group) group.push(origin);
    else groups.set(keyOf(origin), [origin]);
  }
  return [...groups.values()];
}
