import { invalid, Problem, type Fault } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { metricLookup, presentKnowledge } from '#lib/forecasting/forecast-request.query.ts';
import { metricSource } from '#lib/forecasting/series/metric-name.ts';
import { planOf } from './rounds/live-plan.schema.ts';
import { pinnedDataset, resolveEntry, taskDataset } from './resolve-entries.query.ts';
import { strategyEntries } from './strategies/strategy-entries.query.ts';
import { forecastsPerOrigin, tournamentFaults } from './tournament-faults.ts';
import type { ResolvedEntry, TournamentInput } from './tournament-input.schema.ts';
import { TOURNAMENT_LIMITS } from './tournament-limits.ts';
import type { TournamentRequest } from './tournament-request.schema.ts';

/** Resolves a request: checks it, fills in every default, and pins the data that the run may read. */
export async function tournamentInput(em: Em, request: TournamentRequest, now: Date) {
  const faults = tournamentFaults(request);
  if (faults.length > 0) throw invalid(faults);
  const { task, origins = {} } = request;
  const { metrics, frequency } = await seriesMembers(em, request);
  const { dataset, entries, strategies } = await entryMembers(em, request, now);
  const ofLedger = metrics.some(({ metric }) => metricSource(metric).kind === 'ledger');
  const { at, revisions } = await presentKnowledge(em, { now, ofLedger });
  const series = Math.max(1, metrics.length);
  const isDataset = task.kind === 'dataset';
  const input: TournamentInput = {
    name: request.name ?? null,
    task: task.kind,
    metrics,
    dataset: isDataset ? pinnedDataset(dataset!, task.target, entries) : null,
    ...(strategies && { strategies }),
    frequency,
    as_of: at.toISOString(),
    entries,
    baseline: request.baseline ?? 'auto',
    first: origins.first ?? null,
    step: origins.step ?? 1,
    most: origins.most ?? mostOrigins(series * forecastsPerOrigin(entries)),
    window: request.window ?? 'expanding',
    refit_every: request.refit_every ?? 1,
    horizon: request.horizon,
    horizons: isDataset ? 'last' : strategies ? 'all' : (request.horizons ?? 'all'),
    loss: request.loss ?? (strategies ? 'sharpe' : series > 1 ? 'scaled' : 'absolute'),
    level: request.level ?? 0.9,
    resamples: request.resamples ?? TOURNAMENT_LIMITS.resamples.default,
    seed: request.seed ?? 0,
    ...(request.live && { live: planOf(request.live) }),
  };
  return { input, datasetRevisions: strategies ? await currentRevisions(em) : revisions };
}

/** Returns the largest number of origins that the limit of forecasts allows. */
function mostOrigins(forecastsOfOrigin: number): number {
  const { origins, forecasts } = TOURNAMENT_LIMITS;
  return Math.max(1, Math.min(origins, Math.floor(forecasts / forecastsOfOrigin)));
}

async function seriesMembers(
  em: Em,
  { task }: TournamentRequest,
): Promise<Pick<TournamentInput, 'metrics' | 'frequency'>> {
  if (task.kind !== 'series') return { metrics: [], frequency: null };
  const lookUp = metricLookup(em);
  const faults: Fault[] = [];
  for (const [at, { metric, company_id: company }] of task.metrics.entries()) {
    const checked = await lookUp(metric, company ?? null);
    if (checked.ok) continue;
    const { code, detail: message } = checked.fault;
    const pointer = `/task/metrics/${at}/${code === 'unknown_metric' ? 'metric' : 'company_id'}`;
    faults.push({ pointer, in: 'body', code, message });
    if (code === 'unknown_metric' || code === 'unknown_company')
      throw new Problem(code, message, { errors: faults });
  }
  if (faults.length > 0) throw invalid(faults);
  return {
    metrics: task.metrics.map(({ metric, company_id: company }) => ({ metric, company_id: company ?? null })),
    frequency: task.frequency ?? null,
  };
}

type EntryMembers = {
  dataset: NumericDataset | null;
  entries: ResolvedEntry[];
  strategies?: TournamentInput['strategies'];
};

async function entryMembers(em: Em, request: TournamentRequest, now: Date): Promise<EntryMembers> {
  const { task, entries: requested } = request;
  if (task.kind === 'strategies')
    return { dataset: null, ...(await strategyEntries(em, { task, entries: requested }, now)) };
  const found = request.task.kind === 'dataset' ? await taskDataset(em, request.task) : null;
  if (found && !found.ok) throw invalid([found.fault]);
  const dataset = found?.value ?? null;
  const entries: ResolvedEntry[] = [];
  const faults: Fault[] = [];
  for (const [at, entry] of requested.entries()) {
    if ('strategy' in entry) throw new Error('a strategy is entered in a task of another kind');
    const resolved = await resolveEntry(em, entry, { request, dataset, at });
    if (resolved.ok) entries.push(resolved.value);
    else faults.push(resolved.fault);
  }
  if (faults.length > 0) throw invalid(faults);
  return { dataset, entries };
}
