import { dayNumber } from '#lib/core/date.ts';
import { minorUnitsOf } from '#lib/core/money.ts';
import type { ReplayInput } from '../portfolios/replay.ts';
import { heldHistory, type ExternalFlow, type HeldHistory, type HeldLine } from './held-history.ts';
import { ROWS_FILLED_MAX } from './risk-limits.ts';

/** Closes of a symbol at the dates, NaN if a close is missing, and whether the closes are divided by later splits. */
export type Closes = { prices: Float64Array; isSplitAdjusted: boolean };

/**
 * The value of a portfolio as it was held, at T + 1 dates, and its external flows. Amounts are minor units. A flow
 * belongs to the first date on or after it.
 */
export type RealisedPath = {
  /** Positions and cash at the closes of each date. */
  values: Float64Array;
  /** Sum of the absolute values of the positions. */
  gross: Float64Array;
  /** External flows after the previous date and up to each date. Inflows are above 0, outflows below 0. */
  flows: Float64Array;
  /** The same flows, each multiplied by the share of the period that remains from the start of the day of the flow. */
  weightedFlows: Float64Array;
  /** Share of `gross` whose last price is more than `ROWS_FILLED_MAX` rows old. */
  unpriced: Float64Array;
  /** Number of positions that were valued at the price of another row. */
  filled: Float64Array;
  /** The last row at which a symbol is counted in `unpriced`. */
  lastUnpriced: ReadonlyMap<string, number>;
  /** Currencies with a position, cash or a flow at the dates, in code-unit order. */
  currencies: readonly string[];
  /** Number of symbols that were held at any of the dates. */
  symbols: number;
  /** Whether a deposit or a transfer of shares into the portfolio was ever recorded. */
  isFunded: boolean;
};

export type PathQuestion = ReplayInput & {
  portfolio: string;
  dates: readonly string[];
  /** The currency to which the path is limited; null if there is only one currency. */
  currency: string | null;
  /** Whether a period is one session, so that the full amount of a flow is used for the whole period. */
  isDaily: boolean;
  /** Returns the closes of a symbol; undefined if it has none in the currency. */
  closesOf: (symbol: string, currency: string) => Closes | undefined;
};

/**
 * Values a portfolio as it was held: the shares at the end of each date times the closes of that date, and the cash.
 *
 * Trades and cash take effect on their trade date, splits on their ex date, all as known at the end of the as-of day.
 * Deposits and withdrawals are external flows at their amount, transfers of shares are flows at the close before the
 * transfer. Within a period longer than a session, transfers are flows at the closes before and after the transfer,
 * interpolated by days. Dividends, interest and fees are internal. A gap of at most `ROWS_FILLED_MAX` rows is filled
 * with the price before it or, at the start, with the first price. A longer gap is also filled with the last price, or
 * with the price of the last trade of the portfolio, but counts as unpriced.
 */
export function realisedPath({
  portfolio,
  currency,
  isDaily,
  closesOf,
  ...input
}: PathQuestion): RealisedPath {
  const history = heldHistory(portfolio, input);
  const currencies = currenciesOf(history, input.dates.length);
  const own = currency ?? currencies[0] ?? null;
  const path = emptyPath(input.dates.length);
  const unpriced = new Map<string, number>();
  const quotes = new Map<string, Quotes>();
  let symbols = 0;
  for (const line of history.lines) {
    if (line.currency !== own) continue;
    const quote = quotesOf(line, closesOf(line.symbol, line.currency));
    quotes.set(line.symbol, quote);
    const last = addLine(path, line, quote);
    if (last.held) symbols += 1;
    if (last.unpriced >= 0) unpriced.set(line.symbol, last.unpriced);
  }
  for (let t = 0; t < path.values.length; t += 1) {
    path.unpriced[t] = path.gross[t]! > 0 ? path.unpriced[t]! / path.gross[t]! : 0;
    path.values[t]! += own === null ? 0 : (history.cash.get(own)?.[t] ?? 0);
  }
  const days = input.dates.map(dayNumber);
  for (const flow of history.flows) if (flow.currency === own) addFlow(path, flow, { days, isDaily, quotes });
  return {
    ...path,
    lastUnpriced: unpriced,
    currencies,
    symbols,
    isFunded: own !== null && history.funded.has(own),
  };
}

type Arrays = Pick<RealisedPath, 'values' | 'gross' | 'flows' | 'weightedFlows' | 'unpriced' | 'filled'>;

function emptyPath(length: number): Arrays {
  const zeros = () => new Float64Array(length);
  return {
    values: zeros(),
    gross: zeros(),
    flows: zeros(),
    weightedFlows: zeros(),
    unpriced: zeros(),
    filled: zeros(),
  };
}

/**
 * Price of one share in minor units at each date, adjusted for splits up to the as-of date, and the age of the price in
 * rows. The price of a trade has the age Infinity.
 */
type Quotes = { prices: Float64Array; ages: Float64Array; lastFactor: number };

function quotesOf({ factor, traded, lastFactor, currency }: HeldLine, closes: Closes | undefined): Quotes {
  const scale = minorUnitsOf(currency);
  const prices = new Float64Array(factor.length).fill(Number.NaN);
  const ages = new Float64Array(factor.length).fill(Infinity);
  let seen = -1;
  for (let t = 0; t < prices.length; t += 1) {
    const close = closes?.prices[t] ?? Number.NaN;
    if (close > 0 && close < Infinity) {
      const units = closes!.isSplitAdjusted ? 1 : factor[t]! / lastFactor;
      prices[t] = close * scale * units;
      ages[t] = 0;
      if (seen < 0 && t <= ROWS_FILLED_MAX) {
        prices.fill(prices[t]!, 0, t);
        ages.fill(1, 0, t);
      }
      seen = t;
    } else if (seen >= 0) {
      prices[t] = prices[seen]!;
      ages[t] = t - seen;
    } else prices[t] = (traded[t]! * scale) / lastFactor;
  }
  return { prices, ages, lastFactor };
}

/**
 * Adds the position of a symbol. Returns whether the symbol was ever held, and the last row at which its price counts
 * as missing.
 */
function addLine(path: Arrays, { shares, factor, lastFactor }: HeldLine, { prices, ages }: Quotes) {
  const found = { held: false, unpriced: -1 };
  for (let t = 0; t < shares.length; t += 1) {
    if (shares[t] === 0) continue;
    found.held = true;
    const value = shares[t]! * (lastFactor / factor[t]!) * prices[t]!;
    path.values[t]! += value;
    path.gross[t]! += Math.abs(value);
    if (ages[t]! > ROWS_FILLED_MAX) {
      path.unpriced[t]! += Math.abs(value);
      found.unpriced = t;
    } else if (ages[t]! > 0) path.filled[t]! += 1;
  }
  return found;
}

type Around = {
  days: readonly number[];
  isDaily: boolean;
  quotes: ReadonlyMap<string, Quotes>;
};

function addFlow(path: Arrays, flow: ExternalFlow, { days, isDaily, quotes }: Around): void {
  const { row, day } = flow;
  if (row < 1 || row >= days.length) return;
  const length = days[row]! - days[row - 1]!;
  const weight = isDaily ? 1 : (days[row]! - day + 1) / length;
  let amount: number;
  if ('amountMinor' in flow) amount = flow.amountMinor;
  else {
    const { prices, lastFactor } = quotes.get(flow.symbol)!;
    const [before, after] = [prices[row - 1]!, prices[row]!];
    const price = Number.isNaN(before) ? after : weight * before + (1 - weight) * after;
    amount = flow.shares * (lastFactor / flow.factor) * price;
  }
  path.flows[row]! += amount;
  path.weightedFlows[row]! += weight * amount;
}

function currenciesOf({ lines, cash, flows }: HeldHistory, rows: number): string[] {
  const found = new Set<string>();
  for (const { currency, shares } of lines) if (shares.some((each) => each !== 0)) found.add(currency);
  for (const [currency, amounts] of cash) if (amounts.some((each) => each !== 0)) found.add(currency);
  for (const { currency, row } of flows) if (row >= 1 && row < rows) found.add(currency);
  return [...found].toSorted((one, other) => (one < other ? -1 : 1));
}
