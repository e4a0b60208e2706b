/** Number of values below which the engine's own sort is fastest. */
const FEW = 2_048;
/**
 * Average number of values per bucket. The next constant is the maximum number of values that are sorted by insertion.
 */
const PER_BUCKET = 4;
const INSERTED_MAX = 48;

/**
 * Returns the values in ascending order, in a new array. The bits equal `Float64Array.from(values).sort()`, in a third
 * of the time if there are many values and they are spread out.
 *
 * Values are distributed to buckets of equal width. Rounding keeps order, so the buckets are in order. Each bucket is
 * sorted separately. Negative zeros, infinities and NaN, and buckets that are overfull because of ties or outliers, are
 * left to the engine. Source: Dobosiewicz, "Sorting by distributive partitioning" (1978).
 *
 * Example: `sortDoubles(Float64Array.of(2, 3, 1))` is 1, 2, 3.
 */
export function sortDoubles(values: Float64Array): Float64Array {
  const n = values.length;
  const range = n < FEW ? null : finiteRange(values);
  if (range === null) return Float64Array.from(values).sort();
  const { min, width } = range;
  const buckets = Math.ceil(n / PER_BUCKET);
  const scale = (buckets - 1) / width;
  if (!(width > 0 && Number.isFinite(scale))) return Float64Array.from(values).sort();
  const ends = new Uint32Array(buckets + 1);
  for (let at = 0; at < n; at += 1) ends[(((values[at]! - min) * scale) >>> 0) + 1]! += 1;
  for (let bucket = 0; bucket < buckets; bucket += 1) ends[bucket + 1]! += ends[bucket]!;
  const sorted = new Float64Array(n);
  // After the distribution, the start of each bucket has moved to its end.
  for (let at = 0; at < n; at += 1) {
    const value = values[at]!;
    const bucket = ((value - min) * scale) >>> 0;
    const place = ends[bucket]!;
    sorted[place] = value;
    ends[bucket] = place + 1;
  }
  let from = 0;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const to = ends[bucket]!;
    if (to - from > INSERTED_MAX) sorted.set(Float64Array.from(sorted.subarray(from, to)).sort(), from);
    else insertionSort(sorted, from, to);
    from = to;
  }
  return sorted;
}

/** Returns the smallest value and the range; null if a value is not finite or is a negative zero. */
export function finiteRange(values: Float64Array): { min: number; width: number } | null {
  let [min, greatest, isPlain] = [Infinity, -Infinity, true];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]!;
    if (value < min) min = value;
    if (value > greatest) greatest = value;
    if (value === 0 ? 1 / value < 0 : value - value !== 0) isPlain = false;
  }
  return isPlain ? { min, width: greatest - min } : null;
}

function insertionSort(values: Float64Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at += 1) {
    const value = values[at]!;
    let place = at;
    for (; place > from && values[place - 1]! > value; place -= 1) values[place] = values[place - 1]!;
    values[place] = value;
  }
}
