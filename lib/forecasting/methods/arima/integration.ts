import type { ArimaOrders } from './orders.ts';

/**
 * Returns the weights `delta` of `1 / ((1 - B)^d (1 - B^period)^D) = sum delta_k B^k`, lags 0..count-1.
 *
 * @example
 * integrationWeights({ d: 1, D: 0, ... }, 4); // 1, 1, 1, 1
 */
export function integrationWeights({ d, D, period }: ArimaOrders, count: number): Float64Array {
  const weights = new Float64Array(count);
  if (count > 0) weights[0] = 1;
  for (let i = 0; i < d; i++) cumulate(weights, 1);
  for (let i = 0; i < D; i++) cumulate(weights, period);
  return weights;
}

/** Continues a series from the differences of its further values (`ahead`). */
export function integrate(
  values: Float64Array,
  ahead: Float64Array,
  { d, D, period }: ArimaOrders,
): Float64Array {
  const lags = [...Array.from({ length: D }, () => period), ...Array.from({ length: d }, () => 1)];
  return follow(values, ahead, lags);
}

function follow(values: Float64Array, ahead: Float64Array, lags: readonly number[]): Float64Array {
  const [lag, ...others] = lags;
  if (lag === undefined) return ahead;
  const n = values.length;
  const inner = Float64Array.from({ length: n - lag }, (_, t) => values[t + lag]! - values[t]!);
  const changes = follow(inner, ahead, others);
  const out = new Float64Array(n + changes.length);
  out.set(values);
  changes.forEach((change, h) => (out[n + h] = out[n + h - lag]! + change));
  return out.slice(n);
}

function cumulate(weights: Float64Array, lag: number): void {
  for (let k = lag; k < weights.length; k++) weights[k] = weights[k]! + weights[k - lag]!;
}
