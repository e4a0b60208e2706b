import { daysBetween } from '#lib/core/date.ts';
import type { Part } from '#lib/core/run.ts';
import { StrategyCache } from '../strategies/strategy-cache.ts';
import type { StrategyData } from '../strategies/strategy-data.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { BacktestInput } from './backtest-input.schema.ts';
import { BACKTEST_LIMITS, CAPACITY_SCALES } from './backtest-limits.ts';
import { simulateStrategy } from './simulate-strategy.ts';
import { withoutCosts, withScale } from './strategy-sizes.ts';

/**
 * A backtest with variants is divided if symbols times calendar days, summed over the strategy and its variants, exceed
 * this number.
 */
const DIVIDED_CELLS = 5_000_000;
/** The number of symbols that a universe without a list is expected to have. */
const SYMBOLS_EXPECTED = 500;

/**
 * Returns the variants of a strategy by which its capacity is measured: the strategy with multiples of the cash, then
 * the strategy without costs.
 */
function sizesOf({ capacity, strategy }: BacktestInput): ResolvedStrategy[] {
  if (!capacity) return [];
  const scaled = CAPACITY_SCALES.slice(1).map((scale) => withScale(strategy, scale));
  return [...scaled, withoutCosts(strategy)];
}

/**
 * Returns the strategies that a backtest simulates in addition to the strategy itself: the variants, then the results
 * of `sizesOf`.
 */
export function furtherStrategies(input: BacktestInput): ResolvedStrategy[] {
  return [...input.variants.map(({ strategy }) => strategy), ...sizesOf(input)];
}

/**
 * Returns the parts of a backtest: one for each variant, and one for all strategies of `sizesOf`, because these share
 * signals. Sample i is the strategy i of `furtherStrategies`. The strategy itself is simulated when the parts are
 * combined.
 */
export function divideBacktest(input: BacktestInput, round: number): Part[] | null {
  const variants = input.variants.length;
  if (round > 0 || variants === 0) return null;
  const parts = input.variants.map((_, first) => ({ round, first, count: 1 }));
  const sizes = sizesOf(input).length;
  return sizes === 0 ? parts : [...parts, { round, first: variants, count: sizes }];
}

/** Whether a backtest is large enough to be divided among workers. */
export function isBacktestDivided(input: BacktestInput): boolean {
  if (input.variants.length === 0) return false;
  const { symbols } = input.strategy.universe;
  const width = symbols.length || SYMBOLS_EXPECTED;
  return width * daysBetween(input.from, input.to) * (1 + input.variants.length) > DIVIDED_CELLS;
}

/**
 * Simulates the strategies of a part. For each of them: the number of its sessions, then its curve, then zeros, so that
 * every strategy has the same number of numbers.
 */
export function backtestPart(
  input: BacktestInput,
  data: StrategyData,
  { part: { first, count }, progress }: { part: Part; progress: (share: number) => void },
): Float64Array | { ok: false; refusal: StrategyRefusal } {
  const cache = new StrategyCache();
  const width = widthOf(input);
  const numbers = new Float64Array(count * width);
  for (const [at, strategy] of furtherStrategies(input)
    .slice(first, first + count)
    .entries()) {
    const found = simulateStrategy(strategy, data, {
      cache,
      detail: false,
      progress: (share) => progress((at + share) / count),
    });
    if (!found.ok) return found;
    const { value } = found.simulated.ledger;
    numbers[at * width] = value.length;
    numbers.set(value, at * width + 1);
    progress((at + 1) / count);
  }
  return numbers;
}

/** Returns the curves of the further strategies from the numbers of all parts. */
export function curvesOf(input: BacktestInput, numbers: Float64Array): Float64Array[] {
  const width = widthOf(input);
  return Array.from({ length: numbers.length / width }, (_, at) => {
    const start = at * width + 1;
    return numbers.slice(start, start + numbers[at * width]!);
  });
}

function widthOf({ from, to }: BacktestInput): number {
  return 1 + Math.min(BACKTEST_LIMITS.sessions, daysBetween(from, to) + 1);
}
