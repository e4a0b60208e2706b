import { Matrix } from 'ml-matrix';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { momentsOf } from '#lib/models/scenarios/regime-laws.ts';
import { regimeProbabilities } from '#lib/models/scenarios/regime-probabilities.ts';
import { engineDraw } from '#lib/models/scenarios/scenario-draws.ts';
import { replaceByExponentials } from '#lib/numerics/exponential-kernel.ts';
import { drawPaths, drawRegimes } from '#lib/numerics/scenario/draw-paths.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import { scenarioLaw } from '#lib/numerics/scenario/scenario-law.ts';
import type { Allocation } from '#lib/numerics/simulation/portfolio-growth.ts';
import { inBlocks } from './growth-source.ts';
import type { ResolvedModel } from './model-source.schema.ts';
import type { DrawGrowth } from './simulation-setup.ts';

/** The checkpoint of a model, and its training months if the engine draws from them. */
export type ModelData = { checkpoint: Checkpoint; months: Float64Array | null };

type ModelPlan = {
  source: Pick<ResolvedModel, 'regime' | 'engine' | 'degrees_of_freedom'>;
  allocation: Allocation;
  seed: number;
  horizon: number;
};

/**
 * Returns a function that draws the paths of a regime model. The engine `gaussian` draws the same cumulative
 * log returns as a path run with the same seed. Errors: throws if the model has no regime of this name, or
 * if a covariance is not positive definite.
 */
export function modelGrowth(data: ModelData, plan: ModelPlan): DrawGrowth {
  const { regime, engine = 'gaussian' } = plan.source;
  const start = regimeProbabilities(data.checkpoint, regime);
  if (!start) throw new Error(`the model has no regime ${regime}`);
  return engine === 'gaussian'
    ? gaussianGrowth(data.checkpoint, start, plan)
    : engineGrowth({ ...data, start, engine }, plan);
}

function gaussianGrowth(
  { regimes, factors, transitions }: Checkpoint,
  start: readonly number[],
  { allocation, seed, horizon }: ModelPlan,
): DrawGrowth {
  const law = {
    means: regimes.map(({ means }) => Float64Array.from(means)),
    lowers: regimes.map(({ covariance, name }) => {
      const lower = lowerCholesky(new Matrix(covariance));
      if (!lower) throw notPositive(name);
      return lower;
    }),
    transitions: new Matrix(transitions),
  };
  const size = factors.length;
  return inBlocks(allocation, horizon, (growth, first, count) => {
    const { cumulative } = drawPaths(law, { seed, first, count, horizon, start });
    for (let row = 0; row < count * horizon; row += 1) {
      const isStart = row % horizon === 0;
      for (let a = 0; a < size; a += 1) {
        const at = row * size + a;
        growth[at] = cumulative[at]! - (isStart ? 0 : cumulative[at - size]!);
      }
    }
    replaceByExponentials(growth);
  });
}

/**
 * Returns a function that draws months with an engine of scenarios. Month t of path i has the regime that a
 * path run with the same seed draws, and is sample i x horizon + t of the engine in this regime.
 */
function engineGrowth(
  {
    start,
    engine,
    ...data
  }: ModelData & {
    start: readonly number[];
    engine: NonNullable<ResolvedModel['engine']>;
  },
  { source, allocation, seed, horizon }: ModelPlan,
): DrawGrowth {
  const { regimes, factors, transitions } = data.checkpoint;
  const draws = regimes.map((own, place) => {
    const found = scenarioLaw(momentsOf(own), [], source.degrees_of_freedom ?? null);
    if (!found) throw notPositive(own.name);
    return engineDraw(engine, {
      ...data,
      probabilities: regimes.map((_, at) => Number(at === place)),
      laws: regimes.map((_, at) => (at === place ? found.law : null)),
    });
  });
  const chain = new Matrix(transitions);
  const size = factors.length;
  return inBlocks(allocation, horizon, (growth, first, count) => {
    const chosen = drawRegimes(chain, { seed, first, count, horizon, start });
    const part = { seed, first: first * horizon, count: count * horizon, antithetic: false };
    const drawn = draws.map((draw, place) => (chosen.includes(place) ? draw(part) : null));
    for (const [row, place] of chosen.entries()) {
      const returns = drawn[place]!;
      for (let at = row * size; at < (row + 1) * size; at += 1) growth[at] = returns[at]!;
    }
    replaceByExponentials(growth);
  });
}

function notPositive(regime: string): Error {
  return new Error(`the covariance of the regime ${regime} is not positive definite`);
}
