import { infer } from '#lib/numerics/regime/hidden-markov.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';

/**
 * How much each month of the training counts in each regime, from the calmest on: the probability of the regime in the
 * month given all months, over its sum. Throws where the checkpoint cannot have been fitted to the months.
 */
export function regimeMonths(
  { factors, regimes, transitions, initial }: Checkpoint,
  months: Float64Array,
): Float64Array[] {
  const model = {
    initial: Float64Array.from(initial),
    transitions: Float64Array.from(transitions.flat()),
    means: regimes.map(({ means }) => Float64Array.from(means)),
    covariances: regimes.map(({ covariance }) => Float64Array.from(covariance.flat())),
  };
  const found = infer(model, { rows: months, dimensions: factors.length });
  if (!found) throw new Error('a covariance of the checkpoint is not positive definite');
  return regimes.map(({ name }, place) => {
    const weights = found.smoothed.filter((_, at) => at % regimes.length === place);
    let total = 0;
    for (const each of weights) total += each;
    if (!(total > 0)) throw new Error(`no month is in the regime ${name}`);
    return weights.map((each) => each / total);
  });
}
