import { mean } from '#lib/numerics/descriptive.ts';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import { columnOf, type PredictionTarget, type Series } from './series.ts';

export type Baseline = PredictionCheckpoint['baseline'] & { meanSquaredError: number };

/**
 * Returns the naive prediction with the smaller error on a series: the mean of the target or, if the horizon is above
 * 0, the last value of the target.
 */
export function naiveBaseline(series: Series, { target, horizon }: PredictionTarget): Baseline {
  const values = columnOf(series, target);
  const centre = mean(values);
  const ahead = values.slice(horizon);
  const byMean = meanSquare(ahead, (value) => value - centre);
  const byLast = horizon === 0 ? Infinity : meanSquare(ahead, (value, at) => value - values[at]!);
  return byLast < byMean
    ? { kind: 'last_value', mean: centre, meanSquaredError: byLast }
    : { kind: 'mean', mean: centre, meanSquaredError: byMean };
}

export function meanSquare(values: Float64Array, errorOf: (value: number, at: number) => number): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) {
    const error = errorOf(values[at]!, at);
    total += error * error;
  }
  return total / values.length;
}
