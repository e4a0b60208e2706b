import { parseDecimal } from '#lib/numerics/decimal.ts';
import { refuse, type Refusal } from '../language/codes.ts';
import type { QueryPeriod, Where } from '../language/query.ts';
import { add, compare, decimalOf, subtract } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Observation } from './readers.ts';
import { COMPUTED, factOf, flagsOf, type Series } from './series-facts.ts';
import { endOf, periodsOf } from './windows.ts';

/** The observations of a window, and how many periods it has. */
export type Window = { held: readonly Observation[]; expected: number };

/** Returns the observations of the window of a query. */
export function windowOf({ held }: Series, { from, to, last }: QueryPeriod): Window {
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

/** Evaluates an aggregate of a window. */
export function aggregate(series: Series, window: Window): Found | Refusal {
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

/**
 * Combines values. Sums, minimums, maximums and medians of an odd number of values stay decimals. Means and medians of
 * an even number of values are doubles.
 */
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

/** Evaluates the trend of a window. */
export function trend(series: Series, window: Window): Found {
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

/** Evaluates a count of the periods of a window. */
export function count(series: Series, window: Window): Found {
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

/** Evaluates a ranking of the periods of a window. */
export function rank(series: Series, window: Window): Found | Refusal {
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
