import { refuse, type Refusal } from '../language/codes.ts';
import type { SemanticQuery, Shock } from '../language/query.ts';
import { ordered } from './evaluate-market.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Readers, StoredRun } from './readers.ts';

async function runOf(query: SemanticQuery, readers: Readers): Promise<StoredRun | undefined> {
  const { kind, as_of_date: asOf, select } = query.run!;
  const runs = await readers.runs(kind);
  if (select === 'latest') return runs.at(-1);
  return runs.findLast((run) => (asOf === undefined ? run.label === select : run.asOf === asOf));
}

/** Evaluates a query about one sealed run: each fact names the run and the pointer into the result of the run. */
export async function evaluateRun(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const run = await runOf(query, readers);
  if (!run) return refuse('not_in_coverage');
  const [domain, name = ''] = query.measure!.split('.');
  const key = query.of?.[0]?.key;
  const read = (pointer: string, more: Partial<FactDraft> = {}): Promise<FactDraft | undefined> =>
    factAt(run.label, pointer, { query, readers, more });
  if (query.what === 'seal') return told(await read('/seal/hash'));
  if (domain === 'factor_run') {
    if (name === 'taxonomy_version') return told(await read('/result/taxonomy/version'));
    const symbols = await readers.runKeys(run.label, '/result/symbols', '');
    const fact: FactDraft = {
      role: 'result',
      measure: query.measure!,
      unit: 'count',
      value: String(symbols.length),
      source: { kind: 'run', name: run.label, pointer: '/result/symbols' },
    };
    return { facts: [fact], flags: [] };
  }
  if (domain === 'factor' && query.op === 'rank') {
    const themes = await readers.runKeys(run.label, '/result/factors', 'theme');
    const rows = await Promise.all(
      themes.map((theme) => read(`/result/factors[theme=${theme}]/stats/${name}`, { of: theme })),
    );
    return {
      facts: ordered(
        query,
        rows.flatMap((row) => (row && typeof row.number === 'number' ? [row] : [])),
      ),
      flags: [],
    };
  }
  if (domain === 'factor')
    return told(await read(`/result/factors[theme=${key}]/stats/${name}`, { of: key ?? null }));
  if (name === 'plausibility') return told(await read('/result/plausibility/0/tail_probability'));
  const level = query.where?.find(({ field }) => field === 'level')?.value;
  if (level !== undefined)
    return told(await read(`/result/equal_weight/risk[level=${String(level)}]/${name}`));
  return told(await read(`/result/factors[factor=${key}]/statistics/${name}`, { of: key ?? null }));
}

function told(...facts: (FactDraft | undefined)[]): Found | Refusal {
  const held = facts.flatMap((fact) => fact ?? []);
  return held.length < facts.length ? refuse('missing_value') : { facts: held, flags: [] };
}

type With = { query: SemanticQuery; readers: Readers; more?: Partial<FactDraft> };

async function factAt(
  run: string,
  pointer: string,
  { query, readers, more }: With,
): Promise<FactDraft | undefined> {
  const value = await readers.runValue(run, pointer);
  if (value === undefined) return undefined;
  const figure = typeof value === 'number' ? { number: value } : { text: value };
  return {
    role: 'result',
    measure: query.measure!,
    unit: typeof value === 'number' ? 'number' : 'text',
    ...figure,
    source: { kind: 'run', name: run, pointer },
    ...more,
  };
}

/** Evaluates a query about a sealed forecast. */
export async function evaluateForecast(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const metric = String(query.where!.find(({ field }) => field === 'metric')!.value);
  const subject = query.of?.[0]?.key;
  const run = (await readers.runs('planning.forecasts')).findLast(
    (each) => each.metric === metric && each.subject === subject,
  );
  if (!run) return refuse('no_sealed_forecast');
  const periods = await readers.runKeys(run.label, '/result/periods', '');
  const measure = readers.measure(metric) ?? readers.measure(`metric.${metric}`);
  const read = (pointer: string, more: Partial<FactDraft>): Promise<FactDraft | undefined> =>
    factAt(run.label, pointer, { query, readers, more });
  if (query.what === 'horizon_end')
    return told(await read(`/result/periods/${periods.length - 1}`, { unit: 'period' }));
  if (query.what === 'backtest') return told(await read('/result/backtest/combination/mase', {}));
  const at = query.period!.at!;
  const index = periods.indexOf(at);
  const currency = (await readers.runValue(run.label, '/result/currency')) as string | undefined;
  const more = {
    unit: measure?.unit ?? 'number',
    period: at,
    of: subject ?? null,
    currency: currency ?? null,
  };
  const level = query.where!.find(({ field }) => field === 'level')?.value;
  if (level === undefined) return told(await read(`/result/points/${index}`, more));
  const path = `/result/intervals[level=${String(level)}]`;
  return told(await read(`${path}/lower/${index}`, more), await read(`${path}/upper/${index}`, more));
}

/** Evaluates a query for the bound model. */
export async function evaluateModel(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const source = { kind: 'model' as const, name: 'bound_model' };
  const shared = { role: 'result' as const, measure: query.measure!, unit: 'number' };
  if (query.measure === 'regime.probability') {
    const state = await readers.regimes();
    if (!state) return refuse('metric_not_held');
    const facts = state.probabilities.map((number, index): FactDraft => ({
      ...shared,
      number,
      of: String(index),
      period: state.month,
      source: { ...source, pointer: `/filtered/${index}` },
    }));
    return { facts, flags: [] };
  }
  const shock = query.where!.find(({ field }) => field === 'shock')!.value as Shock;
  const regime = String(query.where!.find(({ field }) => field === 'regime')!.value);
  const factor = query.of![0]!.key;
  const number = await readers.conditionalMean(factor, regime, shock);
  if (number === undefined) return refuse('entity_not_in_model');
  return {
    facts: [{ ...shared, number, of: factor, source: { ...source, pointer: `/mean/${factor}` } }],
    flags: [],
  };
}
