/**
 * Returns the energy distance of two samples of points: 2 mean |x - y| - mean |x - x'| - mean |y - y'| over all pairs,
 * including a point with itself. The distance is never below 0, except by rounding.
 *
 * Shapes as in `meanDiscrepancy`; time (n + m)^2. Source: Szekely and Rizzo, "Energy statistics" (2013), equation 5.
 */
export function energyDistance(points: Float64Array, dimensions: number, n: number): number {
  const size = points.length / dimensions;
  const m = size - n;
  let [within, across, beyond] = [0, 0, 0];
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      let square = 0;
      for (let d = 0; d < dimensions; d += 1) {
        const off = points[i * dimensions + d]! - points[j * dimensions + d]!;
        square += off * off;
      }
      if (j < n) within += Math.sqrt(square);
      else if (i < n) across += Math.sqrt(square);
      else beyond += Math.sqrt(square);
    }
  }
  return (2 * across) / (n * m) - (2 * within) / (n * n) - (2 * beyond) / (m * m);
}
