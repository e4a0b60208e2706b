import { freeOf } from './partial-autocorrelations.ts';
import { coefficientsOf, type ArimaOrders } from './orders.ts';

/** Maximum magnitude of the partial autocorrelations from which an estimation starts. */
const WITHIN = 0.9;

/**
 * Returns fixed starts of an estimation: all zeros, and the sample estimates of each part on its own.
 *
 * Autoregressive parts start from the sample's partial autocorrelations (Durbin-Levinson). Moving averages start from
 * the first autocorrelation if the model has no autoregressive part.
 */
export function startsOf(values: Float64Array, orders: ArimaOrders): Float64Array[] {
  const { p, q, P, Q, period } = orders;
  const zero = new Float64Array(coefficientsOf(orders));
  if (zero.length === 0) return [zero];
  const sample = zero.slice();
  const rho = autocorrelations(values, Math.max(p, 1), orders.constant);
  partials(rho, p).forEach((partial, i) => (sample[i] = squeezed(partial)));
  const seasonal = P + Q > 0 ? autocorrelation(values, period, orders.constant) : 0;
  if (P > 0) sample[p] = squeezed(seasonal);
  if (q > 0 && p === 0) sample[p + P] = -squeezed(rho[1]!);
  if (Q > 0 && P === 0) sample[p + P + q] = -squeezed(seasonal);
  return [sample, zero];
}

/**
 * Returns the parameters of one model as a start of another: parameters that both models have are kept, and new
 * parameters start at 0.
 */
export function carriedOver(x: Float64Array, from: ArimaOrders, to: ArimaOrders): Float64Array {
  const out = new Float64Array(coefficientsOf(to));
  let source = 0;
  let target = 0;
  for (const part of ['p', 'P', 'q', 'Q'] as const) {
    const shared = Math.min(from[part], to[part]);
    for (let i = 0; i < shared; i++) out[target + i] = x[source + i]!;
    source += from[part];
    target += to[part];
  }
  return out;
}

function squeezed(partial: number): number {
  return freeOf(Math.min(WITHIN, Math.max(-WITHIN, partial)));
}

function autocorrelations(values: Float64Array, count: number, centred: boolean): Float64Array {
  return Float64Array.from({ length: count + 1 }, (_, lag) => autocorrelation(values, lag, centred));
}

function autocorrelation(values: Float64Array, lag: number, centred: boolean): number {
  const n = values.length;
  let mean = 0;
  if (centred) for (const value of values) mean += value / n;
  let along = 0;
  let total = 0;
  for (let t = 0; t < n; t++) {
    const value = values[t]! - mean;
    total += value * value;
    if (t >= lag) along += value * (values[t - lag]! - mean);
  }
  return total > 0 ? along / total : 0;
}

/** Returns partial autocorrelations from sample autocorrelations by the Durbin-Levinson recursion. */
function partials(rho: Float64Array, count: number): number[] {
  const found: number[] = [];
  const phi = new Float64Array(count);
  let variance = 1;
  for (let k = 0; k < count; k++) {
    let sum = rho[k + 1]!;
    for (let j = 0; j < k; j++) sum -= phi[j]! * rho[k - j]!;
    const partial = variance > 1e-9 ? sum / variance : 0;
    const previous = phi.slice(0, k);
    for (let j = 0; j < k; j++) phi[j] = previous[j]! - partial * previous[k - 1 - j]!;
    phi[k] = partial;
    variance *= 1 - partial * partial;
    found.push(partial);
  }
  return found;
}
