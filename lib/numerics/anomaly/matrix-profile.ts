export type MatrixProfile = {
  /** Distance of each window to the nearest other window of the same shape. */
  distances: Float64Array;
  /** Where that window starts; -1 where there is none. */
  nearest: Int32Array;
  /** Start of the window that is farthest from every other. */
  discord: number;
};

/**
 * Matrix profile of a series: the z-normalised Euclidean distance of every window of `length` values to the nearest that
 * starts more than ceil(length / 4) away. Windows that do not vary are at 0 from one another and at sqrt(length) from others.
 *
 * Time the square of the number of windows, times their length. Errors: `RangeError` on fewer than two windows.
 * Source: Yeh et al., "Matrix Profile I" (ICDM 2016), by the definition.
 */
export function matrixProfile(series: ArrayLike<number>, length: number): MatrixProfile {
  const windows = series.length - length + 1;
  if (windows < 2 || length < 2) throw new RangeError(`${series.length} values have no windows of ${length}`);
  const shapes = normalisedWindows(series, length, windows);
  const distances = new Float64Array(windows).fill(Infinity);
  const nearest = new Int32Array(windows).fill(-1);
  const keep = (of: number, other: number, distance: number) => {
    if (distance >= distances[of]!) return;
    distances[of] = distance;
    nearest[of] = other;
  };
  for (let i = 0; i < windows; i += 1) {
    for (let j = i + Math.ceil(length / 4) + 1; j < windows; j += 1) {
      let squares = 0;
      for (let at = 0; at < length; at += 1) {
        const off = shapes[i * length + at]! - shapes[j * length + at]!;
        squares += off * off;
      }
      keep(i, j, squares);
      keep(j, i, squares);
    }
  }
  let discord = 0;
  for (let i = 0; i < windows; i += 1) {
    distances[i] = Math.sqrt(distances[i]!);
    if (distances[i]! > distances[discord]! && distances[i]! < Infinity) discord = i;
  }
  return { distances, nearest, discord };
}

/** Each window less its mean and over its population deviation; all 0 where it does not vary. */
function normalisedWindows(series: ArrayLike<number>, length: number, windows: number): Float64Array {
  const shapes = new Float64Array(windows * length);
  for (let start = 0; start < windows; start += 1) {
    let total = 0;
    for (let at = start; at < start + length; at += 1) total += series[at]!;
    const mean = total / length;
    let squares = 0;
    for (let at = start; at < start + length; at += 1) squares += (series[at]! - mean) * (series[at]! - mean);
    const deviation = Math.sqrt(squares / length);
    if (!(deviation > 0)) continue;
    for (let at = 0; at < length; at += 1)
      shapes[start * length + at] = (series[start + at]! - mean) / deviation;
  }
  return shapes;
}
