export type MatrixProfile = {
  /** Distance of each window to the nearest other window of the same shape. */
  distances: Float64Array;
  /** Where that window starts; -1 where there is none. */
  nearest: Int32Array;
  /** Start of the window that is farthest from every other. */
  discord: number;
};

/** How often the sum of a distance is held against what it would have to beat. */
const LOOK = 16;

/**
 * Matrix profile of a series: the z-normalised Euclidean distance of every window of `length` values to the nearest that
 * starts more than ceil(length / 4) away. Windows that do not vary are at 0 from one another and at sqrt(length) from others.
 *
 * Time the square of the number of windows, times their length at most: a sum ends once it can be no nearest any more.
 * Errors: `RangeError` on fewer than two windows.
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
    for (let j = i + exclusion(length) + 1; j < windows; j += 1) {
      const most = Math.max(distances[i]!, distances[j]!);
      const squares = squaresBetween(shapes, i, shapes, j, length, most);
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

/** The distance of every window of a series to the nearest window of another series, which it does not change. */
export function profileAgainst(
  reference: ArrayLike<number>,
  series: ArrayLike<number>,
  length: number,
): Float64Array {
  const known = normalisedWindows(reference, length, reference.length - length + 1);
  const shapes = normalisedWindows(series, length, series.length - length + 1);
  return Float64Array.from({ length: series.length - length + 1 }, (_, i) => {
    let least = Infinity;
    for (let j = 0; j < known.length / length; j += 1)
      least = Math.min(least, squaresBetween(shapes, i, known, j, length, least));
    return Math.sqrt(least);
  });
}

/** How many values a series needs so that each of its windows has another one to be near to. */
export function valuesNeeded(length: number): number {
  return length + 2 * exclusion(length) + 1;
}

/** Windows that start so near to one another are of the same shape because they are nearly the same window. */
function exclusion(length: number): number {
  return Math.ceil(length / 4);
}

/** The squared distance of two windows, or any sum of its first parts that reaches `most`. */
function squaresBetween(
  one: Float64Array,
  i: number,
  other: Float64Array,
  j: number,
  length: number,
  most: number,
): number {
  let squares = 0;
  for (let at = 0; at < length; at += 1) {
    const off = one[i * length + at]! - other[j * length + at]!;
    squares += off * off;
    if (at % LOOK === LOOK - 1 && squares >= most) break;
  }
  return squares;
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
