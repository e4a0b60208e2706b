import { interpolate, quantilePosition } from './quantile.ts';

/** Working memory of `tailQuantiles`. It is created once for many calls and grows when needed. */
export type TailScratch = { low: Float64Array; high: Float64Array };

export function tailScratch(): TailScratch {
  return { low: new Float64Array(64), high: new Float64Array(64) };
}

/**
 * Returns the type 7 quantiles at `lower` and `upper` of the first `count` values, without sorting all of these values.
 * Only the two tails are sorted, which for 1 % and 99 % is a fiftieth of the values. The bits equal `quantile`.
 *
 * The values are not changed. Throws a `RangeError` on a count of 0, on probabilities outside 0..1 and on NaN. Source:
 * the definition in `quantile`.
 *
 * Example: for the values 1, 2, ..., 101 in any order, the quantiles at 0.01 and 0.99 are 2 and 100.
 */
export function tailQuantiles(
  values: Float64Array,
  count: number,
  { lower, upper }: { lower: number; upper: number },
  scratch: TailScratch = tailScratch(),
): { low: number; high: number } {
  if (count < 1 || count > values.length) throw new RangeError('a quantile needs at least one value');
  if (!(lower >= 0 && lower <= upper && upper <= 1))
    throw new RangeError('the probabilities must be from 0 to 1, in ascending order');
  const lowAt = quantilePosition(count, lower);
  const highAt = quantilePosition(count, upper);
  const lowSize = Math.min(lowAt.below + 2, count);
  const highSize = count - highAt.below;
  if (scratch.low.length < lowSize) scratch.low = new Float64Array(2 * lowSize);
  if (scratch.high.length < highSize) scratch.high = new Float64Array(2 * highSize);
  keepTails(values, count, { low: scratch.low, lowSize, high: scratch.high, highSize });
  return {
    low: interpolate(scratch.low[lowAt.below]!, scratch.low[lowSize - 1]!, lowAt.weight),
    high: interpolate(scratch.high[highSize - 1]!, scratch.high[Math.max(highSize - 2, 0)]!, highAt.weight),
  };
}

/**
 * Writes the `lowSize` smallest values to `low`, ascending, and the `highSize` largest values to `high`, descending.
 */
function keepTails(
  values: Float64Array,
  count: number,
  {
    low,
    lowSize,
    high,
    highSize,
  }: { low: Float64Array; lowSize: number; high: Float64Array; highSize: number },
): void {
  for (let i = 0; i < count; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) throw new RangeError('a quantile of NaN is undefined');
    if (i < lowSize || value < low[lowSize - 1]!) {
      let at = Math.min(i, lowSize - 1);
      for (; at > 0 && low[at - 1]! > value; at -= 1) low[at] = low[at - 1]!;
      low[at] = value;
    }
    if (i < highSize || value > high[highSize - 1]!) {
      let at = Math.min(i, highSize - 1);
      for (; at > 0 && high[at - 1]! < value; at -= 1) high[at] = high[at - 1]!;
      high[at] = value;
    }
  }
}
