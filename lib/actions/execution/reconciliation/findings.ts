import { daysBetween } from '#lib/core/date.ts';
import { isCovered, nextBusinessDay } from '../batch/calendar.ts';
import { causesOf, type SuggestedCause } from './causes.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import { exceptionKinds, type ExceptionKind, type Severity } from '../exceptions/exception-kinds.ts';
import { instrumentText } from '../batch/instrument.ts';
import type { ReadLine } from '../evidence/observed-lines.ts';
import { lineKey, observationKey } from './repeated-lines.ts';
import { sumOf, type OrderSettlement } from './settlement.ts';
import type { SettlementFacts } from './settlement-facts.ts';
import { isWithin, toleranceOf } from './tolerance.ts';

/**
 * A problem found by the current reconciliation. `key` names the subject, and `fingerprint` identifies the
 * exact values. A decision of a person applies only while the key and the fingerprint are unchanged.
 */
export type Finding = {
  key: string;
  fingerprint: string;
  kind: ExceptionKind;
  severity: Severity;
  orderUid: string | null;
  observationKey: string | null;
  lineReference: string | null;
  currency: string | null;
  amountMinor: bigint | null;
  explanation: string;
  causes: readonly SuggestedCause[];
};

type About = Partial<Omit<Finding, 'key' | 'fingerprint' | 'kind' | 'severity'>> & { explanation: string };

function find(kind: ExceptionKind, subject: string, fingerprint: readonly unknown[], about: About): Finding {
  return {
    key: `${kind}:${subject}`,
    fingerprint: fingerprint.map(String).join('|'),
    kind,
    severity: exceptionKinds[kind].severity,
    orderUid: null,
    observationKey: null,
    lineReference: null,
    currency: null,
    amountMinor: null,
    causes: [],
    ...about,
  };
}

/**
 * Returns the findings about single lines: a line that fits no order, a line that fits several orders, or a
 * line that contradicts the order it names.
 */
export function lineFindings(lines: readonly ReadLine[], facts: SettlementFacts): Finding[] {
  const found = lines
    .filter(({ from, isRepeated }) => !from.isEarly && !isRepeated)
    .flatMap(({ from, line, pairing, mismatches, isCountedElsewhere }) => {
      const subject = lineKey(from, line);
      const about = {
        observationKey: observationKey(from),
        lineReference: line.reference,
        currency: line.currency,
        amountMinor: line.amountMinor,
        orderUid: pairing.order?.uid ?? null,
      };
      const print = [formatDecimal(line.quantity), line.amountMinor, line.currency];
      if (pairing.level1 === 'ambiguous') {
        const explanation =
          'The line fits several orders of the batch, and states no order hash that selects one of them.';
        return [find('ambiguous_pairing', subject, print, { ...about, explanation })];
      }
      if (!pairing.order) {
        const explanation = 'The line fits no order of the batch.';
        return [find('unmatched_observation', subject, print, { ...about, explanation })];
      }
      if (isCountedElsewhere && !mismatches.length) {
        const explanation =
          'Another batch has already counted this movement, so this batch does not count the movement.';
        return [find('source_conflict', subject, print, { ...about, explanation })];
      }
      const { order } = pairing;
      const says: Record<(typeof mismatches)[number], string> = {
        instrument_mismatch: `The order is for ${instrumentText(order.instrument)}, but ${instrumentText(line.instrument ?? {})} was observed.`,
        side_mismatch: `The order is a ${order.side}, but a ${line.side} was observed.`,
        account_mismatch: 'The observed account differs from the account of the order.',
        currency_mismatch: `The order is in ${order.currency}, but ${line.currency} was observed.`,
      };
      return mismatches.map((kind) => find(kind, subject, print, { ...about, explanation: says[kind] }));
    });
  const repeated = Map.groupBy(
    lines.filter(({ isRepeated }) => isRepeated),
    ({ from }) => from,
  );
  const whole = facts.observations.flatMap((from) => {
    const key = observationKey(from);
    if (from.isEarly) {
      const explanation = 'The observation was made before the batch was released, so it settles no order.';
      return [find('early_observation', key, [from.contentHash], { observationKey: key, explanation })];
    }
    const again = repeated.get(from)?.map(({ line }) => line.reference) ?? [];
    if (!again.length) return [];
    const isWhole = again.length === from.lines.length;
    const explanation = isWhole
      ? 'Another observation has the same lines. This observation is not counted.'
      : `${again.length} of the lines have the same content as lines of another observation, and are not counted.`;
    const print = [from.contentHash, ...(isWhole ? [] : again.toSorted())];
    return [find('duplicate_observation', key, print, { observationKey: key, explanation })];
  });
  return [...found, ...whole];
}

/** Returns the findings about an order, from all of its observations together. */
export function orderFindings(
  settlement: OrderSettlement,
  own: readonly ReadLine[],
  facts: SettlementFacts,
): Finding[] {
  const { order, quantity, amountMinor, movements, amount, confirmed } = settlement;
  const about = { orderUid: order.uid, currency: order.currency };
  const rest = order.quantity - quantity;
  const findings: Finding[] = [];
  const add = (kind: ExceptionKind, subject: string, print: readonly unknown[], more: About) =>
    findings.push(find(kind, subject, print, { ...about, ...more }));
  if (rest < 0n) {
    const explanation = `The settled quantity exceeds the ordered ${formatDecimal(order.quantity)} by ${formatDecimal(-rest)}.`;
    add('quantity_over', order.hash, [rest, amountMinor, confirmed.quantity, confirmed.amountMinor], {
      explanation,
      causes: causesOf('quantity_over', settlement),
    });
  } else if (rest > 0n && movements.some(({ from }) => from.status === 'settled')) {
    const explanation = `${formatDecimal(rest)} of the ordered ${formatDecimal(order.quantity)} has not settled.`;
    add('quantity_short', order.hash, [rest], {
      explanation,
      causes: causesOf('quantity_short', settlement),
    });
  }
  if (amount && !isWithin(amountTolerance(facts, order.currency), amount.expected, amount.difference)) {
    const explanation = `${amountMinor} minor units were observed, but ${amount.expected} were confirmed.`;
    add('amount_difference', order.hash, [quantity, amount.expected, amountMinor], {
      explanation,
      amountMinor: amount.difference,
      causes: causesOf('amount_difference', settlement),
    });
  }
  const dateRule = toleranceOf(facts.tolerance, 'settlement_date', order.currency);
  for (const date of new Set(movements.map(({ from }) => from.settlementDate))) {
    if (isWithin(dateRule, 0n, daysApart(order.settlementDate, date))) continue;
    const kind = date < order.settlementDate ? 'date_early' : 'date_late';
    const explanation = `The order settled on ${date} instead of ${order.settlementDate}.`;
    add(kind, `${order.hash}@${date}`, [date], { explanation });
  }
  // A cancellation after a movement may cancel the movement itself or the rest of the order. Even a later
  // movement does not show which, so the exception is kept.
  const fails = own.filter(({ role }) => role === 'fails');
  const began = earliest(movements.map(({ from }) => from.observedAt));
  const reversals = fails.filter(({ from }) => from.status === 'cancelled' && began <= from.observedAt);
  if (reversals.length) {
    const explanation = `${formatDecimal(sumOf(reversals.map(({ line }) => line.quantity)))} was cancelled after a movement of the order. It is not known which part of the order is still valid.`;
    const said = reversals.map(({ from, line }) => `${from.observedAt}/${formatDecimal(line.quantity)}`);
    add('settlement_failed', `${order.hash}#cancelled`, [quantity, amountMinor, ...said.toSorted()], {
      explanation,
    });
  }
  const failures = reversals.length ? fails.filter(({ from }) => from.status === 'failed') : fails;
  const failed = latest(failures.map(({ from }) => from.observedAt));
  const moved = latest(movements.map(({ from }) => from.observedAt));
  if (failed !== '' && !(rest <= 0n && moved >= failed)) {
    const explanation = 'The custodian reports that the settlement failed or was cancelled.';
    add('settlement_failed', order.hash, [failed], { explanation });
  }
  if (rest > 0n && facts.isReleased && isMissing(order.settlementDate, facts)) {
    const by = `by one business day after ${order.settlementDate}`;
    const explanation =
      own.length === 0
        ? `No settlement of the order was observed ${by}.`
        : `${formatDecimal(rest)} of the ordered ${formatDecimal(order.quantity)} was not observed to settle ${by}.`;
    add('missing_observation', order.hash, [order.settlementDate, rest], { explanation });
  }
  return findings;
}

/**
 * Returns the findings about evidence that was refused because it contradicts the evidence under the same
 * reference.
 */
export function sourceFindings({ conflicts }: SettlementFacts): Finding[] {
  return conflicts.map(({ uid, about }) => {
    const explanation = `Another ${about} is stored under the same reference. This ${about} was refused.`;
    return find('source_conflict', uid, [about], { explanation });
  });
}

/** Returns the finding about a closed batch that no longer meets the conditions for closing. */
export function reopened(blocking: readonly Finding[]): Finding {
  const keys = blocking
    .map(({ key, fingerprint }) => `${key}=${fingerprint}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const explanation = 'With new evidence, the closed batch no longer meets the conditions for closing.';
  return find('post_close_contradiction', 'batch', keys, { explanation });
}

export function amountTolerance(facts: SettlementFacts, currency: string) {
  return toleranceOf(facts.tolerance, 'settlement_amount', currency);
}

function isMissing(settlementDate: string, { calendar, today }: SettlementFacts): boolean {
  return isCovered(calendar, settlementDate) && today >= nextBusinessDay(calendar, settlementDate);
}

/** Returns the earliest instant. For an empty list, returns a text that sorts after every instant. */
function earliest(instants: readonly string[]): string {
  return instants.reduce((first, each) => (each < first ? each : first), '~');
}

function latest(instants: readonly string[]): string {
  return instants.reduce((last, each) => (each > last ? each : last), '');
}

function daysApart(from: string, to: string): bigint {
  return BigInt(daysBetween(from, to));
}
