import { refuse, type Refusal } from '../language/codes.ts';
import type { SemanticQuery } from '../language/query.ts';
import { subtract } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Readers } from './readers.ts';

const RECORD = { kind: 'record' as const, name: 'catalogue' };

/** Evaluates questions about definitions, sources, methods, freshness, coverage and revisions. */
export async function describe(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const { op, measure = '', what } = query;
  const subject = query.of?.[0]?.key;
  const text = (value: string | undefined, unit = 'text'): Found | Refusal =>
    value === undefined
      ? refuse('missing_value')
      : { facts: [{ role: 'result', measure, unit, text: value, source: RECORD }], flags: [] };
  if (op === 'capabilities')
    return {
      facts: readers
        .domains()
        .map((each) => ({ role: 'result', measure: 'domains', unit: 'text', text: each, source: RECORD })),
      flags: [],
    };
  if (op === 'list') return metrics(subject!, readers);
  if (op === 'define')
    return what === 'unit' ? text(readers.measure(measure)?.unit) : text(await readers.definition(measure));
  if (what === 'source') return text(await readers.source(measure, subject));
  if (what === 'method') return text(await readers.method(measure));
  if (what === 'freshness') return text(await readers.freshness(measure), 'date');
  if (what === 'coverage') return coverage(query, subject, readers);
  return what === 'revisions' ? revisions(query, subject, readers) : refuse('not_understood');
}

async function metrics(company: string, readers: Readers): Promise<Found> {
  const entity = (await readers.entities('company')).find(({ key }) => key === company);
  const names = (entity?.attributes.metrics ?? '').split(' ').filter((name) => name !== '');
  return {
    facts: names.map((name) => ({
      role: 'result',
      measure: 'metric',
      unit: 'text',
      text: name,
      source: RECORD,
    })),
    flags: [],
  };
}

async function coverage(
  query: SemanticQuery,
  subject: string | undefined,
  readers: Readers,
): Promise<Found | Refusal> {
  const held = await readers.series(query.measure!, subject, query.as_of);
  if (held.length === 0) return refuse('metric_not_held');
  const shared = { measure: query.measure!, source: held[0]!.source };
  const periods = [...new Set(held.map(({ period }) => period))];
  const facts: FactDraft[] = [
    { ...shared, role: 'first', unit: 'period', text: periods[0]! },
    { ...shared, role: 'last', unit: 'period', text: periods.at(-1)! },
    { ...shared, role: 'result', unit: 'count', value: String(periods.length) },
  ];
  return { facts, flags: [] };
}

async function revisions(
  query: SemanticQuery,
  subject: string | undefined,
  readers: Readers,
): Promise<Found | Refusal> {
  const all = await readers.revisions(query.measure!, subject, query.period!.at!);
  if (all.length === 0) return refuse('missing_value');
  const unit = readers.measure(query.measure!)!.unit;
  const inputs = all.map((each): FactDraft => ({
    role: 'input',
    measure: query.measure!,
    unit,
    of: subject ?? null,
    period: each.period,
    value: each.value,
    currency: each.currency,
    source: each.source,
    known_at: each.knownAt,
    known_at_basis: each.isAssumed ? 'assumed' : 'observed',
  }));
  const result: FactDraft = {
    role: 'result',
    measure: query.measure!,
    unit,
    value: subtract(all.at(-1)!.value, all[0]!.value),
    currency: all[0]!.currency,
    source: { kind: 'computed', name: 'svc.qlm.grammar/1' },
    inputs: inputs.map((_, index) => `f${index + 1}`),
    formula: 'last - first',
  };
  return { facts: [...inputs, result], flags: [] };
}
