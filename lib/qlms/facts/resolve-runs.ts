import { readPeriod } from '#lib/data/period.ts';
import { askBack, refuse } from '../language/codes.ts';
import type { QueryDraft, RunAsked } from '../language/draft.ts';
import type { RunChoice, SemanticQuery } from '../language/query.ts';
import type { Clock, Readers, StoredRun } from './readers.ts';
import type { Planned } from './resolve-series.ts';
import { resolveSubject, isOutcome, type Outcome } from './resolve-subject.ts';
import { endOf, fitOf, isOlder, nameAt } from './windows.ts';

/** Resolves a question about a sealed factor or scenario run. If several runs fit, returns a clarification. */
export async function resolveRun(draft: QueryDraft, readers: Readers): Promise<Planned | Outcome> {
  const asked = draft.run as RunAsked;
  const runs = await readers.runs(asked.kind);
  if (runs.length === 0) return refuse('metric_not_held');
  const chosen = chooseRun(asked, runs);
  if ('outcome' in chosen) return chosen;
  const { run, choice } = chosen;
  const [mention] = draft.mentions ?? [];
  if (mention) {
    const path =
      asked.kind === 'generative.scenarios' ? ['/result/factors', 'factor'] : ['/result/factors', 'theme'];
    const keys = await readers.runKeys(run.label, path[0]!, path[1]!);
    if (!keys.includes(mention[0]!.key)) return refuse('entity_not_in_model', { nearest: keys });
  }
  const { op, measures, where, order, limit, nth, what } = draft;
  const query: SemanticQuery = {
    op,
    measure: measures![0]!,
    ...(mention ? { of: [mention[0]!] } : {}),
    ...(where ? { where } : {}),
    ...(order ? { order } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(nth === undefined ? {} : { nth }),
    ...(what === undefined ? {} : { what }),
    run: choice,
  };
  return { query, assumptions: [], flags: [] };
}

function chooseRun(
  asked: RunAsked,
  runs: readonly StoredRun[],
): { run: StoredRun; choice: RunChoice } | Outcome {
  const { kind, when } = asked;
  if (asked.isLatest === true) return { run: runs.at(-1)!, choice: { kind, select: 'latest' } };
  if (when?.kind === 'ambiguous') return askBack('ambiguous_date', when.days);
  const fits = runs.filter((run) => holds(run, asked));
  const named = fits
    .map((run) => (run.asOf === undefined ? run.label : `${run.label} as of ${run.asOf}`))
    .sort();
  if (fits.length === 0)
    return kind === 'generative.scenarios'
      ? refuse('metric_not_held')
      : refuse('not_in_coverage', { nearest: runs.flatMap(({ asOf }) => asOf ?? []) });
  if (fits.length > 1) return askBack('ambiguous_run', named);
  const [run] = fits;
  const choice =
    kind === 'generative.scenarios' || run!.asOf === undefined
      ? { kind, select: run!.label }
      : { kind, as_of_date: run!.asOf };
  return { run: run!, choice };
}

function holds(run: StoredRun, { when, regime, seed, shock }: RunAsked): boolean {
  if (regime !== undefined && run.regime !== regime) return false;
  if (seed !== undefined && run.seed !== seed) return false;
  if (
    shock &&
    !(run.shocks ?? []).some(
      (each) => each.factor === shock.factor && each.value === shock.value && each.unit === shock.unit,
    )
  )
    return false;
  if (when === undefined) return true;
  return (
    when.kind === 'stretch' &&
    run.asOf !== undefined &&
    (when.grain === 'day' ? run.asOf === when.from : when.from <= run.asOf && run.asOf <= when.to)
  );
}

/** Resolves a question about a sealed forecast. */
export async function resolveForecast(draft: QueryDraft, readers: Readers): Promise<Planned | Outcome> {
  const metric = String(draft.where!.find(({ field }) => field === 'metric')!.value);
  const measure = readers.measure(metric) ?? readers.measure(`metric.${metric}`);
  const runs = (await readers.runs('planning.forecasts')).filter((run) => run.metric === metric);
  if (!measure || runs.length === 0) return refuse('no_sealed_forecast');
  const subject = await resolveSubject({ ...draft, measures: [measure.key] }, readers);
  if (isOutcome(subject)) return subject;
  const run = runs.findLast((each) => each.subject === subject.one?.key);
  if (!run) return refuse('no_sealed_forecast');
  const base: SemanticQuery = {
    op: draft.op,
    measure: draft.measures![0]!,
    ...(subject.one ? { of: [subject.one] } : {}),
    where: draft.where!,
  };
  if (draft.op === 'explain') return { query: { ...base, what: draft.what! }, assumptions: [], flags: [] };
  const level = draft.where!.find(({ field }) => field === 'level')?.value;
  const levels = await readers.runKeys(run.label, '/result/intervals', 'level');
  if (level !== undefined && !levels.includes(String(level)))
    return refuse('level_not_in_run', { nearest: levels });
  const when = draft.when;
  const periods = await readers.runKeys(run.label, '/result/periods', '');
  const last = periods.at(-1)!;
  if (when === undefined) return askBack('ambiguous_date', periods.slice(0, 8));
  if (when.kind === 'ambiguous') return askBack('ambiguous_date', when.days);
  const stretch = when.kind === 'stretch' ? when : when.kind === 'future' ? when.stretch : undefined;
  if (!stretch) return refuse('not_understood');
  const name = nameAt(readPeriod(last)!.frequency, stretch.to);
  if (stretch.from > endOf(last)) return refuse('beyond_horizon', { nearest: [last] });
  if (fitOf(stretch, measure.native) === 'finer') return refuse('period_finer_than_series');
  if (fitOf(stretch, measure.native) === 'longer' && stretch.isEnd !== true)
    return askBack(
      'ambiguous_aggregation',
      periods.filter((each) => endOf(each) >= stretch.from && endOf(each) <= stretch.to).slice(0, 12),
    );
  if (!periods.includes(name))
    return endOf(name) > endOf(last)
      ? refuse('beyond_horizon', { nearest: [last] })
      : refuse('not_in_coverage', { nearest: [periods[0]!] });
  return { query: { ...base, period: { at: name } }, assumptions: [], flags: [] };
}

/** Resolves a question for the bound model: its regimes, and means under a shock. */
export async function resolveModel(
  draft: QueryDraft,
  readers: Readers,
  clock: Clock,
): Promise<Planned | Outcome> {
  const [measure] = draft.measures!;
  const state = await readers.regimes();
  if (!state) return refuse('metric_not_held');
  if (draft.op === 'explain')
    return { query: { op: 'explain', measure: measure!, what: draft.what! }, assumptions: [], flags: [] };
  if (measure === 'regime.probability') {
    const isStale = isOlder(state.month, clock.staleAfterDays.monthly!, clock.today);
    if (draft.when?.kind === 'now' && isStale) return refuse('stale', { nearest: [state.month] });
    if (draft.when && draft.when.kind !== 'latest' && draft.when.kind !== 'now')
      return refuse('not_in_coverage', { nearest: [state.month] });
    return {
      query: { op: 'value', measure: measure!, period: { at: 'latest' } },
      assumptions: [],
      flags: isStale ? ['stale'] : [],
    };
  }
  const factors = await readers.modelFactors();
  const [mention] = draft.mentions ?? [];
  const shock = draft.where!.find(({ field }) => field === 'shock')?.value as { factor: string };
  for (const key of [mention![0]!.key, shock.factor])
    if (!factors.includes(key)) return refuse('entity_not_in_model', { nearest: factors });
  return {
    query: {
      op: 'value',
      measure: measure!,
      of: [{ type: 'factor', key: mention![0]!.key }],
      where: draft.where!,
    },
    assumptions: [],
    flags: [],
  };
}
