import { mean, standardDeviation } from './descriptive.ts';

/**
 * How many sample standard deviations (ddof 1) each value is above the mean of all. NaN has no score and does not
 * count. Where fewer than two values are there, or all are equal, none has a score (NaN).
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
