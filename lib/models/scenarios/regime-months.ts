import { Matrix } from 'ml-matrix';
import { infer } from '#lib/numerics/regime/hidden-markov.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';

/**
 * Returns the weight of each training month in each regime, calmest regime first: the smoothed probability of the
 * regime in the month, divided by the sum of this probability over all months. Throws if the checkpoint cannot have
 * been fitted to the months.
 */
export function regimeMonths(
  { factors, regimes, transitions, initial }: Checkpoint,
  months: Float64Array,
): Float64Array[] {
  const model = {
    initial: Float64Array.from(initial),
    transitions: new Matrix(transitions),
    means: regimes.map(({ means }) => Float64Array.from(means)),
    covariances: regimes.map(({ covariance }) => new Matrix(covariance)),
  };
  const found = infer(model, { rows: months, dimensions: factors.length });
  if (!found) throw new Error('a covariance of the checkpoint is not positive definite');
  return regimes.map(({ name }, place) => {
    const weights = found.smoothed.filter((_, at) => at % regimes.length === place);
    let total = 0;
    for (const each of weights) total += each;
    if (!(total > 0)) throw new Error(`no month has weight in the regime ${name}`);
    return weights.map((each) => each / total);
  });
}
