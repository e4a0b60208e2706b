import { compareText } from '#lib/core/compare-text.ts';
import { divideHalfEven } from '#lib/core/decimal.ts';
import { faultOfMembers } from './event-fault.ts';
import { amountOf } from './event-amount.ts';
import type { EventType, PortfolioEvent } from './portfolio-event.ts';
import { overrideOf, replay, type Replayed, type ReplayInput, type Split } from './replay.ts';

/** A position: number of shares of a symbol in a portfolio, times 10^8. */
export type Position = { portfolio: string; symbol: string; quantity: bigint };

/** Cash of a portfolio in one currency, in minor units; below 0 for a debit balance. */
export type Cash = { portfolio: string; currency: string; amountMinor: bigint };

export type Positions = { positions: Position[]; cash: Cash[] };

/** The sign with which the gross amount changes the cash; 0 if the amount is not paid in cash. */
const cashSigns: Readonly<Record<EventType, bigint>> = {
  buy: -1n,
  sell: 1n,
  transfer_in: 0n,
  transfer_out: 0n,
  dividend: 1n,
  reinvest: 0n,
  interest: 1n,
  fee: -1n,
  deposit: 1n,
  withdraw: -1n,
  return_of_capital: 1n,
  split_override: 0n,
};

const shareSigns: Partial<Record<EventType, bigint>> = {
  buy: 1n,
  sell: -1n,
  transfer_in: 1n,
  transfer_out: -1n,
  reinvest: 1n,
};

/**
 * Returns the shares and the cash of each portfolio by trade date, as known at the end of a day (UTC).
 * Positions of 0 shares are left out, but cash balances of 0 are not. Both lists are in code-unit order. A
 * split changes the whole position, rounded half to even to 8 decimals. The position can therefore differ
 * from the sum of its lots by 10^-8 shares per lot. A position below 0 results from a sale without enough
 * shares, which `deriveLots` reports as a fault. Throws a `RangeError` for an event with missing members.
 */
export function positionsOf(input: ReplayInput): Positions {
  const account = new Account();
  replay(input, account);
  return {
    positions: entriesOf(account.shares)
      .filter(([, , quantity]) => quantity !== 0n)
      .map(([portfolio, symbol, quantity]) => ({ portfolio, symbol, quantity })),
    cash: entriesOf(account.cash).map(([portfolio, currency, amountMinor]) => {
      return { portfolio, currency, amountMinor };
    }),
  };
}

type Amounts = Map<string, Map<string, bigint>>;

/** The shares and the cash of portfolios during a replay. */
export class Account implements Replayed {
  readonly shares: Amounts = new Map();
  readonly cash: Amounts = new Map();

  event(event: PortfolioEvent, day: number): void {
    const { portfolio, type, symbol, quantity, currency, feesMinor } = event;
    const fault = faultOfMembers(event);
    if (fault) throw new RangeError(`event ${event.reference} of ${portfolio}: ${fault.code}`);
    if (type === 'split_override') this.split(overrideOf(event, day), { only: portfolio });
    const shares = shareSigns[type];
    if (shares !== undefined) add(this.shares, portfolio, symbol!, shares * quantity!);
    const sign = cashSigns[type];
    const amount = sign === 0n ? 0n : sign * amountOf(event);
    if (amount !== feesMinor || amount !== 0n) add(this.cash, portfolio, currency, amount - feesMinor);
  }

  split({ symbol, ratio }: Split, where: { only: string } | { except: ReadonlySet<string> }): void {
    for (const [portfolio, shares] of this.shares) {
      const isMeant = 'only' in where ? portfolio === where.only : !where.except.has(portfolio);
      const held = isMeant ? shares.get(symbol) : undefined;
      if (held !== undefined) shares.set(symbol, divideHalfEven(held * ratio.numerator, ratio.denominator));
    }
  }
}

function add(amounts: Amounts, portfolio: string, key: string, amount: bigint): void {
  let own = amounts.get(portfolio);
  if (!own) amounts.set(portfolio, (own = new Map()));
  own.set(key, (own.get(key) ?? 0n) + amount);
}

function entriesOf(amounts: Amounts): [string, string, bigint][] {
  return byKey(amounts).flatMap(([portfolio, own]) =>
    byKey(own).map(([key, amount]): [string, string, bigint] => [portfolio, key, amount]),
  );
}

function byKey<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => compareText(a, b));
}
