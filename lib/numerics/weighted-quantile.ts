import { countBelow } from './count-below.ts';
/** Values in ascending order. `cumulative` has the sum of the weights up to each value. */
export type WeightedValues = {
  ascending: Float64Array;
  cumulative: Float64Array;
  /** Effective number of values: the square of the sum of the weights over the sum of their squares. */
  effective: number;
};

/**
 * Sorts values with weights for `weightedQuantile`. Values without weight are left out; equal values keep their order.
 *
 * Errors: `RangeError` if lengths differ, a value is not finite, a weight is negative or not finite, or no weight is
 * above 0.
 */
export function weightedValues(values: ArrayLike<number>, weights: ArrayLike<number>): WeightedValues {
  if (values.length !== weights.length) throw new RangeError('each value needs a weight');
  const places: number[] = [];
  for (let at = 0; at < values.length; at += 1) {
    if (!Number.isFinite(values[at]) || !Number.isFinite(weights[at]) || weights[at]! < 0)
      throw new RangeError(`the value ${values[at]} or its weight ${weights[at]} is not valid`);
    if (weights[at]! > 0) places.push(at);
  }
  if (places.length === 0) throw new RangeError('a weight must be above 0');
  places.sort((one, other) => values[one]! - values[other]! || one - other);
  const cumulative = new Float64Array(places.length);
  let [total, squares] = [0, 0];
  for (const [at, place] of places.entries()) {
    total += weights[place]!;
    cumulative[at] = total;
  }
  for (const place of places) squares += (weights[place]! / total) * (weights[place]! / total);
  return {
    ascending: Float64Array.from(places, (place) => values[place]!),
    cumulative: cumulative.map((each) => each / total),
    effective: Math.max(1, 1 / squares),
  };
}

/**
 * Returns the type 7 quantile of weighted values. With n the effective number of values, the quantile is the mean of
 * the weighted values between the shares (n - 1)p/n and ((n - 1)p + 1)/n. With equal weights, the result equals the
 * unweighted type 7 quantile. A value with almost no weight has almost no effect, and a value without weight changes no
 * bit.
 *
 * Errors: `RangeError` on p outside 0..1. Source: Akinshin, "Weighted quantile estimators" (2023), section 5, with the
 * effective number of Kish, "Survey Sampling" (1965).
 *
 * Example: for the values 1, 2, 3, 4 with equal weights, the quantile at 0.25 is 1.75.
 */
export function weightedQuantile({ ascending, cumulative, effective }: WeightedValues, p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`not a probability: ${p}`);
  const last = ascending.length - 1;
  const from = ((effective - 1) * p) / effective;
  const to = Math.min(1, from + 1 / effective);
  let at = firstAbove(cumulative, from);
  const lowest = ascending[at]!;
  let [total, mass] = [0, 0];
  for (let below = from; ; at += 1) {
    const upTo = at === last ? to : Math.min(to, cumulative[at]!);
    if (upTo > below) {
      total += (upTo - below) * ascending[at]!;
      mass += upTo - below;
      below = upTo;
    }
    if (at === last || cumulative[at]! >= to) break;
  }
  return mass > 0 ? Math.min(ascending[at]!, Math.max(lowest, total / mass)) : lowest;
}

/** Returns the index of the first share above `limit`, at most the last index. */
export function firstAbove(cumulative: Float64Array, limit: number): number {
  return Math.min(cumulative.length - 1, countBelow(cumulative, limit, { upTo: true }));
}
