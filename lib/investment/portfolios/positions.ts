import { compareText } from '#lib/core/compare-text.ts';
import { divideHalfEven } from '#lib/core/decimal.ts';
import { faultOfMembers } from './event-fault.ts';
import { amountOf } from './event-amount.ts';
import type { EventType, PortfolioEvent } from './portfolio-event.ts';
import { overrideOf, replay, type Replayed, type ReplayInput, type Split } from './replay.ts';

/** Shares times 10^8 of a symbol in a portfolio. */
export type Position = { portfolio: string; symbol: string; quantity: bigint };

/** Cash of a portfolio in one currency, in minor units. Below 0 where it is owed. */
export type Cash = { portfolio: string; currency: string; amountMinor: bigint };

export type Positions = { positions: Position[]; cash: Cash[] };

/** The sign of the gross amount in cash; 0 where it is not paid in cash. */
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
 * Returns the shares and the cash of each portfolio by trade date, as known at the end of a day (UTC). Positions of 0
 * shares are left out, cash of 0 is not; both are in code-unit order. A split changes the whole position, rounded half
 * to even at 8 decimals, so that it may differ from the sum of the lots by 10^-8 for each lot. A position below 0 shows
 * a sale without shares; `deriveLots` reports it. An event with missing members throws a `RangeError`.
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

class Account implements Replayed {
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
