/**
 * Returns the simple returns of a curve of n values: n - 1 fractions. After the value has reached 0, returns are 0.
 *
 * Example: the values 100, 110, 0, 0 have the returns 0.1, -1, 0.
 */
export function curveReturns(values: Float64Array): Float64Array {
  const returns = new Float64Array(Math.max(0, values.length - 1));
  for (let at = 0; at < returns.length; at += 1) {
    returns[at] = values[at]! > 0 ? values[at + 1]! / values[at]! - 1 : 0;
  }
  return returns;
}
