import type { Decide, PortfolioView } from '#lib/numerics/backtesting/decision.ts';
import type { Market } from '#lib/numerics/backtesting/market.ts';
import type { Terms } from '#lib/numerics/backtesting/terms.ts';
import { priceTable, type PriceMode } from './price-table.ts';
import { decisionSessions } from './schedule.ts';
import {
  earlyRefusal,
  emptyUniverse,
  insufficient,
  priceCoverage,
  sparse,
  tooMany,
} from './preparation-refusals.ts';
import { drawdownStop } from './drawdown-stop.ts';
import { StrategyCache } from './strategy-cache.ts';
import type { StrategyData } from './strategy-data.ts';
import { decideAt, type StrategyContext } from './strategy-decision.ts';
import { marketKey, strategyMarket, symbolEnds } from './strategy-market.ts';
import type { StrategyRefusal, StrategyWarning } from './strategy-refusal.ts';
import { strategySignals } from './strategy-signals.ts';
import { strategyTerms } from './strategy-terms.ts';
import { priceGaps, strategyWarnings } from './strategy-warnings.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

/** The minimum number of sessions of a backtest. */
const SESSIONS_MIN = { daily: 60, monthly: 24 } as const;

export type PreparedStrategy = {
  /** The T sessions of the backtest and the K symbols, in the order of the market. */
  sessions: string[];
  symbols: string[];
  mode: PriceMode;
  market: Market;
  terms: Terms;
  decide: Decide;
  warnings: StrategyWarning[];
  /** Share of the prices whose time of knowledge the import assumed. */
  assumedKnowledgeShare: number;
  /** Observed days that are not sessions. */
  skipped: string[];
  /** Everything that explains a decision. Its sessions begin `first` sessions before the sessions of the backtest. */
  context: StrategyContext;
  first: number;
};

export type Preparation = { ok: true; prepared: PreparedStrategy } | { ok: false; refusal: StrategyRefusal };

/**
 * Prepares a resolved strategy for the backtest engine: the market and the terms of its sessions, and its decisions,
 * which depend only on data up to their session. Strategies with the same data share the cache.
 *
 * Refusals: `look_ahead` (a lag of 0 without `same_bar`, or with orders at the opening price), `backtest_too_large`,
 * `currencies_mixed`, `market_history_insufficient` (under 60 sessions, or 24 months, or 80 % of the prices), and
 * `universe_empty` (no symbol in the first session, with the first session that has one). `sessionsMin` replaces the
 * minimum number of sessions.
 */
export function prepareStrategy(
  strategy: ResolvedStrategy,
  data: StrategyData,
  cache: StrategyCache = new StrategyCache(),
  { sessionsMin = SESSIONS_MIN[strategy.frequency] }: { sessionsMin?: number } = {},
): Preparation {
  const early = earlyRefusal(strategy, data);
  if (early) return { ok: false, refusal: early };
  const wish = strategy.execution.prices;
  const table = cache.get(`prices ${wish}`, () => priceTable(data, wish));
  const begin = table.sessions.findIndex((day) => day >= data.from);
  const first = begin < 0 ? table.sessions.length : begin;
  const short =
    insufficient(table.sessions.length - first, sessionsMin) ??
    sparse(strategy, data, {
      table,
      first,
      coverage: cache.get(`coverage ${table.mode}`, () => priceCoverage(table, first)),
    });
  if (short) return { ok: false, refusal: short };
  const signals = strategySignals(strategy, data, table, cache);
  const context: StrategyContext = { strategy, data, table, signals };
  const empty = emptyUniverse(context, first);
  if (empty) return { ok: false, refusal: empty };
  const { every, n, on } = strategy.schedule;
  const decides = cache.get(`decisions ${table.mode} ${every} ${n} ${on}`, () =>
    decisionSessions(table.sessions, first, strategy.schedule),
  );
  const excess = tooMany(decides.reduce((sum, each) => sum + each, 0));
  if (excess) return { ok: false, refusal: excess };
  const ends = cache.get(`ends ${table.mode}`, () => symbolEnds(table, data));
  const gaps = cache.get(`gaps ${table.mode}`, () => priceGaps(data, table));
  const sessions = table.sessions.slice(first);
  return {
    ok: true,
    prepared: {
      sessions,
      symbols: table.symbols,
      mode: table.mode,
      market: cache.get(marketKey(strategy, table), () => strategyMarket(strategy, table, { first, ends })),
      terms: strategyTerms(strategy, sessions, data.rates),
      decide: decideWith(context, decides, first),
      warnings: strategyWarnings(strategy, data, table, { first, ends, gaps }),
      assumedKnowledgeShare: table.assumedShare,
      skipped: table.skipped.filter((day) => day >= data.from),
      context,
      first,
    },
  };
}

function decideWith(context: StrategyContext, decides: Uint8Array, first: number): Decide {
  const { strategy, table } = context;
  const nothing = new Float64Array(table.symbols.length);
  const stop = strategy.overlay.stop ? drawdownStop(strategy.overlay.stop) : null;
  return (session: number, { weights, curve }: PortfolioView) => {
    const state = stop?.(session, curve) ?? 'in';
    if (state === 'stop') return nothing;
    if (state === 'out') return null;
    if (state === 'in' && decides[session + first] !== 1) return null;
    const { targets, trades } = decideAt(context, session + first, weights);
    return trades ? targets : null;
  };
}
