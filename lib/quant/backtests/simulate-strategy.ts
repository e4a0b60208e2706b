import { backtest } from '#lib/numerics/backtesting/backtest.ts';
import { prepareStrategy } from '../strategies/prepare-strategy.ts';
import type { StrategyCache } from '../strategies/strategy-cache.ts';
import type { StrategyData } from '../strategies/strategy-data.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { BacktestResult } from './backtest-result.schema.ts';
import type { Simulated } from './simulated.ts';

export type SimulatedStrategy = Simulated & {
  symbols: readonly string[];
  knowledge: BacktestResult['knowledge'];
};

export type SimulateOptions = {
  cache?: StrategyCache;
  /** Whether the ledger lists orders and holdings. */
  detail: boolean;
  progress?: (share: number) => void;
};

/** Prepares a strategy and simulates it. Refuses the same strategies as `prepareStrategy`. */
export function simulateStrategy(
  strategy: ResolvedStrategy,
  data: StrategyData,
  { cache, ...options }: SimulateOptions,
): { ok: true; simulated: SimulatedStrategy } | { ok: false; refusal: StrategyRefusal } {
  const found = prepareStrategy(strategy, data, cache);
  if (!found.ok) return found;
  const { sessions, symbols, market, terms, decide, warnings, assumedKnowledgeShare, skipped } =
    found.prepared;
  return {
    ok: true,
    simulated: {
      sessions,
      symbols,
      ledger: backtest(market, terms, decide, options),
      knowledge: { assumed_share: assumedKnowledgeShare, skipped_sessions: skipped, warnings },
    },
  };
}
