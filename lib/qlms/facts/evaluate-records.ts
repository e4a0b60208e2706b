import { refuse, type Refusal } from '../language/codes.ts';
import type { SemanticQuery, Where } from '../language/query.ts';
import { fieldsOf, isFigure } from '../language/record-nouns.ts';
import { add, compare } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Entity, Readers, StoredRecord } from './readers.ts';

/** Evaluates counts, lists, sums, rankings and fields of records. */
export async function evaluateRecords(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const [noun = '', field = ''] = query.measure!.split('.');
  if (isFigure(noun, field)) return evaluateFigures(query, { noun, field }, readers);
  const where = query.where ?? [];
  const all = await readers.records(noun);
  const found = all.filter((record) => where.every((each) => holds(record, each)));
  const isInOther = (record: StoredRecord): boolean =>
    where.every((each) => each.field === 'currency' || holds(record, each));
  // The named record has another currency than the question.
  if (found.length === 0 && where.some(({ field: own }) => own === 'label') && all.some(isInOther))
    return refuse('currency_conversion');
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
  if (query.op === 'rank') return ranked(found, query);
  if (query.op === 'count') return { facts: counts(found, query, source(noun)), flags: [] };
  if (query.op === 'explain' || query.what !== undefined) {
    const parties = await partiesOf(query, readers);
    return { facts: found.flatMap((record) => fieldOf(record, query, query.what!, parties)), flags: [] };
  }
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

/**
 * Evaluates a figure that a reader computes: one fact for each record and currency, or a ranking. Amounts of different
 * currencies are never added.
 */
async function evaluateFigures(
  query: SemanticQuery,
  { noun, field }: { noun: string; field: string },
  readers: Readers,
): Promise<Found | Refusal> {
  const where = query.where ?? [];
  const isOfFields = where.some((each) => each.field !== 'label');
  const all = isOfFields ? await readers.records(noun) : namedRecords(await readers.entities(noun));
  const labels = all.filter((record) => where.every((each) => holds(record, each))).map(({ label }) => label);
  const found = await readers.figures(noun, { field, labels, asOf: query.as_of });
  // Of a portfolio without a figure, the others would not be the whole answer.
  if (labels.some((label) => !found.some((each) => each.label === label))) return refuse('missing_value');
  const records = found.map(({ label, value, currency }) => ({
    label,
    fields: { [field]: value, currency },
  }));
  if (query.op === 'rank') return ranked(records, query);
  return { facts: records.flatMap((record) => fieldOf(record, query, field)), flags: [] };
}

function namedRecords(entities: readonly Entity[]): StoredRecord[] {
  return entities.map(({ key }) => ({ label: key, fields: {} }));
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

/**
 * Ranks records by a field. Amounts in two currencies are not ranked. Records without a value of the field are left out;
 * records with equal values are ordered by their reference.
 */
function ranked(found: readonly StoredRecord[], query: SemanticQuery): Found | Refusal {
  const [noun = '', field = ''] = query.measure!.split('.');
  const { reads } = fieldsOf(noun)[field]!;
  const { order, limit = 10, nth } = query;
  const held = found.filter(({ fields }) => fields[field] != null);
  const currencies = new Set(held.map(({ fields }) => fields['currency'] ?? null));
  if (reads === 'money' && currencies.size > 1)
    return refuse('currencies_mixed', { nearest: [...currencies].flatMap((each) => each ?? []).sort() });
  const sign = order === 'asc' || order === 'earliest' ? 1 : -1;
  const sorted = held.toSorted((one, other) => {
    const [a, b] = [one.fields[field]!, other.fields[field]!];
    const size = reads === 'day' ? Number(a > b) - Number(a < b) : compareNumbers(a, b);
    return sign * size || (one.label < other.label ? -1 : 1);
  });
  const chosen = nth === undefined ? sorted.slice(0, limit) : sorted.slice(nth - 1, nth);
  return { facts: chosen.flatMap((record) => fieldOf(record, query, field)), flags: [] };
}

function fieldOf(
  record: StoredRecord,
  { measure }: SemanticQuery,
  field: string,
  parties?: ReadonlyMap<string, string>,
): FactDraft[] {
  const [noun = ''] = measure!.split('.');
  const value = record.fields[field];
  if (value === null || value === undefined) return [];
  const shared = {
    role: 'result' as const,
    measure: measure!,
    of: record.label,
    source: { kind: 'record' as const, name: record.label },
  };
  const reads = fieldsOf(noun)[field]?.reads ?? 'text';
  if (reads === 'count') return [{ ...shared, unit: 'count', value }];
  if (reads === 'money')
    return [{ ...shared, unit: 'money', value, currency: record.fields['currency'] ?? null }];
  const text = reads === 'party' ? (parties?.get(value) ?? value) : value;
  return [{ ...shared, unit: reads === 'day' ? 'date' : 'text', text }];
}

/** Returns the names of the counterparties, if the requested field is a counterparty. */
async function partiesOf({ what }: SemanticQuery, readers: Readers): Promise<Map<string, string>> {
  if (what !== 'counterparty') return new Map();
  return new Map((await readers.entities('counterparty')).map(({ key, label }) => [key, label]));
}

function holds({ label, fields }: StoredRecord, { field, op, value }: Where): boolean {
  const own = field === 'label' ? label : fields[field];
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
