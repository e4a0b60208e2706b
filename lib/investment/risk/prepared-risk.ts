import { writeReturns } from './price-history.ts';
import type { RiskInput, RiskPosition } from './risk-input.ts';
import { FREQUENCIES, SHARE_WITHOUT_HISTORY_MAX } from './risk-limits.ts';
import {
  currenciesMixed,
  historyMissing,
  historyShort,
  type RiskRefusal,
  tooLarge,
  valueNotPositive,
} from './risk-refusal.ts';

/** A position with its returns of all periods and its weight, a share of the value with a history. */
export type WeightedPosition = { position: RiskPosition; weight: number; returns: Float64Array };

/** A portfolio whose figures can be computed. */
export type PreparedRisk = {
  currency: string | null;
  valueMinor: bigint;
  /** Positions of the currency, by symbol in code-unit order. */
  positions: RiskPosition[];
  /** Those of them with a history over the window. */
  held: WeightedPosition[];
  /** Simple returns of the portfolio over the window, oldest first. */
  returns: Float64Array;
  coverage: Coverage;
  /** Returns of the portfolio at all dates, for the backtest; null where too much of the value has no such history. */
  allReturns: Float64Array | null;
};

/** The share of the value without a history, its symbols, and the rows that took a price of another row. */
export type Coverage = { shareWithout: number; symbols: string[]; rowsFilled: number };

/**
 * Checks a portfolio and computes the returns of its positions and its own.
 *
 * With the basis `current_holdings`, a return is the sum of today's weights times the returns of the positions; cash
 * returns 0. With `realised`, it is time-weighted: V_t / (V_(t-1) + F_t) - 1. Positions without a history are left out,
 * and the other weights refer to the rest of the value; `realised` needs no history of theirs. Refuses as `RiskRefusal`
 * says.
 */
export function prepareRisk(input: RiskInput): { ok: true; prepared: PreparedRisk } | Refused {
  const { options, dates } = input;
  const { basis, window, include, frequency } = options;
  const all = Math.max(0, dates.length - 1);
  const isWanted = ({ currency }: { currency: string }) =>
    options.currency === null || currency === options.currency;
  const positions = input.positions.filter(isWanted).sort(bySymbol);
  const cash = input.cash.filter((each) => isWanted(each) && each.amountMinor !== 0n);
  const large = tooLarge(positions.length, all, input.limits);
  if (large) return refuse(large);
  const currencies = [...new Set([...positions, ...cash].map(({ currency }) => currency))].sort(compareText);
  if (currencies.length > 1) return refuse(currenciesMixed(currencies));
  const needed = Math.min(window, FREQUENCIES[frequency].observationsMin);
  if (all < needed) return refuse(historyShort(all, needed));
  const cashMinor = cash.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const rows = dates.length;
  const T = Math.min(window, all);
  const found = weighted(positions, cashMinor, { T, rows });
  const realised = basis === 'realised' ? realisedReturns(input) : null;
  if (found.refusal && !realised) return refuse(found.refusal);
  const { held, coverage } = found;
  const returns = realised ? realised.slice(-window) : sumOf(held, T);
  if (returns.length < needed) return refuse(historyShort(returns.length, needed));
  const earlier =
    include.includes('backtest') && !realised ? weighted(positions, cashMinor, { T: all, rows }) : null;
  return {
    ok: true,
    prepared: {
      currency: currencies[0] ?? null,
      valueMinor: positions.reduce((total, each) => total + (each.valueMinor ?? 0n), cashMinor),
      positions,
      held,
      returns,
      coverage,
      allReturns: realised ?? (earlier && !earlier.refusal ? sumOf(earlier.held, all) : null),
    },
  };
}

type Refused = { ok: false; refusal: RiskRefusal };

function refuse(refusal: RiskRefusal): Refused {
  return { ok: false, refusal };
}

/** The last T returns of prices at a number of dates. */
type Span = { T: number; rows: number };

/**
 * Returns the positions with a history over the last T returns, with their weights, and why their returns may not stand
 * for the portfolio. Without a value above 0 there are no weights, and no positions.
 */
function weighted(positions: readonly RiskPosition[], cashMinor: bigint, span: Span) {
  const { known, coverage } = covered(positions, span);
  const minor = known.reduce((total, { position }) => total + position.valueMinor!, cashMinor);
  const held = (minor > 0n ? known : []).map((each): WeightedPosition => ({
    ...each,
    weight: Number(each.position.valueMinor!) / Number(minor),
  }));
  const isMissing = coverage.shareWithout > SHARE_WITHOUT_HISTORY_MAX;
  const refusal = isMissing
    ? historyMissing(coverage.shareWithout, coverage.symbols)
    : minor > 0n
      ? null
      : valueNotPositive(minor);
  return { held, coverage, refusal };
}

/** Returns the positions with a value and a history, and how much the others are worth. */
function covered(positions: readonly RiskPosition[], { T, rows }: Span) {
  const returns = new Float64Array(positions.length * T);
  const known: Omit<WeightedPosition, 'weight'>[] = [];
  const symbols: string[] = [];
  let [gross, without, unvalued, rowsFilled] = [0n, 0n, 0, 0];
  for (const position of positions) {
    const { prices, valueMinor, symbol } = position;
    if (prices.length !== rows)
      throw new RangeError(`${symbol} has ${prices.length} prices at ${rows} dates`);
    const own = returns.subarray(known.length * T, (known.length + 1) * T);
    const filled = valueMinor === null ? null : writeReturns(prices.subarray(prices.length - T - 1), own);
    const size = absolute(valueMinor ?? 0n);
    gross += size;
    if (filled === null) {
      symbols.push(symbol);
      without += size;
      if (valueMinor === null) unvalued += 1;
    } else {
      known.push({ position, returns: own });
      rowsFilled += filled;
    }
  }
  // A position without a value has no share of it, so these count by number.
  const byValue = gross === 0n ? 0 : Number(without) / Number(gross);
  const byNumber = positions.length === 0 ? 0 : unvalued / positions.length;
  const coverage: Coverage = { shareWithout: Math.max(byValue, byNumber), symbols, rowsFilled };
  return { known, coverage };
}

function sumOf(held: readonly WeightedPosition[], T: number): Float64Array {
  const total = new Float64Array(T);
  for (const { weight, returns } of held) for (let t = 0; t < T; t += 1) total[t]! += weight * returns[t]!;
  return total;
}

/** Returns the time-weighted returns from the first period that begins with a value above 0, up to the last that does. */
function realisedReturns({ realised, dates }: RiskInput): Float64Array {
  if (!realised) return new Float64Array(0);
  const { values, flows } = realised;
  if (values.length !== dates.length || flows.length !== dates.length)
    throw new RangeError('realised values and flows must have one entry for each date');
  const found: number[] = [];
  for (let t = 1; t < values.length; t += 1) {
    const invested = values[t - 1]! + flows[t]!;
    if (invested > 0) found.push(values[t]! / invested - 1);
    else found.length = 0;
  }
  return Float64Array.from(found);
}

function bySymbol(one: RiskPosition, other: RiskPosition): number {
  return compareText(one.symbol, other.symbol);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
