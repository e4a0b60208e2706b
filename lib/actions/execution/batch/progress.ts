import { canonicalHash } from '#lib/core/seal.ts';
import { wireMinor } from '#lib/core/money.ts';
import type { ClosingBlocker } from './closing.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import { severities, type Severity } from '../exceptions/exception-kinds.ts';
import type { ReadLine } from '../evidence/observed-lines.ts';
import { observationKey } from '../reconciliation/repeated-lines.ts';
import type { PairingState } from '../reconciliation/pairing.ts';
import { isAmountWithin, type Reconciliation } from '../reconciliation/reconcile.ts';
import type {
  ConfirmationState,
  CustodyState,
  JudgedOrder,
  OrderState,
} from '../reconciliation/order-states.ts';
import type { SettlementFacts } from '../reconciliation/settlement-facts.ts';
import { exact, isWithin, toleranceOf, type ToleranceRule } from '../reconciliation/tolerance.ts';
import { daysBetween } from '#lib/core/date.ts';

export const ENGINE_VERSION = 'custody-reconciliation/1';

export const lineOutcomes = [
  'matched',
  'matched_within_tolerance',
  'partial',
  'no_movement',
  'unmatched',
  'break',
] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

export const levelTwoFields = ['quantity', 'settlement_amount', 'settlement_date'] as const;

export type LevelTwo = {
  field: (typeof levelTwoFields)[number];
  rule: ToleranceRule;
  expected: string | null;
  observed: string;
  difference: string | null;
  /** Whether the value is within its tolerance; null while no expected value is known. */
  within: boolean | null;
};

export type KeptLine = {
  line_reference: string;
  order_uid: string | null;
  pairing: { level1: PairingState; keys: string[] };
  level2: LevelTwo[];
  outcome: LineOutcome;
};

export type KeptTotals = {
  currency: string;
  expected_minor: number;
  settled_minor: number;
  remaining_minor: number;
  accepted_difference_minor: number;
};

/** The reconciliation of an observation, as stored when the observation was recorded. */
export type KeptReconciliation = {
  uid: string;
  evaluated_at: string;
  engine_version: string;
  tolerance_profile: { uid: string | null; version: number; hash: string };
  outcome: LineOutcome;
  lines: KeptLine[];
  totals: KeptTotals[];
};

/** The progress of a batch after its last evidence or decision. */
export type Progress = {
  orders: Record<OrderState, number>;
  confirmation: ConfirmationState;
  custody: CustodyState;
  observations: number;
  last_observed_at: string | null;
  totals: KeptTotals[];
  exceptions: { open: number; highest_severity: Severity | null };
  closing_blockers: ClosingBlocker[];
};

export function progressOf(result: Reconciliation, facts: SettlementFacts): Progress {
  const seen = facts.observations.map(({ observedAt }) => observedAt);
  return {
    orders: countStates(result.orders),
    confirmation: result.confirmation,
    custody: result.custody,
    observations: facts.observations.length,
    last_observed_at: seen.reduce<string | null>((last, each) => (last && last > each ? last : each), null),
    totals: totalsOf(result),
    exceptions: {
      open: result.live.length,
      highest_severity:
        severities.findLast((each) => result.live.some(({ severity }) => severity === each)) ?? null,
    },
    closing_blockers: [...result.blockers],
  };
}

export function countStates(orders: readonly { state: OrderState }[]): Record<OrderState, number> {
  const none = { open: 0, partially_settled: 0, awaiting_confirmation: 0, settled: 0, break: 0 };
  return orders.reduce((counts, { state }) => ({ ...counts, [state]: counts[state] + 1 }), none);
}

export function totalsOf({ totals }: Reconciliation): KeptTotals[] {
  return totals.map(({ currency, expected, settled, remaining, acceptedDifference }) => ({
    currency,
    expected_minor: wireMinor(expected),
    settled_minor: wireMinor(settled),
    remaining_minor: wireMinor(remaining),
    accepted_difference_minor: wireMinor(acceptedDifference),
  }));
}

/**
 * Returns the lines of one observation, each with its order, its comparison with the order, and its outcome.
 * The outcome takes all evidence of the batch into account.
 */
export function linesOf(key: string, result: Reconciliation, facts: SettlementFacts): KeptLine[] {
  const byOrder = new Map(result.orders.map((judged) => [judged.order.uid, judged]));
  return result.lines
    .filter(({ from }) => observationKey(from) === key)
    .map((read) => {
      const { line, pairing, role } = read;
      const judged = pairing.order ? byOrder.get(pairing.order.uid) : undefined;
      return {
        line_reference: line.reference,
        order_uid: pairing.order?.uid ?? null,
        pairing: { level1: pairing.level1, keys: [...pairing.keys] },
        level2: judged && role === 'moves' ? levelTwoOf(read, judged, facts) : [],
        outcome: judged ? outcomeOf(read, judged, facts) : 'unmatched',
      };
    });
}

/** Returns the worst outcome among the lines. */
export function worstOf(lines: readonly KeptLine[]): LineOutcome {
  return lineOutcomes.findLast((outcome) => lines.some((line) => line.outcome === outcome)) ?? 'no_movement';
}

/** Returns the hash of the tolerances that apply without a stored profile. */
export function profileHash(entries: readonly unknown[]): string {
  return canonicalHash({ schema: 'tolerance-profile/1', entries });
}

function outcomeOf({ role, mismatches }: ReadLine, judged: JudgedOrder, facts: SettlementFacts): LineOutcome {
  if (mismatches.length) return 'break';
  if (role === 'apart') return 'unmatched';
  if (role !== 'moves') return 'no_movement';
  if (judged.state === 'break') return 'break';
  if (judged.state !== 'settled') return 'partial';
  const isOnTime = judged.movements.every(({ from }) => from.settlementDate === judged.order.settlementDate);
  const isExact = judged.acceptedDifference === 0n && isOnTime && isAmountWithin(judged, facts) !== false;
  return isExact ? 'matched' : 'matched_within_tolerance';
}

function levelTwoOf({ from }: ReadLine, judged: JudgedOrder, facts: SettlementFacts): LevelTwo[] {
  const { order, quantity, amount, amountMinor } = judged;
  const amountRule = toleranceOf(facts.tolerance, 'settlement_amount', order.currency);
  const dateRule = toleranceOf(facts.tolerance, 'settlement_date', order.currency);
  const days = daysBetween(order.settlementDate, from.settlementDate);
  return [
    {
      field: 'quantity',
      rule: exact.rule,
      expected: formatDecimal(order.quantity),
      observed: formatDecimal(quantity),
      difference: formatDecimal(quantity - order.quantity),
      within: quantity < order.quantity ? null : quantity === order.quantity,
    },
    {
      field: 'settlement_amount',
      rule: amountRule.rule,
      expected: amount && String(amount.expected),
      observed: String(amountMinor),
      difference: amount && String(amount.difference),
      within: isAmountWithin(judged, facts),
    },
    {
      field: 'settlement_date',
      rule: dateRule.rule,
      expected: order.settlementDate,
      observed: from.settlementDate,
      difference: String(days),
      within: isWithin(dateRule, 0n, BigInt(days)),
    },
  ];
}
