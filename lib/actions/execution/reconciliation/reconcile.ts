import { type ConfirmationState, type CustodyState, type JudgedOrder } from './order-states.ts';
import {
  amountTolerance,
  lineFindings,
  orderFindings,
  reopened,
  sourceFindings,
  type Finding,
} from './findings.ts';
import type { BatchState } from '../batch/batch-states.ts';
import { closingBlockers, type ClosingBlocker } from '../batch/closing.ts';
import { isBlocking } from '../exceptions/exception-kinds.ts';
import { readLines, type ReadLine } from '../evidence/observed-lines.ts';
import { settleOrder, sumOf, type OrderSettlement } from './settlement.ts';
import type { SettlementFacts } from './settlement-facts.ts';
import { isWithin } from './tolerance.ts';

export type CurrencyTotals = {
  currency: string;
  expected: bigint;
  settled: bigint;
  remaining: bigint;
  acceptedDifference: bigint;
};

export type Reconciliation = {
  /** The state of a released batch. An unreleased batch keeps its state. */
  state: BatchState;
  orders: readonly JudgedOrder[];
  lines: readonly ReadLine[];
  /** All findings. `live` are the findings that no person has decided. */
  findings: readonly Finding[];
  live: readonly Finding[];
  confirmation: ConfirmationState;
  custody: CustodyState;
  totals: readonly CurrencyTotals[];
  blockers: readonly ClosingBlocker[];
};

/**
 * Reconciles a batch from all of its evidence. The result depends neither on the order in which the
 * observations arrived nor on how the lines were split between observations. The same evidence therefore
 * always leads to the same state.
 */
export function reconcile(facts: SettlementFacts): Reconciliation {
  const lines = readLines(facts);
  const linesOf = Map.groupBy(lines, ({ pairing }) => pairing.order?.hash);
  const confirmationsOf = Map.groupBy(facts.confirmations, ({ orderHash }) => orderHash);
  const byOrder = facts.orders.map((order) => {
    const own = linesOf.get(order.hash) ?? [];
    const moved = own.filter(({ role }) => role === 'moves').map(({ line, from }) => ({ line, from }));
    const each = settleOrder(order, moved, confirmationsOf.get(order.hash) ?? []);
    return { each, found: orderFindings(each, own, facts) };
  });
  const settled = byOrder.map(({ each }) => each);
  const found = [
    ...lineFindings(lines, facts),
    ...byOrder.flatMap((each) => each.found),
    ...sourceFindings(facts),
  ];
  const decided = new Map(facts.decided.map((each) => [`${each.key}=${each.fingerprint}`, each.state]));
  const decisionOf = ({ key, fingerprint }: Finding) => decided.get(`${key}=${fingerprint}`);
  const orders = byOrder.map(({ each, found: own }) =>
    judge(each, own, (one) => decisionOf(one) !== undefined),
  );
  const open = found.filter((each) => decisionOf(each) === undefined);
  const confirmation = confirmationOf(settled, open);
  const custody = custodyOf(orders, open);
  const blockers = closingBlockers({ facts, orders, live: open, confirmation });
  const isReopened = facts.wasClosed && blockers.length > 0;
  const contradiction = isReopened ? [reopened(open.filter(({ severity }) => isBlocking(severity)))] : [];
  const live = [...open, ...contradiction.filter((each) => decisionOf(each) === undefined)];
  return {
    state: stateOf({ blockers, live, orders, confirmation, wasClosed: facts.wasClosed }),
    orders,
    lines,
    findings: [...found, ...contradiction],
    live,
    confirmation,
    custody,
    totals: totalsOf(orders),
    blockers,
  };
}

/**
 * Returns the state of an order. An order is settled when its full quantity has settled for the confirmed
 * amount, or for an amount that is within tolerance or was waived.
 */
function judge(
  settlement: OrderSettlement,
  findings: readonly Finding[],
  isDecided: (finding: Finding) => boolean,
): JudgedOrder {
  const { order, quantity, movements, amount } = settlement;
  const open = findings.filter(
    (each) => !isDecided(each) && !['missing_observation', 'quantity_short'].includes(each.kind),
  );
  const isWhole = quantity >= order.quantity;
  const state = open.length
    ? 'break'
    : movements.length === 0
      ? 'open'
      : !isWhole
        ? 'partially_settled'
        : amount !== null
          ? 'settled'
          : 'awaiting_confirmation';
  return { ...settlement, state, acceptedDifference: state === 'settled' ? amount!.difference : 0n };
}

function confirmationOf(orders: readonly OrderSettlement[], open: readonly Finding[]): ConfirmationState {
  const isDisputed = ({ kind, fingerprint }: Finding) =>
    kind === 'source_conflict' && fingerprint === 'trade confirmation';
  if (open.some(isDisputed)) return 'disputed';
  if (orders.every(({ order, confirmed }) => confirmed.quantity === order.quantity)) return 'confirmed';
  return orders.some(({ confirmed }) => confirmed.quantity > 0n) ? 'partial' : 'none';
}

function custodyOf(orders: readonly JudgedOrder[], open: readonly Finding[]): CustodyState {
  const isOff = ({ kind, severity }: Finding) =>
    isBlocking(severity) && kind !== 'missing_observation' && kind !== 'source_conflict';
  if (open.some(isOff)) return 'break';
  if (orders.every(({ order, quantity }) => quantity >= order.quantity)) return 'settled';
  return orders.some(({ quantity }) => quantity > 0n) ? 'partial' : 'none';
}

type StateFacts = {
  blockers: readonly ClosingBlocker[];
  live: readonly Finding[];
  orders: readonly JudgedOrder[];
  confirmation: ConfirmationState;
  wasClosed: boolean;
};

function stateOf({ blockers, live, orders, confirmation, wasClosed }: StateFacts): BatchState {
  if (blockers.length === 0) return 'closed';
  if (wasClosed || live.some(({ severity }) => isBlocking(severity))) return 'exception';
  if (orders.every(({ order, quantity }) => quantity >= order.quantity)) return 'settled';
  if (orders.some(({ quantity }) => quantity > 0n)) return 'partially_settled';
  if (confirmation === 'confirmed') return 'confirmed';
  return confirmation === 'none' ? 'released' : 'executing';
}

/**
 * Returns the confirmed, the settled and the remaining amount per currency. Amounts of buys and sells are
 * added without a sign.
 */
function totalsOf(orders: readonly JudgedOrder[]): CurrencyTotals[] {
  const currencies = [...new Set(orders.map(({ order }) => order.currency))].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  return currencies.map((currency) => {
    const own = orders.filter(({ order }) => order.currency === currency);
    const expected = sumOf(own.map(({ confirmed }) => confirmed.amountMinor));
    const settled = sumOf(own.map(({ amountMinor }) => amountMinor));
    const acceptedDifference = sumOf(own.map((each) => each.acceptedDifference));
    return {
      currency,
      expected,
      settled,
      remaining: expected - settled + acceptedDifference,
      acceptedDifference,
    };
  });
}

/**
 * Whether the amount of an order is within its tolerance, regardless of any decision; null if the expected
 * amount is not known.
 */
export function isAmountWithin(settlement: OrderSettlement, facts: SettlementFacts): boolean | null {
  const { amount, order } = settlement;
  return amount && isWithin(amountTolerance(facts, order.currency), amount.expected, amount.difference);
}
