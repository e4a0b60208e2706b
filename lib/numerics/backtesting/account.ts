import type { Costs } from './ledger.ts';
import type { Market } from './market.ts';
import type { Terms } from './terms.ts';

/** The state of a backtest between two steps. */
export type Account = {
  cash: number;
  /** Shares of each symbol; negative for short positions. */
  quantity: Float64Array;
  /** The last known close of each symbol, adjusted for later splits. NaN before the first close. */
  last: Float64Array;
  costs: Costs;
  dividends: number;
  interest: number;
  filled: number;
  traded: number;
  lapsed: number;
  capped: number;
};

/** Returns an account that holds only the initial cash. */
export function openAccount(
  { initial }: Pick<Terms, 'initial'>,
  { symbols }: Pick<Market, 'symbols'>,
): Account {
  return {
    cash: initial,
    quantity: new Float64Array(symbols),
    last: new Float64Array(symbols).fill(Number.NaN),
    costs: { commission: 0, spread: 0, impact: 0, tax: 0, borrow: 0, withholding: 0 },
    dividends: 0,
    interest: 0,
    filled: 0,
    traded: 0,
    lapsed: 0,
    capped: 0,
  };
}

/** Returns cash plus the value of all positions, at the price of the session if it is known, else at the last close. */
export function valueAt({ cash, quantity, last }: Account, prices: Float64Array, session: number): number {
  const symbols = quantity.length;
  let value = cash;
  for (let symbol = 0; symbol < symbols; symbol += 1) {
    const held = quantity[symbol]!;
    if (held === 0) continue;
    const price = prices[session * symbols + symbol]!;
    value += held * (price > 0 ? price : last[symbol]!);
  }
  return value;
}

/** Records the closes of a session as the last known prices. */
export function mark({ last }: Account, { close, symbols }: Market, session: number): void {
  for (let symbol = 0; symbol < symbols; symbol += 1) {
    const price = close[session * symbols + symbol]!;
    if (price > 0) last[symbol] = price;
  }
}

/**
 * Adds the interest on the cash of the previous session, and subtracts the borrow fee on the short positions.
 */
export function accrue(account: Account, terms: Terms, session: number): void {
  const earned = account.cash * terms.cashRate[session]!;
  account.interest += earned;
  account.cash += earned;
  if (terms.borrow === 0) return;
  let short = 0;
  for (let symbol = 0; symbol < account.quantity.length; symbol += 1) {
    if (account.quantity[symbol]! < 0) short -= account.quantity[symbol]! * account.last[symbol]!;
  }
  const fee = (short * terms.borrow) / terms.sessionsPerYear;
  account.costs.borrow += fee;
  account.cash -= fee;
}
