/** Bits of the mantissa that a bucket keeps. The width of a bucket is at most 2^-10 times its smallest value. */
const MANTISSA_BITS = 10;
const PER_OCTAVE = 1 << MANTISSA_BITS;
/** Largest relative difference between a value and the middle of its bucket. */
export const BUCKET_RESOLUTION = 1 / (2 * PER_OCTAVE);
/** Largest number of octaves (powers of 2) of a window. */
const OCTAVES_MAX = 64;
/** Octaves of the window below the smallest and above the largest value of a pilot sample. */
const MARGIN = 2;
/** The buckets before a window: values of 0, and values below the window. */
const BEFORE = 2;

/**
 * A range of buckets. The number of a bucket consists of the exponent and the upper bits of the mantissa of a double.
 * `size` includes the buckets for values outside the window.
 */
export type BucketWindow = { base: number; size: number };

const doubles = new Float64Array(1);
const words = new Uint32Array(doubles.buffer);

/** Returns the number of the bucket of a value of at least 0: its exponent and the first ten bits of its mantissa. */
function bucketOf(value: number): number {
  doubles[0] = value;
  return words[1]! >>> (20 - MANTISSA_BITS);
}

/** Returns the smallest value of a bucket. */
function lowerEdge(bucket: number): number {
  words[0] = 0;
  words[1] = bucket << (20 - MANTISSA_BITS);
  return doubles[0]!;
}

/**
 * Returns the window of buckets for values like those of a pilot sample: from two octaves below its smallest
 * value above 0 to two octaves above its largest value, at most 64 octaves. Without values above 0, the
 * window is around 1.
 */
export function bucketWindow(pilot: Float64Array): BucketWindow {
  let [low, high] = [Infinity, 0];
  for (const value of pilot) {
    if (value > 0 && value < low) low = value;
    if (value > high && value < Infinity) high = value;
  }
  const [from, to] = high > 0 ? [bucketOf(low), bucketOf(high)] : [bucketOf(1), bucketOf(1)];
  const end = to + 1 + MARGIN * PER_OCTAVE;
  const base = Math.max(1, from - MARGIN * PER_OCTAVE, end - OCTAVES_MAX * PER_OCTAVE);
  return { base, size: BEFORE + (end - base) + 1 };
}

/**
 * Adds the first `count` values to the counts of a window. Counts are integers, so counts of parts add up exactly in
 * any order. Values are at least 0.
 */
export function countValues(
  counts: Uint32Array,
  values: Float64Array,
  count: number,
  { base, size }: BucketWindow,
): void {
  for (let i = 0; i < count; i += 1) {
    const value = values[i]!;
    const bucket = bucketOf(value) - base + BEFORE;
    const place = value === 0 ? 0 : bucket < BEFORE ? 1 : bucket >= size ? size - 1 : bucket;
    counts[place]! += 1;
  }
}

/**
 * Returns the value that an index of the counts represents: 0, the middle of its bucket, or the edge of the
 * window for values outside of it.
 */
export function bucketValue(place: number, { base, size }: BucketWindow): number {
  if (place === 0) return 0;
  if (place === 1) return lowerEdge(base);
  const bucket = base + place - BEFORE;
  if (place === size - 1) return lowerEdge(bucket);
  return (lowerEdge(bucket) + lowerEdge(bucket + 1)) / 2;
}
