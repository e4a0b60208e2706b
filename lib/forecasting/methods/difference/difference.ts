/**
 * Returns the differences at a lag: `out[t] = values[t + lag] - values[t]`; empty if the series is not longer than the
 * lag.
 *
 * @example
 * difference(Float64Array.of(1, 3, 6), 1); // 2, 3
 */
export function difference(values: Float64Array, lag: number): Float64Array {
  const out = new Float64Array(Math.max(0, values.length - lag));
  for (let t = 0; t < out.length; t++) out[t] = values[t + lag]! - values[t]!;
  return out;
}

/** Whether all values are equal within 1.5e-8 of the mean magnitude. An empty series is constant. */
export function isConstant(values: Float64Array): boolean {
  const first = values[0];
  if (first === undefined) return true;
  let change = 0;
  let differing = 0;
  for (const value of values)
    if (value !== first) {
      change += Math.abs(value - first);
      differing += 1;
    }
  if (differing === 0) return true;
  return first === 0 ? false : change <= 1.5e-8 * Math.abs(first) * differing;
}
