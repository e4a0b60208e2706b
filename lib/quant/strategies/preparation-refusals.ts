import { compareText } from '#lib/core/compare-text.ts';
import { SYMBOLS_NAMED, type StrategyRefusal } from './strategy-refusal.ts';
import type { StrategyData } from './strategy-data.ts';
import type { StrategyContext } from './strategy-decision.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';
import { universeReasons } from './universe-panel.ts';

/** The minimum share of observed prices of a backtest. */
const COVERAGE_MIN = 0.8;
/** The largest number of decisions that trade. */
const REBALANCES_MAX = 10_080;

/** Returns the refusal that can be determined without the table of prices; undefined if there is none. */
export function earlyRefusal(strategy: ResolvedStrategy, data: StrategyData): StrategyRefusal | undefined {
  return lookAhead(strategy) ?? tooLarge(strategy, data) ?? mixedCurrencies(strategy, data);
}

/**
 * Returns the refusal of a strategy with a lag of 0 whose orders precede its decision, or are filled at the close of
 * the decision without `same_bar`. Returns undefined for other strategies.
 */
export function lookAhead({ schedule, execution }: ResolvedStrategy): StrategyRefusal | undefined {
  if (schedule.lag > 0) return undefined;
  const isOpen = execution.price === 'open';
  if (execution.same_bar && !isOpen) return undefined;
  const detail = isOpen
    ? 'With a lag of 0, orders at the opening price precede the decision at the close. Set schedule.lag to 1.'
    : 'With a lag of 0, orders are filled at the close that the decision uses. Set schedule.lag to 1, or accept this with execution.same_bar.';
  return { code: 'look_ahead', detail, members: {} };
}

function tooLarge({ universe }: ResolvedStrategy, data: StrategyData): StrategyRefusal | undefined {
  if (!data.isTooLarge) return undefined;
  const detail = `The universe of kind ${universe.kind} has ${data.symbols.length} symbols from ${data.from} to ${data.to}. A backtest has at most 2,000 symbols and 20,000,000 prices, including the prices before its first day.`;
  return { code: 'backtest_too_large', detail, members: { observed: data.symbols.length, needed: 2_000 } };
}

/** Returns the refusal of a strategy that decides more often than a backtest allows. */
export function tooMany(rebalances: number): StrategyRefusal | undefined {
  if (rebalances <= REBALANCES_MAX) return undefined;
  const detail = `The schedule has ${rebalances} decisions. At most ${REBALANCES_MAX} are possible.`;
  return { code: 'backtest_too_large', detail, members: { observed: rebalances, needed: REBALANCES_MAX } };
}

function mixedCurrencies(
  { cash }: ResolvedStrategy,
  { instruments }: StrategyData,
): StrategyRefusal | undefined {
  const others = instruments.filter(({ currency }) => currency !== null && currency !== cash.currency);
  if (others.length === 0) return undefined;
  const symbols = [...new Set(others.map(({ symbol }) => symbol))].slice(0, SYMBOLS_NAMED);
  const currencies = [...new Set([cash.currency, ...others.map(({ currency }) => currency!)])].sort(
    compareText,
  );
  const detail = `The prices are in ${currencies.join(', ')}. A strategy has one currency, cash.currency.`;
  return { code: 'currencies_mixed', detail, members: { currencies, symbols } };
}

/** Returns the refusal of a history with too few sessions. */
export function insufficient(observed: number, needed: number): StrategyRefusal | undefined {
  if (observed >= needed) return undefined;
  const detail = `The universe has ${observed} sessions in the window. At least ${needed} are needed.`;
  return { code: 'market_history_insufficient', detail, members: { observed, needed } };
}

/**
 * Number of observed prices from a session on, and number of sessions between the first and last price of each symbol.
 */
export type PriceCoverage = { observed: number; possible: number };

/** Counts the prices from the session `first` on. */
export function priceCoverage({ tables }: StrategyContext['table'], first: number): PriceCoverage {
  let [observed, possible] = [0, 0];
  for (const { sessions } of tables) {
    const begin = sessions.findIndex((t) => t >= first);
    if (begin < 0) continue;
    observed += sessions.length - begin;
    possible += sessions.at(-1)! - sessions[begin]! + 1;
  }
  return { observed, possible };
}

/**
 * Refuses prices with gaps: prices in under 80 % of the sessions between the first and last price of each symbol. A
 * listed symbol that has no prices lacks all sessions.
 */
export function sparse(
  { universe }: ResolvedStrategy,
  { symbols }: StrategyData,
  { table, first, coverage }: { table: StrategyContext['table']; first: number; coverage: PriceCoverage },
): StrategyRefusal | undefined {
  const unpriced = universe.kind === 'list' ? symbols.length - table.tables.length : 0;
  const possible = coverage.possible + unpriced * (table.sessions.length - first);
  const share = possible === 0 ? 0 : coverage.observed / possible;
  if (share >= COVERAGE_MIN) return undefined;
  const detail = `The symbols of the universe have prices in ${Math.floor(share * 100)} % of the sessions. At least ${COVERAGE_MIN * 100} % are needed.`;
  return { code: 'market_history_insufficient', detail, members: { observed: share, needed: COVERAGE_MIN } };
}

/** Refuses a universe without a symbol in the session `first`, and names the first session that has one. */
export function emptyUniverse(
  { signals, table }: StrategyContext,
  first: number,
): StrategyRefusal | undefined {
  const K = table.symbols.length;
  const isIn = universeReasons.indexOf('in');
  const place = signals.universe.indexOf(isIn, first * K);
  const session = place < 0 ? null : table.sessions[Math.floor(place / K)]!;
  if (session === table.sessions[first]) return undefined;
  const detail =
    session === null
      ? 'No symbol meets the conditions of the universe in any session of the window.'
      : `No symbol meets the conditions of the universe on ${table.sessions[first]}. The first session with a symbol is ${session}.`;
  return { code: 'universe_empty', detail, members: { first_date: session } };
}
