import type { Finding } from '../reconciliation/findings.ts';
import { isBlocking } from '../exceptions/exception-kinds.ts';
import type { ConfirmationState, JudgedOrder } from '../reconciliation/reconcile.ts';
import type { SettlementFacts } from '../reconciliation/settlement-facts.ts';

/** What keeps a batch from closing, in the order in which it is told. */
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

/** All that is missing. A confirmation takes only its own blockers away: without custody nothing ever closes. */
export function closingBlockers({ facts, orders, live, confirmation }: Evidence): ClosingBlocker[] {
  const isObserved = orders.some(({ movements }) => movements.length > 0);
  const isWhole = orders.every(({ order, quantity }) => quantity >= order.quantity);
  const isSettled = orders.every(({ state }) => state === 'settled' || state === 'awaiting_confirmation');
  // That nothing was observed is said already.
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
