import { mean, standardDeviation } from './descriptive.ts';

/**
 * Returns the distance of each value above the mean of all values, in sample standard deviations (ddof 1). NaN has no
 * score and is not counted. With fewer than two values, or if all are equal, all scores are NaN.
 *
 * Example: `zScores([1, 2, NaN, 3])` is `[-1, 0, NaN, 1]`.
 */
export function zScores(values: ArrayLike<number>): Float64Array {
  const scores = new Float64Array(values.length).fill(Number.NaN);
  const there = Array.from(values).filter((value) => !Number.isNaN(value));
  if (there.every((value) => value === there[0])) return scores;
  const centre = mean(there);
  const deviation = standardDeviation(there, { ddof: 1 });
  for (let at = 0; at < scores.length; at += 1) scores[at] = (values[at]! - centre) / deviation;
  return scores;
}
