import { selectDoubles } from '../select-doubles.ts';

/**
 * A convex, piecewise linear risk of weights: risk(w) is the largest of finitely many g'w. `at` returns the
 * risk of w, and a slope g with risk(w) = g'w and risk(v) >= g'v for all weights v.
 */
export type RiskMeasure = {
  assets: number;
  /**
   * An approximate upper bound of the length of all slopes. Tolerances for rounding errors are relative to
   * this number.
   */
  scale: number;
  /** Returns a lower bound of the risk of all weights within the bounds. */
  floor(lower: Float64Array, upper: Float64Array): number;
  at(weights: Float64Array): { value: number; slope: Float64Array };
};

/** Asset returns: T observations by n assets, row-major, in time order. */
export type ReturnTable = { assets: number; returns: Float64Array };

/**
 * Returns the number of observations. Throws a `RangeError` without observations, on a return that is not
 * finite, and on incomplete rows.
 */
export function observationsOf({ assets, returns }: ReturnTable): number {
  const count = returns.length / assets;
  if (!(assets >= 1) || !Number.isInteger(count) || count < 1)
    throw new RangeError(`${returns.length} returns are not rows of ${assets} assets`);
  if (!returns.every((each) => Math.abs(each) < Infinity)) throw new RangeError('a return is not finite');
  return count;
}

/** Computes the product of each row of a table with the weights. Weights of 0 are skipped. */
export function productsWith(
  table: Float64Array,
  weights: Float64Array,
  products: Float64Array,
): Float64Array {
  const assets = weights.length;
  const held: number[] = [];
  for (let i = 0; i < assets; i += 1) if (weights[i] !== 0) held.push(i);
  for (let t = 0; t < products.length; t += 1) {
    const row = t * assets;
    let total = 0;
    for (const i of held) total += table[row + i]! * weights[i]!;
    products[t] = total;
  }
  return products;
}

/**
 * The tail of sorted values: the `whole` largest values have the weight 1, and the next value has the weight `part`.
 * `size` is the sum of both.
 */
export type Tail = { size: number; whole: number; part: number };

/** Returns the tail of a level among n observations. Errors: `RangeError` unless 0 <= level < 1. */
export function tailOf(level: number, observations: number): Tail {
  if (!(level >= 0 && level < 1))
    throw new RangeError(`the level must be at least 0 and below 1, got ${level}`);
  const size = (1 - level) * observations;
  const whole = Math.floor(size);
  return { size, whole, part: size - whole };
}

/**
 * Returns the mean of the tail of some values, and the share of each value in it. Of equal values, the value
 * with the lower index is in the tail first.
 * Source: Rockafellar and Uryasev, "Conditional Value-at-Risk for General Loss Distributions" (Journal of
 * Banking and Finance 26, 2002), proposition 8.
 */
export function tailMean(
  values: Float64Array,
  { size, whole, part }: Tail,
): { mean: number; shares: Float64Array } {
  const count = values.length;
  const shares = new Float64Array(count);
  const rank = count - Math.min(whole + 1, count);
  const edge = selectDoubles(values, [{ from: rank, to: rank + 1 }])[rank]!;
  let left = whole;
  let total = 0;
  for (let t = 0; t < count; t += 1) {
    if (!(values[t]! > edge)) continue;
    shares[t] = 1 / size;
    total += values[t]!;
    left -= 1;
  }
  let rest = part;
  for (let t = 0; t < count && (left > 0 || rest > 0); t += 1) {
    if (values[t] !== edge) continue;
    const share = left > 0 ? 1 : rest;
    if (left > 0) left -= 1;
    else rest = 0;
    shares[t] = share / size;
    total += share * edge;
  }
  return { mean: total / size, shares };
}

/** Returns an upper bound of the length of the rows of a table. */
export function scaleOf(table: Float64Array, assets: number): number {
  let largest = 0;
  for (let at = 0; at < table.length; at += 1) largest = Math.max(largest, Math.abs(table[at]!));
  return largest * Math.sqrt(assets);
}

/**
 * Returns a lower bound of row'w for all rows of a table and all weights within the bounds: minus an upper
 * bound of |row'w|.
 */
export function floorOf(table: Float64Array, lower: Float64Array, upper: Float64Array): number {
  const assets = lower.length;
  const largest = new Float64Array(assets);
  for (let at = 0; at < table.length; at += 1)
    largest[at % assets] = Math.max(largest[at % assets]!, Math.abs(table[at]!));
  let total = 0;
  for (let i = 0; i < assets; i += 1)
    total += largest[i]! * Math.max(Math.abs(lower[i]!), Math.abs(upper[i]!));
  if (!(total < Infinity)) throw new RangeError('a risk needs bounds of the weights');
  return -total - 1;
}
