/**
 * Number of doubles that describe a chunk: its count, its mean, and the sums of the second to fourth powers of the
 * deviations.
 */
export const MOMENTS = 5;

/**
 * Writes the count, the mean and the sums of powers of deviations of the first `count` values to `out` from `at`. It
 * takes two passes. Without values, all are 0. `out`: `MOMENTS` doubles.
 */
export function chunkMoments(values: Float64Array, count: number, out: Float64Array, at: number): void {
  let total = 0;
  for (let i = 0; i < count; i += 1) total += values[i]!;
  const mean = count === 0 ? 0 : total / count;
  let [second, third, fourth] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const deviation = values[i]! - mean;
    const square = deviation * deviation;
    second += square;
    third += square * deviation;
    fourth += square * square;
  }
  out[at] = count;
  out[at + 1] = mean;
  out[at + 2] = second;
  out[at + 3] = third;
  out[at + 4] = fourth;
}

/** Moments of all values of several chunks. */
export type Moments = { count: number; mean: number; second: number; third: number; fourth: number };

export const noMoments: Moments = { count: 0, mean: 0, second: 0, third: 0, fourth: 0 };

/**
 * Returns the moments of the values of two groups together. `second`, `third` and `fourth` are sums of powers of
 * deviations from the mean. The result depends on the order in which groups are joined, so join them in the order of
 * the paths. Source: Pébay, "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
 * statistical moments", Sandia report SAND2008-6212, equations 2.1 to 3.3.
 */
export function joinMoments(one: Moments, other: Moments): Moments {
  if (other.count === 0) return one;
  if (one.count === 0) return other;
  const [m, n, delta] = [one.count, other.count, other.mean - one.mean];
  const count = m + n;
  const share = delta / count;
  const square = share * share;
  const second = one.second + other.second + delta * share * m * n;
  const third =
    one.third +
    other.third +
    delta * square * m * n * (m - n) +
    3 * share * (m * other.second - n * one.second);
  const fourth =
    one.fourth +
    other.fourth +
    delta * square * share * m * n * (m * m - m * n + n * n) +
    6 * square * (m * m * other.second + n * n * one.second) +
    4 * share * (m * other.third - n * one.third);
  return { count, mean: one.mean + share * n, second, third, fourth };
}

/** Returns the moments that `chunkMoments` wrote from index `at` on. */
export function momentsAt(numbers: Float64Array, at: number): Moments {
  const [count, mean, second, third, fourth] = numbers.subarray(at, at + MOMENTS);
  return { count: count!, mean: mean!, second: second!, third: third!, fourth: fourth! };
}

/** Returns the population standard deviation, and the standard errors of the mean and of the deviation. */
export function errorsOf({ count, second, fourth }: Moments): {
  deviation: number;
  meanError: number;
  deviationError: number;
} {
  if (count === 0) return { deviation: 0, meanError: 0, deviationError: 0 };
  const variance = second / count;
  const deviation = Math.sqrt(variance);
  const ofVariance = Math.max(0, fourth / count - variance * variance) / count;
  return {
    deviation,
    meanError: deviation / Math.sqrt(count),
    // The delta method: the standard error of the variance times the derivative of the square root, 1 / (2 deviation).
    deviationError: deviation > 0 ? Math.sqrt(ofVariance) / (2 * deviation) : 0,
  };
}
