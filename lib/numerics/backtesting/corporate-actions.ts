import type { Account } from './account.ts';
import type { Market, MarketAction } from './market.ts';
import type { Terms } from './terms.ts';

/**
 * Applies a corporate action to a position and to the cash of the account, before the orders of the session.
 *
 * - A split multiplies the position and divides the last close. With whole shares, the fraction of a share is paid in
 *   cash, at the close of the session if it is known, else at the last close.
 * - A dividend pays cash for each share, less the withholding. A short position pays the dividend in full.
 * - An exit pays the last close less the loss, and closes the position without costs.
 */
export function applyAction(account: Account, action: MarketAction, market: Market, terms: Terms): void {
  const { symbol } = action;
  const { quantity, last } = account;
  if (action.type === 'split') {
    last[symbol] = last[symbol]! / action.ratio;
    quantity[symbol] = quantity[symbol]! * action.ratio;
    if (terms.wholeShares) payFraction(account, action, market);
  } else if (action.type === 'dividend') {
    const paid = quantity[symbol]! * action.amount;
    const withheld = paid > 0 ? paid * terms.dividendWithholding : 0;
    account.costs.withholding += withheld;
    account.dividends += paid - withheld;
    account.cash += paid - withheld;
  } else if (quantity[symbol] !== 0) {
    account.cash += quantity[symbol]! * last[symbol]! * (1 - action.loss);
    quantity[symbol] = 0;
  }
}

function payFraction(account: Account, { session, symbol }: MarketAction, market: Market): void {
  const held = account.quantity[symbol]!;
  const nearest = Math.round(held);
  // A product of a whole number and a ratio such as 0.1 may differ from a whole number by a rounding error.
  const whole = Math.abs(held - nearest) <= 1e-9 * Math.abs(held) ? nearest : Math.trunc(held);
  if (held === whole) return;
  const close = market.close[session * market.symbols + symbol]!;
  account.cash += (held - whole) * (close > 0 ? close : account.last[symbol]!);
  account.quantity[symbol] = whole;
}
