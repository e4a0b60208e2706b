import { mean } from '../descriptive.ts';
import { varies } from './varies.ts';

/** Mean, standard deviation, skewness and excess kurtosis, all of the population (divided by n). */
export type PopulationMoments = {
  mean: number;
  deviation: number;
  /** m3 / m2^1.5. Null if the values do not vary. */
  skewness: number | null;
  /** m4 / m2^2 - 3. Null if the values do not vary. */
  excessKurtosis: number | null;
};

/**
 * Returns the population moments of values, in two passes.
 *
 * Throws a `RangeError` without values. Source: Joanes and Gill, "Comparing Measures of Sample Skewness and Kurtosis"
 * (1998), g1 and g2.
 *
 * Example: for [-1, 0, 1] the mean is 0, the deviation sqrt(2/3), the skewness 0 and the excess kurtosis -1.5.
 */
export function populationMoments(values: ArrayLike<number>): PopulationMoments {
  const centre = mean(values);
  const n = values.length;
  let [seconds, thirds, fourths] = [0, 0, 0];
  for (let t = 0; t < n; t += 1) {
    const deviation = values[t]! - centre;
    const square = deviation * deviation;
    seconds += square;
    thirds += square * deviation;
    fourths += square * square;
  }
  const variance = seconds / n;
  const deviation = Math.sqrt(variance);
  const isVaried = varies(values);
  return {
    mean: centre,
    deviation,
    skewness: isVaried ? thirds / n / (variance * deviation) : null,
    excessKurtosis: isVaried ? fourths / n / (variance * variance) - 3 : null,
  };
}
