import type { Part } from '#lib/core/run.ts';
import { strategyParts } from './strategies/strategy-curves.ts';
import { forecastsPerOrigin } from './tournament-faults.ts';
import type { TournamentInput } from './tournament-input.schema.ts';

/** Minimum number of forecasts of a tournament that is divided among workers. */
const DIVIDED_FORECASTS = 400;
/** Approximate number of forecasts in a part. */
const PART_FORECASTS = 1_000;
/** The number of parts is a multiple of this number, so that 2 and 4 workers have equal shares. */
const SHARES = 4;
const PARTS_MAX = 256;

/** Returns the number of samples: origins times series. A dataset is one series. */
export function samplesOf({ metrics, most }: TournamentInput): number {
  return Math.max(1, metrics.length) * most;
}

/**
 * Returns the parts of a tournament, or null for a tournament that is not divided. A sample is an origin of a series:
 * sample i is origin i mod `most` of series floor(i / `most`). A series with fewer origins has empty samples at its
 * end.
 */
export function tournamentParts(input: TournamentInput): Part[] | null {
  if (input.task === 'strategies') return strategyParts(input);
  const samples = samplesOf(input);
  const forecasts = samples * forecastsPerOrigin(input.entries);
  if (forecasts < DIVIDED_FORECASTS) return null;
  const wanted = SHARES * Math.ceil(forecasts / (SHARES * PART_FORECASTS));
  const count = Math.ceil(samples / Math.min(wanted, PARTS_MAX));
  return Array.from({ length: Math.ceil(samples / count) }, (_, at) => ({
    round: 0,
    first: at * count,
    count: Math.min(count, samples - at * count),
  }));
}
