import { absolute } from '#lib/core/money.ts';
import { compareText } from '#lib/core/compare-text.ts';
import type { RealisedPath } from './realised-path.ts';
import { coverageOf, pricedReturns, realisedReturns } from './realised-returns.ts';
import { writeReturns } from './price-history.ts';
import type { RiskInput, RiskPosition } from './risk-input.ts';
import { FREQUENCIES, SHARE_WITHOUT_HISTORY_MAX } from './risk-limits.ts';
import {
  currenciesMixed,
  historyMissing,
  historyShort,
  periodUnfunded,
  type RiskRefusal,
  tooLarge,
  unfunded,
  valueNotPositive,
} from './risk-refusal.ts';

/**
 * A position with its returns in all periods, and its weight: its share of the total value of the positions
 * with a history and the cash.
 */
export type WeightedPosition = { position: RiskPosition; weight: number; returns: Float64Array };

/** A portfolio with all data from which its figures are computed. */
export type PreparedRisk = {
  currency: string | null;
  valueMinor: bigint;
  /** Positions in the currency of the request, by symbol in code-unit order. */
  positions: RiskPosition[];
  /** The positions that have a price history over the window. */
  held: WeightedPosition[];
  /** Simple returns of the portfolio over the window, oldest first. */
  returns: Float64Array;
  coverage: Coverage;
  /**
   * Portfolio returns at all dates, for the backtest; null if positions with too large a share of the value
   * have no history over all dates.
   */
  allReturns: Float64Array | null;
};

/**
 * The share of the portfolio value in positions without a history, the symbols of these positions, and the number of
 * missing prices that were filled from another row.
 */
export type Coverage = { shareWithout: number; symbols: string[]; rowsFilled: number };

/**
 * Checks a portfolio, and computes the returns of its positions and of the portfolio.
 *
 * With the basis `current_holdings`, the return of a period is the sum of today's weights times the returns
 * of the positions; cash has the return 0. Positions without a history are left out, and the weights of the
 * other positions are shares of the remaining value. With the basis `realised`, `realisedReturns` computes the
 * returns. `RiskRefusal` lists the refusals.
 */
export function prepareRisk(input: RiskInput): { ok: true; prepared: PreparedRisk } | Refused {
  const { options, dates, realised } = input;
  const { window, include, frequency } = options;
  const all = Math.max(0, dates.length - 1);
  const isWanted = ({ currency }: { currency: string }) =>
    options.currency === null || currency === options.currency;
  const positions = input.positions.filter(isWanted).sort(bySymbol);
  const cash = input.cash.filter((each) => isWanted(each) && each.amountMinor !== 0n);
  const large = tooLarge(Math.max(positions.length, realised?.symbols ?? 0), all, input.limits);
  if (large) return refuse(large);
  const held = [...positions, ...cash].map(({ currency }) => currency);
  const past = options.currency === null ? (realised?.currencies ?? []) : [];
  const currencies = [...new Set([...held, ...past])].sort(compareText);
  if (currencies.length > 1) return refuse(currenciesMixed(currencies));
  const needed = Math.min(window, FREQUENCIES[frequency].observationsMin);
  if (all < needed) return refuse(historyShort(all, needed));
  const cashMinor = cash.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const shared = {
    currency: currencies[0] ?? null,
    valueMinor: positions.reduce((total, each) => total + (each.valueMinor ?? 0n), cashMinor),
    positions,
  };
  const rows = dates.length;
  const T = Math.min(window, all);
  const found = weighted(positions, cashMinor, { T, rows });
  if (options.basis === 'realised') {
    if (!realised) throw new RangeError('the basis realised needs the portfolio as it was held');
    const own = returnsAsHeld(realised, { dates, window, needed });
    return own.ok ? { ok: true, prepared: { ...shared, ...own.series, held: found.held } } : own;
  }
  if (found.refusal) return refuse(found.refusal);
  const returns = sumOf(found.held, T);
  const allReturns = () => {
    if (T === all) return returns;
    const earlier = weighted(positions, cashMinor, { T: all, rows });
    return earlier.refusal ? null : sumOf(earlier.held, all);
  };
  return {
    ok: true,
    prepared: {
      ...shared,
      held: found.held,
      returns,
      coverage: found.coverage,
      allReturns: include.includes('backtest') ? allReturns() : null,
    },
  };
}

type Series = Pick<PreparedRisk, 'returns' | 'coverage' | 'allReturns'>;

/** Returns the realised returns of the window, and all realised returns that a backtest may use. */
function returnsAsHeld(
  path: RealisedPath,
  { dates, window, needed }: { dates: readonly string[]; window: number; needed: number },
): { ok: true; series: Series } | Refused {
  if (path.values.length !== dates.length)
    throw new RangeError('a realised path must have one value for each date');
  const { returns: all, broken } = realisedReturns(path);
  if (!path.isFunded && path.symbols > 0) return refuse(unfunded());
  if (broken && all.length < window) return refuse(periodUnfunded(dates[broken.row]!, broken.valueMinor));
  const returns = all.slice(-window);
  if (returns.length < needed) return refuse(historyShort(returns.length, needed));
  const coverage = coverageOf(path, returns.length);
  if (coverage.shareWithout > SHARE_WITHOUT_HISTORY_MAX)
    return refuse(historyMissing(coverage.shareWithout, coverage.symbols));
  return { ok: true, series: { returns, coverage, allReturns: pricedReturns(path, all) } };
}

type Refused = { ok: false; refusal: RiskRefusal };

function refuse(refusal: RiskRefusal): Refused {
  return { ok: false, refusal };
}

/** The last T returns of price series that have `rows` dates. */
type Span = { T: number; rows: number };

/**
 * Returns the positions with a history over the last T returns, with their weights, and the reason why these
 * positions do not represent the portfolio, if any. If the total value is not above 0, no positions are
 * returned.
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

/** Returns the positions with a value and a history, and the share of the value of the other positions. */
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
  // The share of a position without a value is unknown, so such positions are counted by their number.
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

function bySymbol(one: RiskPosition, other: RiskPosition): number {
  return compareText(one.symbol, other.symbol);
}
