/** The periods in which every series has a value, and how much of each series was observed. */
export type CompleteObservations = {
  /** K series of values in the N complete periods, in the order of time. */
  series: Float64Array[];
  /** Indices of the complete periods, ascending. */
  periods: number[];
  /** Share of the T periods in which each series has a value, 0 to 1. */
  coverage: Float64Array;
};

/**
 * Returns the periods in which every series has a finite value. A covariance matrix of complete periods is
 * positive semidefinite. A covariance matrix that is estimated pair by pair can be indefinite.
 *
 * Shapes: `series` has K rows of T values, oldest first, NaN if missing. If T is 0, the coverage is 0.
 * Errors: `RangeError` if the series differ in length.
 *
 * Example: [[1, NaN, 3], [4, 5, 6]] gives [[1, 3], [4, 6]], the periods [0, 2] and the coverage [2/3, 1].
 */
export function completeObservations(series: readonly ArrayLike<number>[]): CompleteObservations {
  const length = series[0]?.length ?? 0;
  const observed = new Float64Array(series.length);
  const isComplete = new Uint8Array(length).fill(1);
  for (const [k, values] of series.entries()) {
    if (values.length !== length)
      throw new RangeError(`series ${k} has ${values.length} values, and not ${length}`);
    for (let t = 0; t < length; t += 1) {
      if (Number.isFinite(values[t])) observed[k]! += 1;
      else isComplete[t] = 0;
    }
  }
  const periods: number[] = [];
  for (let t = 0; t < length; t += 1) if (isComplete[t]) periods.push(t);
  return {
    series: series.map((values) => Float64Array.from(periods, (t) => values[t]!)),
    periods,
    coverage: observed.map((count) => (length === 0 ? 0 : count / length)),
  };
}
