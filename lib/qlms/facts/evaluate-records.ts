import { asked } from '#lib/core/asked.ts';
import type { Refusal } from '../language/codes.ts';
import type { SemanticQuery, Where } from '../language/query.ts';
import { add, compare } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Readers, StoredRecord } from './readers.ts';

/** Evaluates counts, lists, sums and fields of records. */
export async function evaluateRecords(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const [noun = ''] = query.measure!.split('.');
  const found = (await readers.records(noun)).filter((record) =>
    (query.where ?? []).every((where) => holds(record, where)),
  );
  const shared = { role: 'result' as const, measure: query.measure! };
  const source = (name: string): FactDraft['source'] => ({ kind: 'record', name });
  if (query.op === 'aggregate') {
    const currencies = [...new Set(found.map(({ amount }) => amount!.currency))].sort();
    const facts = currencies.map((currency) => ({
      ...shared,
      unit: 'money',
      currency,
      of: currency,
      value: found
        .filter(({ amount }) => amount!.currency === currency)
        .map(({ amount }) => amount!.value)
        .reduce(add),
      source: source(noun),
    }));
    return { facts, flags: [] };
  }
  if (query.op === 'count') return { facts: counts(found, query, source(noun)), flags: [] };
  if (query.op === 'explain' || query.what !== undefined)
    return { facts: found.flatMap((record) => fieldOf(record, query)), flags: [] };
  const isAmount = noun === 'transaction';
  const facts = found.map((record): FactDraft => {
    const name = { ...shared, source: source(record.label) };
    return isAmount
      ? {
          ...name,
          unit: 'money',
          value: record.amount!.value,
          currency: record.amount!.currency,
          of: record.label,
        }
      : { ...name, unit: 'text', text: record.label };
  });
  return { facts, flags: [] };
}

function counts(
  found: readonly StoredRecord[],
  query: SemanticQuery,
  source: FactDraft['source'],
): FactDraft[] {
  const shared = { role: 'result' as const, measure: query.measure!, unit: 'count', source };
  if (query.by === undefined) return [{ ...shared, value: String(found.length) }];
  const groups = [...new Set(found.map(({ fields }) => fields[query.by!] ?? ''))].sort();
  return groups.map((of) => ({
    ...shared,
    of,
    value: String(found.filter(({ fields }) => (fields[query.by!] ?? '') === of).length),
  }));
}

function fieldOf(record: StoredRecord, query: SemanticQuery): FactDraft[] {
  const value = record.fields[query.what!];
  if (value === null || value === undefined) return [];
  const shared = {
    role: 'result' as const,
    measure: query.measure!,
    of: record.label,
    source: { kind: 'record' as const, name: record.label },
  };
  const declared = asked[query.measure!]?.fields[query.what!];
  if (declared?.reads === 'count') return [{ ...shared, unit: 'count', value }];
  if (declared) return [{ ...shared, unit: declared.reads === 'day' ? 'date' : 'text', text: value }];
  const isMoney = query.what!.startsWith('per_');
  if (isMoney) return [{ ...shared, unit: 'money', value, currency: record.fields.currency ?? null }];
  return [{ ...shared, unit: query.what === 'valid_until' ? 'date' : 'text', text: value }];
}

function holds({ fields }: StoredRecord, { field, op, value }: Where): boolean {
  const own = fields[field];
  if (own === null || own === undefined) return false;
  if (op === 'eq') return own === String(value);
  if (op === 'between')
    return (
      own.slice(0, 10) >= (value as readonly string[])[0]! &&
      own.slice(0, 10) <= (value as readonly string[])[1]!
    );
  const bound = String(value);
  const sign = /^\d{4}-/.test(own)
    ? own.slice(0, 10) < bound
      ? -1
      : own.slice(0, 10) > bound
        ? 1
        : 0
    : compareNumbers(own, bound);
  return op === 'gt' ? sign > 0 : op === 'gte' ? sign >= 0 : op === 'lt' ? sign < 0 : sign <= 0;
}

/** Compares a stored decimal with a bound. A text that is not a number is below every bound. */
function compareNumbers(own: string, bound: string): number {
  const isDecimal = /^-?\d+(\.\d+)?$/;
  return isDecimal.test(own) && isDecimal.test(bound) ? compare(own, bound) : -1;
}
