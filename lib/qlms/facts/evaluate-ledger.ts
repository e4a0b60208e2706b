import { firstDayOfMonth } from '#lib/core/date.ts';
import { readPeriod } from '#lib/data/period.ts';
import { refuse, type Refusal } from '../language/codes.ts';
import type { SemanticQuery } from '../language/query.ts';
import { add, subtract } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Clock, Readers, StoredRecord } from './readers.ts';
import { endOf, nameAt, periodsOf } from './windows.ts';

/**
 * Evaluates a balance at the end of a day, or the flows of whole months or days, one figure for each currency. Flows
 * without a last period run to the day or the month that contains the day of the question.
 */
export async function evaluateLedger(
  query: SemanticQuery,
  readers: Readers,
  clock: Clock,
): Promise<Found | Refusal> {
  const account = query.of?.find(({ type }) => type === 'account')?.key;
  const currency = query.of?.find(({ type }) => type === 'currency')?.key;
  const posted = (await readers.records('transaction')).filter(
    ({ fields, amount }) =>
      fields.status === 'posted' &&
      (account === undefined || fields.account === account) &&
      (currency === undefined || amount!.currency === currency),
  );
  const currencies = [...new Set(posted.map(({ amount }) => amount!.currency))].sort();
  const { at, from, to } = query.period!;
  const isBalance = query.measure === 'ledger.balance';
  const newest = query.as_of ?? clock.today;
  const day = at === 'latest' || at === undefined ? newest : at;
  const first = posted.map(({ fields }) => fields.booked_at!).sort()[0];
  if (first === undefined) return refuse('metric_not_held');
  const start = isBalance ? undefined : startOf(from!);
  const last = isBalance ? day : (to ?? nameAt(readPeriod(from!)!.frequency, newest));
  const end = endOf(last);
  if (start !== undefined && end < start) return refuse('not_in_coverage', { nearest: [last] });
  if (end < first || (start !== undefined && start.slice(0, 7) < first.slice(0, 7)))
    return refuse('not_in_coverage', { nearest: [first.slice(0, isBalance ? 10 : 7)] });
  const facts = currencies.map((code): FactDraft => {
    const rows = posted.filter(
      ({ fields, amount }) =>
        amount!.currency === code &&
        fields.booked_at! <= end &&
        (start === undefined || fields.booked_at! >= start),
    );
    return {
      role: 'result',
      measure: query.measure!,
      unit: 'money',
      currency: code,
      of: code,
      value: total(rows, query.measure!),
      period: isBalance ? day : null,
      source: { kind: 'record', name: 'ledger' },
      ...(isBalance ? {} : { periods: periodsOf(from!, last).length }),
    };
  });
  return { facts, flags: [] };
}

/** Returns the first day of a month or of a day. */
function startOf(name: string): string {
  return name.length === 7 ? firstDayOfMonth(name) : name;
}

function total(rows: readonly StoredRecord[], measure: string): string {
  const sum = (direction: string): string =>
    rows
      .filter(({ fields }) => fields.direction === direction)
      .map(({ amount }) => amount!.value)
      .reduce(add, '0.00');
  if (measure === 'ledger.inflow') return sum('credit');
  if (measure === 'ledger.outflow') return sum('debit');
  return subtract(sum('credit'), sum('debit'));
}
