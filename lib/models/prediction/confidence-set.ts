import { blockLength, circularResamples } from '#lib/numerics/comparison/circular-resamples.ts';
import { modelConfidenceSet } from '#lib/numerics/comparison/model-confidence-set.ts';

const RESAMPLES = 1_000;
const SEED = 0;
const LEVEL = 0.9;

/**
 * Computes the model confidence set of squared errors with a block bootstrap. A block is at least as long as the
 * horizon, and at least as long as the cube root of the number of rows. The random seed is fixed, so the same errors
 * give the same set.
 */
export function confidenceSet<Name extends string>(
  errors: readonly Float64Array[],
  names: readonly Name[],
  horizon: number,
) {
  const rows = errors[0]!.length;
  const block = blockLength(rows, horizon);
  const resamples = circularResamples(rows, { block, resamples: RESAMPLES, seed: SEED });
  const losses = errors.map((row) => row.map((error) => error * error));
  const steps = modelConfidenceSet(losses, resamples);
  return {
    level: LEVEL,
    resamples: RESAMPLES,
    block,
    members: errors.map((_, model) => {
      const { setP } = steps.find((step) => step.model === model)!;
      return { name: names[model]!, p_value: setP, in_set: setP > 1 - LEVEL };
    }),
  };
}
