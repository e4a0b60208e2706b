import type { Coefficients } from './coefficients.ts';

/**
 * Returns a function that computes the covariances of the state of an ARMA process with the first element of the state,
 * for an innovation variance of 1.
 *
 * The state is Harvey's: element i is the contribution of the terms of lag above i to the value i steps ahead. The
 * first result is the variance of the process. The function fills `out` (one element per element of the state) and
 * returns whether the process is stationary within the precision of doubles.
 * Source: autocovariances of the autoregressive part by the Durbin-Levinson recursion, down and up (Brockwell and
 * Davis, "Time Series: Theory and Methods", 5.2); the autocovariances of the whole process are a moving average of
 * them; the state is defined as in Harvey, "Forecasting, Structural Time Series Models and the Kalman Filter" (1989),
 * 3.3.
 */
export function stateCovariances({ phi, theta, phiLags, thetaLags }: Coefficients, states: number) {
  const p = phi.length;
  const q = theta.length;
  const lags = p + q + 1;
  const pure = autoregressiveCovariances(p);
  const u = new Float64Array(lags);
  const whole = new Float64Array(p + 1);
  const products = new Float64Array(q + 1);
  const psi = new Float64Array(q + 1);
  return (out: Float64Array): boolean => {
    if (!pure(phi, u)) return false;
    for (let k = p + 1; k < lags; k++) u[k] = weighted(phi, phiLags, u, k);
    lagProducts(theta, thetaLags, products);
    for (let k = 0; k < Math.max(p, 1); k++) {
      let sum = products[0]! * u[k]!;
      for (let s = 1; s <= q; s++)
        if (products[s] !== 0) sum += products[s]! * (u[k + s]! + u[Math.abs(k - s)]!);
      whole[k] = sum;
    }
    psi[0] = 1;
    for (let k = 1; k <= q; k++) psi[k] = theta[k - 1]! + weighted(phi, phiLags, psi, k);
    out[0] = whole[0]!;
    for (let i = 1; i < states; i++) {
      let sum = 0;
      for (const lag of phiLags) if (lag > i) sum += phi[lag - 1]! * whole[lag - i]!;
      for (const lag of thetaLags) if (lag >= i) sum += theta[lag - 1]! * psi[lag - i]!;
      out[i] = sum;
    }
    return true;
  };
}

/** Returns `sum phi_i values[k - i]` over the lags i that are at most k. */
function weighted(phi: Float64Array, lags: Int32Array, values: Float64Array, k: number): number {
  let sum = 0;
  for (const lag of lags) if (lag <= k) sum += phi[lag - 1]! * values[k - lag]!;
  return sum;
}

/** Fills `sum theta_j theta_(j+s)` for each s, with `theta_0 = 1`. */
function lagProducts(theta: Float64Array, lags: Int32Array, out: Float64Array): void {
  out.fill(0);
  out[0] = 1;
  for (const lag of lags) {
    const value = theta[lag - 1]!;
    out[lag] = out[lag]! + value;
    out[0] = out[0]! + value * value;
    for (const later of lags)
      if (later > lag) out[later - lag] = out[later - lag]! + value * theta[later - 1]!;
  }
}

/** Returns a function that fills the autocovariances 0..p of an autoregression with innovation variance 1. */
function autoregressiveCovariances(p: number) {
  const steps = Array.from({ length: p + 1 }, (_, k) => new Float64Array(k));
  return (phi: Float64Array, out: Float64Array): boolean => {
    steps[p]!.set(phi);
    let variance = 1;
    for (let k = p; k >= 1; k--) {
      const longer = steps[k]!;
      const partial = longer[k - 1]!;
      const scale = 1 - partial * partial;
      if (!(scale > 0)) return false;
      variance /= scale;
      const shorter = steps[k - 1]!;
      for (let j = 0; j < k - 1; j++) shorter[j] = (longer[j]! + partial * longer[k - 2 - j]!) / scale;
    }
    out[0] = variance;
    for (let k = 1; k <= p; k++) {
      const shorter = steps[k - 1]!;
      const partial = steps[k]![k - 1]!;
      let sum = partial * variance;
      for (let j = 0; j < k - 1; j++) sum += shorter[j]! * out[k - 1 - j]!;
      out[k] = sum;
      variance *= 1 - partial * partial;
    }
    return true;
  };
}
