import { seriesOrigins } from './series-origins.ts';
import { readLoss } from './score-origins.ts';
import type { FailureReason } from './outcome-codes.ts';
import type { ResolvedEntry, TournamentInput } from './tournament-input.schema.ts';
import { periodAt, type TournamentData } from './tournament-series.ts';

/** An origin with the losses of all entries: null for an entry without a loss. */
export type ScoredOrigin = {
  /** Index of the series. */
  series: number;
  /** Name and last day of the last known period. */
  period: string;
  day: string;
  losses: (number | null)[];
};

export type Disqualification<Reason extends string = FailureReason> = {
  entry: number;
  series: number;
  origin: string;
  reason: Reason;
};

export type CollectedLosses = {
  origins: ScoredOrigin[];
  /** The first failure of each entry that failed at an origin, in the order of the entries. */
  disqualified: Disqualification[];
};

/** Reads the numbers of all parts: the losses of every origin, and the entries that failed. */
export function collectLosses(
  input: TournamentInput,
  data: TournamentData,
  { numbers, entries }: { numbers: Float64Array; entries: readonly ResolvedEntry[] },
): CollectedLosses {
  const failed = new Map<number, Disqualification>();
  const origins: ScoredOrigin[] = [];
  for (const [series, facts] of data.series.entries()) {
    for (const [place, { observations }] of seriesOrigins(input, data, facts).entries()) {
      const first = (series * input.most + place) * entries.length;
      const { day, period } = periodAt(data, facts, observations - 1);
      const losses = entries.map((_, entry) => {
        const read = readLoss(numbers[first + entry]!);
        if (typeof read === 'number' || read === null) return read;
        if (read === undefined) throw new Error(`the origin ${period} of series ${series} was not scored`);
        if (!failed.has(entry)) failed.set(entry, { entry, series, origin: period, reason: read });
        return null;
      });
      origins.push({ series, period, day, losses });
    }
  }
  const disqualified = [...failed.values()].sort((one, other) => one.entry - other.entry);
  return { origins, disqualified };
}
