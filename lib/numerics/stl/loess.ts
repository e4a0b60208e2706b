/**
 * One loess smoother: `width` is the number of neighbours used, `degree` is 0 (local means) or 1 (local lines), and
 * `jump` is the distance between smoothed points; the points between them are filled by straight lines.
 */
export type Loess = { width: number; degree: 0 | 1; jump: number };

/** Points at positions 1..length, stored in a part of a larger array. Each point can have a robustness weight. */
export type Points = { values: Float64Array; length: number; robustness?: Float64Array | undefined };

/**
 * Smooths the first `length` values into `out`, starting at index `at`.
 *
 * A point whose neighbours all have weight 0 keeps its value. A single point is unchanged.
 * Source: R. B. Cleveland, W. S. Cleveland, McRae and Terpenning, "STL: A Seasonal-Trend Decomposition Procedure Based
 * on Loess", Journal of Official Statistics 6 (1990), section 2.1 and, for jumps, the Fortran code in its section 5.2.
 */
export function smooth(
  points: Points,
  loess: Loess,
  out: Float64Array,
  at: number,
  work: Float64Array,
): void {
  const { values, length: n } = points;
  if (n < 2) {
    if (n === 1) out[at] = values[0]!;
    return;
  }
  const { width } = loess;
  const step = Math.min(loess.jump, n - 1);
  const half = (width + 1) >> 1;
  let left = 1;
  let right = Math.min(width, n);
  for (let x = 1; x <= n; x += step) {
    if (width < n) {
      left = x < half ? 1 : x > n - half ? n - width + 1 : x - half + 1;
      right = left + width - 1;
    }
    const value = smoothAt(points, loess, { x, left, right }, work);
    out[at + x - 1] = value === value ? value : values[x - 1]!;
  }
  if (step > 1) fillBetween(points, loess, { step, left, right }, out, at, work);
}

/**
 * Returns the smoothed value at position `x`, inside or outside 1..length, computed from the neighbours `left` to
 * `right`. Returns NaN if all of these neighbours have weight 0.
 */
export function smoothAt(
  points: Points,
  loess: Loess,
  where: { x: number; left: number; right: number },
  work: Float64Array,
): number {
  const { values, length: n, robustness } = points;
  const { x, left, right } = where;
  let h = Math.max(x - left, right - x);
  if (loess.width > n) h += (loess.width - n) >> 1;
  const far = 0.999 * h;
  const near = 0.001 * h;
  let total = 0;
  for (let j = left; j <= right; j++) {
    const distance = Math.abs(j - x);
    let weight = 0;
    if (distance <= far) {
      weight = distance <= near ? 1 : tricube(distance / h);
      if (robustness) weight *= robustness[j - 1]!;
      total += weight;
    }
    work[j] = weight;
  }
  if (!(total > 0)) return Number.NaN;
  let mean = 0;
  for (let j = left; j <= right; j++) mean += (work[j] = work[j]! / total) * j;
  let slope = 0;
  if (h > 0 && loess.degree === 1) {
    let spread = 0;
    for (let j = left; j <= right; j++) spread += work[j]! * (j - mean) * (j - mean);
    if (Math.sqrt(spread) > 0.001 * (n - 1)) slope = (x - mean) / spread;
  }
  let value = 0;
  for (let j = left; j <= right; j++) value += work[j]! * (slope * (j - mean) + 1) * values[j - 1]!;
  return value;
}

function tricube(u: number): number {
  const complement = 1 - u * u * u;
  return complement * complement * complement;
}

/** Interpolates between the smoothed points. Smooths the last point if it was skipped. */
function fillBetween(
  points: Points,
  loess: Loess,
  { step, left, right }: { step: number; left: number; right: number },
  out: Float64Array,
  at: number,
  work: Float64Array,
): void {
  const n = points.length;
  for (let x = 1; x <= n - step; x += step) interpolate(out, at + x - 1, step);
  const last = Math.floor((n - 1) / step) * step + 1;
  if (last === n) return;
  const value = smoothAt(points, loess, { x: n, left, right }, work);
  out[at + n - 1] = value === value ? value : points.values[n - 1]!;
  interpolate(out, at + last - 1, n - last);
}

function interpolate(out: Float64Array, from: number, steps: number): void {
  const slope = (out[from + steps]! - out[from]!) / steps;
  for (let k = 1; k < steps; k++) out[from + k] = out[from]! + slope * k;
}
