import { compareText } from '#lib/core/compare-text.ts';
import { dayNumber } from '#lib/core/date.ts';
import { minorUnitsOf } from '#lib/core/money.ts';
import { amountOf } from '../portfolios/event-amount.ts';
import type { PortfolioEvent } from '../portfolios/portfolio-event.ts';
import { Account } from '../portfolios/positions.ts';
import { overrideOf, replay, type Replayed, type ReplayInput, type Split } from '../portfolios/replay.ts';

/** The shares of a symbol that a portfolio held at the end of each date. */
export type HeldLine = {
  symbol: string;
  currency: string;
  /** Shares at each date, in the units of that date. */
  shares: Float64Array;
  /**
   * Number of shares at each date that one share before all splits has become: the product of the split
   * ratios up to the date.
   */
  factor: Float64Array;
  /**
   * Price of the last trade up to each date, times the split factor of its day; NaN before the first trade.
   */
  traded: Float64Array;
  /** Product of the ratios of all splits up to the as-of date. */
  lastFactor: number;
};

/**
 * An external flow between two dates: cash in minor units, or shares times 10^-8 of a symbol. An outflow is
 * below 0.
 */
export type ExternalFlow = {
  /** Index of the first date on or after the flow. Flows with an index of 0 or below are ignored. */
  row: number;
  day: number;
  currency: string;
} & ({ amountMinor: number } | { symbol: string; shares: number; factor: number });

export type HeldHistory = {
  /** By symbol in code-unit order. */
  lines: HeldLine[];
  /** Cash in minor units at each date, by currency. */
  cash: ReadonlyMap<string, Float64Array>;
  flows: ExternalFlow[];
  /** Currencies in which the portfolio ever received a deposit or shares. */
  funded: ReadonlySet<string>;
};

/**
 * Returns what a portfolio held at the end of each date, as known at the end of the as-of day. Trades take effect on
 * their trade date, splits on their ex date. `events` are the events of the portfolio. Throws a `RangeError` on an
 * event with missing members.
 */
export function heldHistory(
  portfolio: string,
  { dates, ...input }: ReplayInput & { dates: readonly string[] },
): HeldHistory {
  const recorder = new Recorder(portfolio, dates.map(dayNumber));
  // A split before the first purchase still changes the unit of the prices, so every symbol is opened before the
  // replay.
  for (const { symbol, quantity, currency } of input.events)
    if (symbol !== null && quantity !== null) recorder.open(symbol, currency);
  replay(input, recorder);
  return recorder.history();
}

type Line = Omit<HeldLine, 'lastFactor'> & { now: { shares: number; factor: number; traded: number } };

class Recorder implements Replayed {
  private readonly portfolio: string;
  private readonly days: readonly number[];
  private readonly account = new Account();
  private readonly lines = new Map<string, Line>();
  private readonly cash = new Map<string, Float64Array>();
  private readonly flows: ExternalFlow[] = [];
  private readonly funded = new Set<string>();
  private row = 0;

  constructor(portfolio: string, days: readonly number[]) {
    this.portfolio = portfolio;
    this.days = days;
  }

  /** Adds the history of a symbol. */
  open(symbol: string, currency: string): void {
    if (this.lines.has(symbol)) return;
    const { length } = this.days;
    this.lines.set(symbol, {
      symbol,
      currency,
      shares: new Float64Array(length),
      factor: new Float64Array(length),
      traded: new Float64Array(length),
      now: { shares: 0, factor: 1, traded: Number.NaN },
    });
  }

  event(event: PortfolioEvent, day: number): void {
    this.closeBefore(day);
    this.account.event(event, day);
    const { symbol, type, currency } = event;
    if (!this.cash.has(currency)) this.cash.set(currency, new Float64Array(this.days.length));
    const line = symbol === null ? undefined : this.lines.get(symbol);
    if (line && event.quantity !== null) this.note(event, line, day);
    if (type === 'deposit' || type === 'withdraw') {
      const amount = Number(amountOf(event));
      this.flows.push({ row: this.row, day, currency, amountMinor: type === 'deposit' ? amount : -amount });
    }
    if (type === 'deposit' || type === 'transfer_in') this.funded.add(currency);
  }

  split(split: Split, where: { only: string } | { except: ReadonlySet<string> }): void {
    this.closeBefore(split.day);
    this.account.split(split, where);
    const isMeant = 'only' in where ? where.only === this.portfolio : !where.except.has(this.portfolio);
    if (isMeant) this.scale(split);
  }

  history(): HeldHistory {
    this.closeBefore(Infinity);
    const lines = [...this.lines.values()].map(({ now, ...line }): HeldLine => ({
      ...line,
      lastFactor: now.factor,
    }));
    lines.sort((one, other) => compareText(one.symbol, other.symbol));
    return { lines, cash: this.cash, flows: this.flows, funded: this.funded };
  }

  private note(event: PortfolioEvent, line: Line, day: number): void {
    const { type, currency, quantity, basisMinor } = event;
    const { symbol, now } = line;
    if (type === 'buy' || type === 'transfer_in') line.currency = currency;
    if (type === 'split_override') this.scale(overrideOf(event, day));
    if (type === 'transfer_in' || type === 'transfer_out') {
      const shares = (type === 'transfer_in' ? 1 : -1) * sharesOf(quantity!);
      this.flows.push({ row: this.row, day, currency: line.currency, symbol, shares, factor: now.factor });
    }
    const isTrade = type === 'buy' || type === 'sell' || type === 'reinvest';
    const amount = isTrade ? amountOf(event) : type === 'transfer_in' ? basisMinor : null;
    if (amount !== null) {
      const major = Number(amount) / minorUnitsOf(currency);
      now.traded = (major / sharesOf(quantity!)) * now.factor;
    }
    this.refresh(symbol);
  }

  private scale({ symbol, ratio }: Split): void {
    const line = this.lines.get(symbol);
    if (!line) return;
    line.now.factor *= Number(ratio.numerator) / Number(ratio.denominator);
    this.refresh(symbol);
  }

  private refresh(symbol: string): void {
    const held = this.account.shares.get(this.portfolio)?.get(symbol) ?? 0n;
    this.lines.get(symbol)!.now.shares = sharesOf(held);
  }

  /** Records the holdings at the dates before a day. */
  private closeBefore(day: number): void {
    for (; this.row < this.days.length && this.days[this.row]! < day; this.row += 1) {
      for (const { shares, factor, traded, now } of this.lines.values()) {
        shares[this.row] = now.shares;
        factor[this.row] = now.factor;
        traded[this.row] = now.traded;
      }
      const held = this.account.cash.get(this.portfolio);
      for (const [currency, amounts] of this.cash) amounts[this.row] = Number(held?.get(currency) ?? 0n);
    }
  }
}

function sharesOf(quantity: bigint): number {
  return Number(quantity) / 1e8;
}
