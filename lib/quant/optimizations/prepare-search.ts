import type { Point } from '#lib/numerics/search/space.ts';
import { curveReturns } from '../backtests/curve-returns.ts';
import { benchmarkHash, type StrategyWithBenchmark } from '../benchmarks/benchmark-data.ts';
import { benchmarkValues } from '../benchmarks/benchmark-values.ts';
import { prepareStrategy } from '../strategies/prepare-strategy.ts';
import { StrategyCache } from '../strategies/strategy-cache.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { strategyOfTrial, type TrialContext } from './run-trials.ts';
import { pointsOfRound } from './search-points.ts';
import { fewPoints, foldsFor, gridRefusal, lateBenchmark, type SearchRefusal } from './search-refusals.ts';
import { spaceOf } from './search-space.ts';

/** A search whose sessions are known. */
export type PreparedSearch = {
  context: TrialContext;
  baseline: ResolvedStrategy;
  sessions: readonly string[];
  /** The points of the first round. */
  first: readonly Point[];
  benchmarkHash: string | null;
};

type Preparation = { ok: true; search: PreparedSearch } | { ok: false; refusal: SearchRefusal };

/** Preparations by input. An entry is removed when its input is no longer in use. */
const known = new WeakMap<OptimizationInput, { data: StrategyWithBenchmark; preparation: Preparation }>();

/**
 * Prepares a search: prepares its baseline, whose sessions all trials share, and divides these sessions into folds. All
 * rounds that one thread computes share this preparation, including prices and signals.
 */
export function prepareSearch(input: OptimizationInput, data: StrategyWithBenchmark): Preparation {
  const found = known.get(input);
  if (found?.data === data) return found.preparation;
  const preparation = prepared(input, data);
  known.set(input, { data, preparation });
  return preparation;
}

function prepared(input: OptimizationInput, loaded: StrategyWithBenchmark): Preparation {
  const tooMany = gridRefusal(input);
  if (tooMany) return { ok: false, refusal: tooMany };
  const first = pointsOfRound(input, 0, [])!;
  const few = fewPoints(first);
  if (few) return { ok: false, refusal: few };
  const baseline = strategyOfTrial(input, input.baseline);
  if (baseline === null) throw new Error('the baseline was checked when the run was requested');
  const cache = new StrategyCache();
  const { data } = loaded;
  const found = prepareStrategy(baseline, data, cache);
  if (!found.ok) return found;
  const { sessions } = found.prepared;
  const folds = foldsFor(input, sessions.length - 1, baseline.schedule.lag);
  if (!folds.ok) return folds;
  const compared = benchmarkReturns(input, loaded, { baseline, sessions });
  if (!compared.ok) return compared;
  const context = {
    input,
    space: spaceOf(input.space),
    folds: folds.folds,
    data,
    benchmark: compared.returns,
    cache,
  };
  const hash = benchmarkHash(loaded.benchmark);
  return { ok: true, search: { context, baseline, sessions, first, benchmarkHash: hash } };
}

/**
 * Returns the returns of the benchmark; null without a benchmark. Refuses a benchmark without a value at the first
 * session.
 */
function benchmarkReturns(
  { benchmark }: OptimizationInput,
  { benchmark: data }: StrategyWithBenchmark,
  { baseline, sessions }: Pick<PreparedSearch, 'baseline' | 'sessions'>,
): { ok: true; returns: Float64Array | null } | { ok: false; refusal: SearchRefusal } {
  if (benchmark === null || data === null) return { ok: true, returns: null };
  const found = benchmarkValues(benchmark, data, { strategy: baseline, dates: sessions });
  if (!found.ok) return found;
  if (found.values === null) return { ok: false, refusal: lateBenchmark(sessions[0]!) };
  return { ok: true, returns: curveReturns(found.values) };
}
