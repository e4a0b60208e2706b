import { accrue, mark, openAccount, valueAt, type Account } from './account.ts';
import { applyAction } from './corporate-actions.ts';
import type { Decide } from './decision.ts';
import { HOLDINGS_MAX, ORDERS_MAX, type Ledger, type Order } from './ledger.ts';
import type { Market } from './market.ts';
import type { Terms } from './terms.ts';
import { sizeOrders, trade, type Pending } from './trade.ts';

export type BacktestOptions = {
  /** Whether the ledger lists orders and holdings. */
  detail: boolean;
  /** Receives the share of the sessions that have been simulated. */
  progress?: (share: number) => void;
};

/** Sessions between two reports of progress. */
const REPORTED = 64;

/**
 * Simulates a portfolio session by session. In each session it accrues interest and borrow fees, applies corporate
 * actions, fills the orders of the decision made `lag` sessions earlier, values the positions at the close, and lets
 * the strategy decide. With a lag of 0, the orders of the decision are filled at once. Every order lives for one
 * session.
 *
 * If the value falls to 0 or below, the backtest ends there: the curve is 0 from this session on.
 *
 * Amounts are doubles in units of the currency. The result does not depend on the order of the symbols, except for
 * rounding errors of sums. Source of the accounting: P. Morissette, bt (a purchase spends exactly its amount, and a
 * sale raises exactly its amount, costs included).
 */
export function backtest(
  market: Market,
  terms: Terms,
  decide: Decide,
  { detail, progress }: BacktestOptions = { detail: true },
): Ledger {
  const { sessions, symbols } = market;
  const account = openAccount(terms, market);
  const ledger = openLedger(sessions);
  const pending: (Pending | null)[] = [];
  const weights = new Float64Array(symbols);
  let nextAction = 0;
  let held = 0;
  for (let session = 0; session < sessions; session += 1) {
    if (session > 0) accrue(account, terms, session);
    for (; market.actions[nextAction]?.session === session; nextAction += 1) {
      applyAction(account, market.actions[nextAction]!, market, terms);
    }
    const filled = account.filled;
    const log = detail && ledger.orders.length < ORDERS_MAX ? ledger.orders : null;
    const due = terms.lag > 0 ? pending[session - terms.lag] : null;
    if (due) fill(account, due, session, { market, terms, log });
    mark(account, market, session);
    const value = valueAt(account, market.close, session);
    if (!(value > 0)) {
      ledger.bankruptAt = session;
      break;
    }
    ledger.value[session] = value;
    weigh(account, value, weights);
    const targets = decide(session, {
      value,
      cash: account.cash,
      weights,
      curve: ledger.value.subarray(0, session + 1),
    });
    const decision = targets && decided(account, { targets: targets.slice(), session }, market, terms);
    if (terms.lag > 0) pending.push(decision);
    else if (decision) fill(account, decision, session, { market, terms, log });
    if (detail && account.filled > filled && held < HOLDINGS_MAX) {
      ledger.holdings.push({ session, quantity: account.quantity.slice() });
      held += account.quantity.reduce((sum, each) => sum + (each === 0 ? 0 : 1), 0);
    }
    record(ledger, account, session, weights);
    if (!(ledger.value[session]! > 0)) {
      ledger.bankruptAt = session;
      break;
    }
    if (progress && session % REPORTED === 0) progress(session / sessions);
  }
  if (ledger.bankruptAt !== null) clear(ledger, ledger.bankruptAt);
  const { costs, filled, traded, lapsed, capped, dividends, interest, quantity } = account;
  return { ...ledger, positions: quantity, costs, filled, traded, lapsed, capped, dividends, interest };
}

type OpenLedger = Pick<Ledger, 'value' | 'cash' | 'gross' | 'net' | 'orders' | 'holdings' | 'bankruptAt'>;

function openLedger(sessions: number): OpenLedger {
  return {
    value: new Float64Array(sessions),
    cash: new Float64Array(sessions),
    gross: new Float64Array(sessions),
    net: new Float64Array(sessions),
    orders: [],
    holdings: [],
    bankruptAt: null,
  };
}

/** Returns the orders of a decision. With `sizeAtDecision`, the quantities are fixed now, at the closing prices. */
function decided(
  account: Account,
  { targets, session }: { targets: Float64Array; session: number },
  market: Market,
  terms: Terms,
): Pending {
  const atClose = { ...market, trade: market.close };
  return {
    decided: session,
    targets,
    sized: terms.sizeAtDecision ? sizeOrders(account, { targets, session }, atClose, terms) : null,
  };
}

/**
 * Fills the orders of a decision. Quantities that were sized before a split are multiplied by the ratio of the split.
 */
function fill(
  account: Account,
  pending: Pending,
  session: number,
  parts: { market: Market; terms: Terms; log: Order[] | null },
): void {
  const { sized, decided: from } = pending;
  if (sized) {
    for (const action of parts.market.actions) {
      if (action.session > session) break;
      if (action.session <= from) continue;
      if (action.type === 'split') sized[action.symbol] = sized[action.symbol]! * action.ratio;
      else if (action.type === 'exit') sized[action.symbol] = 0;
    }
    if (parts.terms.wholeShares) {
      for (let symbol = 0; symbol < sized.length; symbol += 1) sized[symbol] = Math.trunc(sized[symbol]!);
    }
  }
  trade(account, pending, session, parts);
}

function weigh({ quantity, last }: Account, value: number, weights: Float64Array): void {
  for (let symbol = 0; symbol < weights.length; symbol += 1) {
    weights[symbol] = quantity[symbol] === 0 ? 0 : (quantity[symbol]! * last[symbol]!) / value;
  }
}

/** Records the portfolio at the close of a session, after the orders of the session. */
function record(ledger: OpenLedger, account: Account, session: number, weights: Float64Array): void {
  const { quantity, last, cash } = account;
  let value = cash;
  for (let symbol = 0; symbol < quantity.length; symbol += 1) {
    if (quantity[symbol] !== 0) value += quantity[symbol]! * last[symbol]!;
  }
  weigh(account, value, weights);
  let gross = 0;
  let net = 0;
  for (const weight of weights) {
    gross += Math.abs(weight);
    net += weight;
  }
  ledger.value[session] = value;
  ledger.cash[session] = cash;
  ledger.gross[session] = gross;
  ledger.net[session] = net;
}

/** Sets the curve to 0 from a session on. */
function clear(ledger: OpenLedger, from: number): void {
  for (const series of [ledger.value, ledger.cash, ledger.gross, ledger.net]) series.fill(0, from);
}
