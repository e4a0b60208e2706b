import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { parseDecimal } from '#lib/numerics/decimal.ts';
import { refuse, type Refusal } from '../language/codes.ts';
import type { QueryPeriod, SemanticQuery, Where } from '../language/query.ts';
import { add, compare, decimalOf, hundredfold, subtract } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Observation, Readers } from './readers.ts';
import { endOf, periodsOf, yearsBetween } from './windows.ts';

type Series = { query: SemanticQuery; held: readonly Observation[]; unit: string; of: string | null };

/** Evaluates a query over one series, or over one period of two. */
export async function evaluateSeries(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const { op, of = [] } = query;
  if (op === 'compare' || query.by === 'entity') return sides(query, readers);
  const series = await seriesOf(query, query.measure!, of[0]?.key, readers);
  if ('outcome' in series) return series;
  if (op === 'value') return one(series, query.period!);
  if (op === 'change') return change(series);
  const window = windowOf(series, query.period!);
  if (window.held.length === 0) return refuse('missing_value');
  if (op === 'aggregate') return aggregate(series, window);
  if (op === 'trend') return trend(series, window);
  if (op === 'count') return count(series, window);
  if (op === 'rank') return rank(series, window);
  return refuse('not_understood');
}

async function seriesOf(
  query: SemanticQuery,
  key: string,
  subject: string | undefined,
  readers: Readers,
): Promise<Series | Refusal> {
  const measure = readers.measure(key);
  if (!measure) return refuse('unknown_metric');
  const all = await readers.series(key, subject, query.as_of);
  const held = query.unit === undefined ? all : all.filter(({ currency }) => currency === query.unit);
  if (held.length === 0) return refuse(query.as_of === undefined ? 'metric_not_held' : 'not_known_yet');
  return { query, held, unit: measure.unit, of: subject ?? null };
}

function at({ held }: Series, { at: name }: QueryPeriod): Observation | undefined {
  return name === 'latest' ? held.at(-1) : held.find(({ period }) => period === name);
}

function factOf({ query, unit, of }: Series, observation: Observation, role: FactDraft['role']): FactDraft {
  return {
    role,
    measure: query.measure!,
    unit,
    of,
    period: observation.period,
    value: observation.value,
    currency: observation.currency,
    source: observation.source,
    known_at: observation.knownAt,
    known_at_basis: observation.isAssumed ? 'assumed' : 'observed',
  };
}

function flagsOf(query: SemanticQuery, used: readonly Observation[]): string[] {
  return query.as_of !== undefined && used.some(({ isAssumed }) => isAssumed) ? ['known_at_assumed'] : [];
}

function one(series: Series, period: QueryPeriod): Found | Refusal {
  const observation = at(series, period);
  if (!observation) return refuse('missing_value');
  return { facts: [factOf(series, observation, 'result')], flags: flagsOf(series.query, [observation]) };
}

const COMPUTED = { kind: 'computed' as const, name: 'svc.qlm.grammar/1' };

function change(series: Series): Found | Refusal {
  const { query, unit, of } = series;
  const [end, base] = [at(series, query.period!), at(series, query.baseline!.period!)];
  if (!end || !base) return refuse('missing_value');
  const figure = changeOf(query, { end, base, unit });
  if ('outcome' in figure) return figure;
  const result: FactDraft = {
    role: 'result',
    measure: query.measure!,
    of,
    source: COMPUTED,
    inputs: ['f1', 'f2'],
    currency: end.currency,
    ...figure,
  };
  const shown = query.as === undefined ? result : { ...result, currency: null };
  return {
    facts: [factOf(series, end, 'input'), factOf(series, base, 'input'), shown],
    flags: flagsOf(query, [end, base]),
  };
}

type Sides = { end: Observation; base: Observation; unit: string };
type Figure = Pick<FactDraft, 'unit'> & Partial<FactDraft>;

/** Returns the figure of a change in its form. Percentages need a base of the same sign that is not 0. */
export function changeOf({ as }: SemanticQuery, { end, base, unit }: Sides): Figure | Refusal {
  const difference = subtract(end.value, base.value);
  if (as === undefined) return { unit, value: difference, formula: 'end - base' };
  if (as === 'points') return { unit: 'percentage points', value: difference, formula: 'end - base' };
  if (as === 'basis_points')
    return { unit: 'basis points', value: scaled(difference), formula: '100 (end - base)' };
  const [a, b] = [parseDecimal(end.value), parseDecimal(base.value)];
  if (b === 0 || (as !== 'ratio' && a < 0 !== b < 0 && a !== 0)) return refuse('base_not_comparable');
  if (as === 'ratio') return { unit: 'times', number: a / b, formula: 'end / base' };
  if (as === 'percent')
    return { unit: 'percent', number: (a / b - 1) * 100, formula: '(end / base - 1) 100' };
  const years = yearsBetween(base.period, end.period);
  if (!(years > 0) || a / b <= 0) return refuse('base_not_comparable');
  return {
    unit: 'percent per year',
    number: (exp(ln(a / b) / years) - 1) * 100,
    formula: '((end / base)^(1 / years) - 1) 100',
  };
}

/** Multiplies by 100 and keeps two digits, the form of basis points. */
function scaled(difference: string): string {
  return subtract(add(hundredfold(difference), '0.00'), '0.00');
}

async function sides(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const { of = [], baseline } = query;
  const asked =
    baseline?.measure === undefined
      ? of.map(({ key }) => [query.measure!, key] as const)
      : ([
          [query.measure!, of[0]?.key],
          [baseline.measure, of[0]?.key],
        ] as const);
  const facts: FactDraft[] = [];
  const used: Observation[] = [];
  for (const [key, subject] of asked) {
    const series = await seriesOf(query, key, subject, readers);
    if ('outcome' in series) return series;
    const observation = at(series, query.period!);
    if (!observation) return refuse('missing_value');
    used.push(observation);
    facts.push({ ...factOf(series, observation, 'input'), measure: key });
  }
  const [end, base] = used;
  if (new Set(used.map(({ currency }) => currency)).size > 1) return refuse('currencies_mixed');
  const unit = facts[0]!.unit;
  const shared = {
    role: 'result' as const,
    measure: query.measure!,
    source: COMPUTED,
    inputs: facts.map((_, index) => `f${index + 1}`),
  };
  const flags = flagsOf(query, used);
  if (query.op === 'aggregate') {
    const total = used.map(({ value }) => value).reduce(add);
    return {
      facts: [
        ...facts,
        { ...shared, unit, value: total, currency: end!.currency, entities: used.length, formula: 'sum' },
      ],
      flags,
    };
  }
  const figure = changeOf(query, { end: end!, base: base!, unit });
  if ('outcome' in figure) return figure;
  return {
    facts: [...facts, { ...shared, ...figure, currency: query.as === undefined ? end!.currency : null }],
    flags,
  };
}

type Window = { held: readonly Observation[]; expected: number };

function windowOf({ held }: Series, { from, to, last }: QueryPeriod): Window {
  if (last !== undefined) return { held: held.slice(-last), expected: last };
  const newest = held.at(-1)!.period;
  const inside = held.filter(
    ({ period }) => endOf(period) >= endOf(from!) && (to === undefined || endOf(period) <= endOf(to)),
  );
  return { held: inside, expected: periodsOf(from!, to ?? newest).length };
}

function gaps({ held, expected }: Window): string[] {
  return held.length < expected ? ['gaps'] : [];
}

function aggregate(series: Series, window: Window): Found | Refusal {
  const { query, unit, of } = series;
  const { held } = window;
  const shared = {
    role: 'result' as const,
    measure: query.measure!,
    unit,
    of,
    periods: held.length,
    currency: held[0]!.currency,
    formula: query.agg!,
  };
  const flags = [...flagsOf(query, held), ...gaps(window)];
  if (query.agg === 'min' || query.agg === 'max') {
    const found = held.reduce((best, each) =>
      compare(each.value, best.value) > 0 === (query.agg === 'max') && compare(each.value, best.value) !== 0
        ? each
        : best,
    );
    return {
      facts: [
        {
          ...shared,
          value: found.value,
          period: found.period,
          source: found.source,
          known_at: found.knownAt,
        },
      ],
      flags,
    };
  }
  return {
    facts: [
      {
        ...shared,
        source: COMPUTED,
        ...combine(
          query.agg!,
          held.map(({ value }) => value),
        ),
      },
    ],
    flags,
  };
}

/** Combines values: sums and odd medians stay decimals, means and even medians are doubles. */
export function combine(agg: string, values: readonly string[]): { value: string } | { number: number } {
  if (agg === 'sum') return { value: values.reduce(add) };
  if (agg === 'min' || agg === 'max')
    return {
      value: values.reduce((best, each) => (compare(each, best) > 0 === (agg === 'max') ? each : best)),
    };
  if (agg === 'mean')
    return { number: values.map(parseDecimal).reduce((sum, each) => sum + each, 0) / values.length };
  const sorted = [...values].sort(compare);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return { value: sorted[Math.floor(middle)]! };
  return { number: (parseDecimal(sorted[middle - 1]!) + parseDecimal(sorted[middle]!)) / 2 };
}

function trend(series: Series, window: Window): Found {
  const { query, unit, of } = series;
  const { held } = window;
  const [first, last] = [held[0]!, held.at(-1)!];
  const steps = held.slice(1).map((each, index) => compare(each.value, held[index]!.value));
  const difference = subtract(last.value, first.value);
  const sign = compare(difference, '0');
  const result: FactDraft = {
    role: 'result',
    measure: query.measure!,
    unit,
    of,
    value: difference,
    currency: last.currency,
    source: COMPUTED,
    inputs: ['f1', 'f2'],
    formula: 'last - first',
    rises: steps.filter((step) => step > 0).length,
    falls: steps.filter((step) => step < 0).length,
    direction: sign > 0 ? 'rose' : sign < 0 ? 'fell' : 'unchanged',
  };
  return {
    facts: [factOf(series, first, 'first'), factOf(series, last, 'last'), result],
    flags: [...flagsOf(query, held), ...gaps(window)],
  };
}

function matching({ held }: Window, where: readonly Where[] = []): Observation[] {
  return held.filter(({ value }) => where.every((each) => holdsFor(value, each)));
}

/** Whether a decimal satisfies a condition on the value. */
export function holdsFor(value: string, { op, value: bound }: Where): boolean {
  const sign = compare(value, decimalOf(Number(bound)));
  if (op === 'gt') return sign > 0;
  if (op === 'gte') return sign >= 0;
  if (op === 'lt') return sign < 0;
  return op === 'lte' ? sign <= 0 : sign === 0;
}

function count(series: Series, window: Window): Found {
  const { query, of } = series;
  const found = matching(window, query.where);
  const fact: FactDraft = {
    role: 'result',
    measure: query.measure!,
    unit: 'count',
    of,
    value: String(found.length),
    source: COMPUTED,
    periods: window.held.length,
    formula: 'count',
  };
  return { facts: [fact], flags: [...flagsOf(query, window.held), ...gaps(window)] };
}

function rank(series: Series, window: Window): Found | Refusal {
  const { order, limit = 10, nth, where } = series.query;
  const found = matching(window, where);
  const byTime = order === 'earliest' || order === 'latest';
  const sorted = byTime
    ? order === 'latest'
      ? found.reverse()
      : found
    : [...found].sort(
        (one, other) =>
          (order === 'asc' ? 1 : -1) * compare(one.value, other.value) ||
          (one.period < other.period ? -1 : 1),
      );
  const chosen = nth === undefined ? sorted.slice(0, limit) : sorted.slice(nth - 1, nth);
  if (chosen.length === 0) return refuse('missing_value');
  return {
    facts: chosen.map((each) => factOf(series, each, 'result')),
    flags: [...flagsOf(series.query, window.held), ...gaps(window)],
  };
}
