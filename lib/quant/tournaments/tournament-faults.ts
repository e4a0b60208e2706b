import type { Fault } from '#lib/core/problem.ts';
import { ROUND_LIMITS } from './rounds/live-plan.schema.ts';
import { strategyFaults } from './strategies/strategies-faults.ts';
import { COMBINATION_FORECASTS, TOURNAMENT_LIMITS } from './tournament-limits.ts';
import { baselinesOf, type RequestedEntry, type TournamentRequest } from './tournament-request.schema.ts';

type Located = Pick<Fault, 'pointer' | 'code' | 'message'>;

/** Returns the name of an entry: the name in the request, or else its method, family, model or dataset. */
export function nameOf(entry: RequestedEntry): string {
  if (entry.name !== undefined) return entry.name;
  if ('combination' in entry) return 'combination';
  if ('statistical' in entry) return entry.statistical;
  if ('fit' in entry) return entry.fit.family;
  if ('model' in entry) return entry.model;
  return 'predictions' in entry ? `predictions.${entry.predictions}` : entry.name;
}

/** Returns the faults of a request that need no data. */
export function tournamentFaults(request: TournamentRequest): Fault[] {
  const { task, entries } = request;
  const metrics = task.kind === 'series' ? task.metrics : [];
  const located: Located[] = [
    ...repeated(
      metrics.map(({ metric, company_id: company }) => `${metric} ${company ?? ''}`),
      (at) => ({ pointer: `/task/metrics/${at}`, message: 'names a metric that the task has already' }),
    ),
    ...repeated(
      entries.map(({ name: _, ...entry }) => JSON.stringify(entry)),
      (at) => ({ pointer: `/entries/${at}`, message: 'is the same as an earlier entry' }),
    ),
    ...repeated(entries.map(nameOf), (at) => ({
      pointer: `/entries/${at}/name`,
      message: `is the name of an earlier entry: ${nameOf(entries[at]!)}`,
    })),
    ...entries.flatMap((entry, at) => entryFaults(request, entry, `/entries/${at}`)),
    ...strategyFaults(request),
    ...baselineFaults(request),
    ...sizeFaults(request),
    ...liveFaults(request),
  ];
  return located.map((fault) => ({ ...fault, in: 'body' }));
}

/** Returns the number of forecasts at an origin, including a baseline that may be added. */
export function forecastsPerOrigin(entries: readonly object[]): number {
  let total = 1;
  for (const entry of entries) total += isCombination(entry) ? COMBINATION_FORECASTS : 1;
  return total;
}

function isCombination(entry: object): boolean {
  return 'combination' in entry || ('kind' in entry && entry.kind === 'combination');
}

function entryFaults(
  { task, horizon, horizons }: TournamentRequest,
  entry: RequestedEntry,
  pointer: string,
): Located[] {
  const code = 'not_applicable';
  if (task.kind === 'strategies') return [];
  for (const kind of ['fit', 'model'] as const)
    if (kind in entry && task.kind !== 'dataset')
      return [{ pointer: `${pointer}/${kind}`, code, message: 'needs a dataset task' }];
  if (!('predictions' in entry) || task.kind === 'dataset') return [];
  if (task.metrics.length === 1 && (horizon === 1 || horizons === 'last')) return [];
  const message = 'needs a single series, and a horizon of 1 or `horizons: last`';
  return [{ pointer: `${pointer}/predictions`, code, message }];
}

function baselineFaults({ task, baseline = 'auto' }: TournamentRequest): Located[] {
  const allowed: readonly string[] = baselinesOf[task.kind];
  if (allowed.includes(baseline)) return [];
  const message = `must be one of ${allowed.join(', ')} for this task`;
  return [{ pointer: '/baseline', code: 'not_applicable', message }];
}

function sizeFaults({ task, entries, origins }: TournamentRequest): Located[] {
  const series = task.kind === 'series' ? task.metrics.length : 1;
  const forecasts = series * (origins?.most ?? 1) * forecastsPerOrigin(entries);
  if (forecasts <= TOURNAMENT_LIMITS.forecasts) return [];
  const message = `gives ${forecasts} forecasts; at most ${TOURNAMENT_LIMITS.forecasts} are allowed`;
  return [{ pointer: '/origins/most', code: 'maximum', message }];
}

function liveFaults({ task, entries, live }: TournamentRequest): Located[] {
  if (!live) return [];
  if (task.kind !== 'series')
    return [{ pointer: '/live', code: 'not_applicable', message: 'needs a task of the kind `series`' }];
  const { series, entries: most } = ROUND_LIMITS;
  const code = 'maximum';
  if (task.metrics.length > series)
    return [{ pointer: '/task/metrics', code, message: `at most ${series} metrics with live rounds` }];
  if (entries.length <= most) return [];
  return [{ pointer: '/entries', code, message: `at most ${most} entries with live rounds` }];
}

function repeated(keys: readonly string[], faultAt: (at: number) => Omit<Located, 'code'>): Located[] {
  const known = new Set<string>();
  return keys.flatMap((key, at) => {
    const isKnown = known.has(key);
    known.add(key);
    return isKnown ? [{ ...faultAt(at), code: 'duplicate' }] : [];
  });
}
