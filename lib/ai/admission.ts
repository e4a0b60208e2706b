import type { Budget } from './tariff.write.ts';
import type { TokenPrice } from './usage.ts';

export const callRefusals = [
  'connection_unknown',
  'connection_revoked',
  'model_not_allowed',
  'messages_too_long',
  'model_unpriced',
  'budget_exhausted',
] as const;
export type CallRefusal = (typeof callRefusals)[number];

export type CallFacts = {
  connection: { state: 'active' | 'revoked'; models: readonly string[] } | undefined;
  model: string;
  isTooLong: boolean;
  price: TokenPrice | undefined;
  budget: Budget | undefined;
  /**
   * The spending in the budget's currency. It includes the highest possible cost of calls that are in progress or whose
   * cost was never reported.
   */
  spentMicro: { day: bigint; month: bigint };
  /** The highest possible cost of this call; null without a price. */
  boundMicro: bigint | null;
};

/**
 * Decides whether a call may be made. With a budget, a call needs a price in the budget's currency, and the remaining
 * budget must cover the highest possible cost of the call. A budget is never exceeded, even by concurrent calls.
 */
export function decideCall(facts: CallFacts): { ok: true } | { ok: false; code: CallRefusal } {
  const refused = (code: CallRefusal) => ({ ok: false, code }) as const;
  const { connection, model, price, budget, spentMicro, boundMicro } = facts;
  if (!connection) return refused('connection_unknown');
  if (connection.state !== 'active') return refused('connection_revoked');
  if (!connection.models.includes(model)) return refused('model_not_allowed');
  if (facts.isTooLong) return refused('messages_too_long');
  if (!budget || (budget.dailyMicro === null && budget.monthlyMicro === null)) return { ok: true };
  if (!price || boundMicro === null || price.currency !== budget.currency) return refused('model_unpriced');
  const isAbove = (limit: bigint | null, spent: bigint) => limit !== null && spent + boundMicro > limit;
  if (isAbove(budget.dailyMicro, spentMicro.day) || isAbove(budget.monthlyMicro, spentMicro.month)) {
    return refused('budget_exhausted');
  }
  return { ok: true };
}
