import type { Fold } from '#lib/numerics/search/folds.ts';
import type { Point, Space } from '#lib/numerics/search/space.ts';
import { returnsOf } from '../backtests/simulated.ts';
import { simulateStrategy, type SimulatedStrategy } from '../backtests/simulate-strategy.ts';
import { withCosts } from '../backtests/strategy-sizes.ts';
import { resolveStrategy } from '../strategies/resolve-strategy.ts';
import type { ParameterValue } from '../strategies/parameter.schema.ts';
import type { StrategyCache } from '../strategies/strategy-cache.ts';
import type { StrategyData } from '../strategies/strategy-data.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { parametersOf } from './search-space.ts';
import { within } from './search-points.ts';
import { trialNumbers, trialWidth } from './trial-layout.ts';

/** The data and the definition that all trials of a search share. */
export type TrialContext = {
  input: OptimizationInput;
  space: Space;
  folds: readonly Fold[];
  data: StrategyData;
  /** Returns of the benchmark over the sessions, or null. */
  benchmark: Float64Array | null;
  cache: StrategyCache;
};

/** Returns the strategy of a trial, or null if its parameters are not valid. */
export function strategyOfTrial(
  { strategy }: Pick<OptimizationInput, 'strategy'>,
  parameters: Record<string, ParameterValue>,
): ResolvedStrategy | null {
  const found = resolveStrategy(strategy, parameters);
  return found.ok ? found.strategy : null;
}

/** Returns the returns of a strategy at the costs of the search, or the reason why it cannot be simulated. */
export function trialReturns(
  { input, data, cache }: Pick<TrialContext, 'input' | 'data' | 'cache'>,
  strategy: ResolvedStrategy,
):
  | { ok: true; returns: Float64Array; knowledge: SimulatedStrategy['knowledge'] }
  | { ok: false; refusal: StrategyRefusal } {
  const charged = withCosts(strategy, input.cost_multiplier);
  const found = simulateStrategy(charged, data, { cache, detail: false });
  if (!found.ok) return found;
  return { ok: true, returns: returnsOf(found.simulated), knowledge: found.simulated.knowledge };
}

/**
 * Returns the numbers of trials, one after the other. All numbers of a trial are NaN if it does not meet the
 * condition, has invalid parameters, or cannot be simulated.
 */
export function runTrials(
  context: TrialContext,
  points: readonly Point[],
  progress: (share: number) => void,
): Float64Array {
  const { input, space, folds, benchmark } = context;
  const width = trialWidth(folds.length, input.cscv_blocks);
  const numbers = new Float64Array(points.length * width).fill(Number.NaN);
  const isWithin = within(input.where, space, points);
  for (const [at, point] of points.entries()) {
    const strategy = isWithin[at] ? strategyOfTrial(input, parametersOf(space, point)) : null;
    const found = strategy && trialReturns(context, strategy);
    if (found?.ok) numbers.set(trialNumbers({ returns: found.returns, benchmark }, folds, input), at * width);
    progress((at + 1) / points.length);
  }
  return numbers;
}
