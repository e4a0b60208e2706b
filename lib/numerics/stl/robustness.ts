/**
 * Returns bisquare weights of the remainders: 1 near 0, 0 beyond six times the median of their magnitudes.
 *
 * If all but a few remainders are 0, the median is 0 and the other remainders get weight 0.
 * Source: Cleveland, Cleveland, McRae and Terpenning (1990), section 2.3.
 */
export function bisquareWeights(remainder: Float64Array): Float64Array {
  const n = remainder.length;
  const magnitudes = remainder.map(Math.abs).sort((a, b) => a - b);
  const limit = 3 * (magnitudes[n >> 1]! + magnitudes[(n - 1) >> 1]!);
  return remainder.map((value) => {
    const magnitude = Math.abs(value);
    if (magnitude <= 0.001 * limit) return 1;
    if (magnitude > 0.999 * limit) return 0;
    const u = magnitude / limit;
    return (1 - u * u) * (1 - u * u);
  });
}
