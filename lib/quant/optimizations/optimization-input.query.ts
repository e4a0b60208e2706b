import { utcDate } from '#lib/core/clock.ts';
import { invalid } from '#lib/core/problem.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { Space } from '#lib/numerics/search/space.ts';
import { windowFaults } from '../backtests/backtest-window.ts';
import { benchmarkInput } from '../benchmarks/benchmark-input.query.ts';
import { pinFeatures } from '../strategies/strategy-features.query.ts';
import { familyOf } from '../strategies/strategy-family.ts';
import { faultsUnder } from '../strategies/strategy-fault.ts';
import { strategyQuestion } from '../strategies/strategy-question.ts';
import { resolveStrategy } from '../strategies/resolve-strategy.ts';
import { countTrials } from '../trials/trial-count.query.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { SEARCH_DEFAULTS } from './optimization-limits.ts';
import type { OptimizationRequestBody } from './optimization-request.schema.ts';
import { requestFaults } from './request-faults.ts';
import { spaceOf } from './search-space.ts';
import { warmupOfSpace } from './space-warmup.ts';

/** Resolves a request: checks it, fills in every default, and counts the sealed trials of the family. */
export async function optimizationInput(em: Em, request: OptimizationRequestBody, now: Date) {
  const asOf = request.as_of ?? utcDate(now);
  const early = [
    ...windowFaults({ from: request.from, to: request.to, asOf }, utcDate(now)),
    ...requestFaults(request),
  ];
  if (early.length) throw invalid(early);
  const chosen = resolveStrategy(request.strategy, request.baseline);
  if (!chosen.ok) throw invalid(faultsUnder('/strategy', chosen.faults, '/baseline'));
  const { features, faults } = await pinFeatures(em, strategyQuestion(chosen.strategy).features);
  if (faults.length) throw invalid(faultsUnder('/strategy', faults));
  const revisions = await currentRevisions(em);
  const benchmark = await benchmarkInput(em, request.benchmark, { strategy: chosen.strategy, revisions });
  const space = spaceOf(request.space);
  const trials = request.trials ?? SEARCH_DEFAULTS.trials;
  const family = familyOf(chosen.strategy, chosen.replaced);
  const input: OptimizationInput = {
    kind: 'strategy',
    family,
    strategy: request.strategy,
    features,
    from: request.from,
    to: request.to,
    as_of: asOf,
    warmup: warmupOfSpace(request.strategy, chosen.parameters, space),
    space: request.space,
    where: request.where ?? null,
    method: request.method ?? (isFiniteSpace(space) ? 'grid' : 'random'),
    trials,
    metric: request.objective?.metric ?? 'sharpe',
    cost_multiplier: request.objective?.cost_multiplier ?? 1,
    require: request.require ?? [],
    baseline: chosen.parameters,
    benchmark,
    walk_forward: request.walk_forward === undefined ? {} : request.walk_forward,
    cscv_blocks: request.cscv_blocks ?? SEARCH_DEFAULTS.blocks,
    periods_per_year: request.periods_per_year ?? (chosen.strategy.frequency === 'monthly' ? 12 : 252),
    before: { declared: request.trials_declared ?? 0, ...(await countTrials(em, family)) },
    seed: request.seed ?? 0,
  };
  return { input, datasetRevisions: revisions };
}

/** Whether every axis of a space has a finite number of values. */
function isFiniteSpace(space: Space): boolean {
  return space.every((axis) => 'values' in axis || axis.step !== undefined || axis.integer === true);
}
