import type { Finding } from '../reconciliation/findings.ts';
import { isBlocking } from '../exceptions/exception-kinds.ts';
import type { ConfirmationState, JudgedOrder } from '../reconciliation/order-states.ts';
import type { SettlementFacts } from '../reconciliation/settlement-facts.ts';

/** The reasons why a batch cannot be closed, in the order in which they are reported. */
export const closingBlockerCodes = [
  'not_released',
  'pre_trade_controls_not_passed',
  'trade_confirmation_missing',
  'trade_confirmation_partial',
  'trade_confirmation_disputed',
  'custody_observation_missing',
  'settlement_incomplete',
  'settlement_outside_tolerance',
  'open_exceptions',
  'batch_cancelled',
] as const;
export type ClosingBlocker = (typeof closingBlockerCodes)[number];

type Evidence = {
  facts: Pick<SettlementFacts, 'isReleased' | 'controlsPassed'>;
  orders: readonly Pick<JudgedOrder, 'order' | 'quantity' | 'movements' | 'state'>[];
  live: readonly Pick<Finding, 'kind' | 'severity'>[];
  confirmation: ConfirmationState;
};

/**
 * Returns all reasons why a batch cannot be closed. A confirmation removes only the reasons that concern confirmations:
 * without custody evidence, a batch is never closed.
 */
export function closingBlockers({ facts, orders, live, confirmation }: Evidence): ClosingBlocker[] {
  const isObserved = orders.some(({ movements }) => movements.length > 0);
  const isWhole = orders.every(({ order, quantity }) => quantity >= order.quantity);
  const isSettled = orders.every(({ state }) => state === 'settled' || state === 'awaiting_confirmation');
  // If no movement was observed, the blocker `custody_observation_missing` states this. The exceptions for
  // individual missing observations are then left out.
  const open = live.filter(
    ({ kind, severity }) => isBlocking(severity) && (isObserved || kind !== 'missing_observation'),
  );
  const blocks: Record<ClosingBlocker, boolean> = {
    not_released: !facts.isReleased,
    pre_trade_controls_not_passed: !facts.controlsPassed,
    trade_confirmation_missing: confirmation === 'none',
    trade_confirmation_partial: confirmation === 'partial',
    trade_confirmation_disputed: confirmation === 'disputed',
    custody_observation_missing: !isObserved,
    settlement_incomplete: isObserved && !isWhole,
    settlement_outside_tolerance: isObserved && isWhole && !isSettled,
    open_exceptions: open.length > 0,
    batch_cancelled: false,
  };
  return closingBlockerCodes.filter((code) => blocks[code]);
}
