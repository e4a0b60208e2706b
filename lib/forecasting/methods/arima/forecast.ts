import type { Forecast } from '../method.ts';
import type { Estimate } from './estimate.ts';
import { integrate, integrationWeights } from './integration.ts';
import { stateCovariance } from './state-covariance.ts';

/**
 * Forecasts the undifferenced series, with exact standard errors under the estimated model.
 *
 * The variance at h steps has two parts, both accumulated by the weights of the differences: the variance of the state
 * after the last value, carried forward, and the variance of the innovations since. Parameters are treated as known, as
 * is usual. The innovation variance is corrected for the number of coefficients if there are enough observations.
 * Source: Box and Jenkins, "Time Series Analysis" (1976), 5.1.1 and 5.2.4; state as in Harvey (1989), 3.3.
 */
export function forecastArima(values: Float64Array, estimate: Estimate, horizon: number): Forecast {
  const { orders, coefficients, likelihood } = estimate;
  const { phi, theta } = coefficients;
  const { constant, filtered } = likelihood;
  const states = filtered.state.length - 1;
  const ahead = new Float64Array(horizon);
  let state = Float64Array.from(
    { length: states + 1 },
    (_, i) => filtered.state[i]! - constant * filtered.stateOfOne[i]!,
  );
  for (let h = 0; h < horizon; h++) {
    const first = state[0]!;
    ahead[h] = first + constant;
    state = state.map((_, i) => (state[i + 1] ?? 0) + (phi[i] ?? 0) * first);
  }
  const point = integrate(values, ahead, orders);
  const weights = integrationWeights(orders, horizon);
  const covariance = stateCovariance(coefficients, filtered.errors.length);
  const impulse = Float64Array.from({ length: states }, (_, i) => (i === 0 ? 1 : (theta[i - 1] ?? 0)));
  const variance = unbiasedVariance(estimate);
  const standardErrors = new Float64Array(horizon);
  const loadings = loadingsOf(phi, states, horizon);
  let since = 0;
  for (let h = 0; h < horizon; h++) {
    const sum = new Float64Array(states);
    for (let j = 0; j <= h; j++)
      for (let i = 0; i < states; i++) sum[i] = sum[i]! + weights[h - j]! * loadings[j]![i]!;
    let quadratic = 0;
    for (let i = 0; i < states; i++) {
      let row = 0;
      for (let k = 0; k < states; k++) row += covariance.get(i, k) * sum[k]!;
      quadratic += sum[i]! * row;
    }
    standardErrors[h] = Math.sqrt(Math.max(0, variance * (quadratic + since)));
    let psi = 0;
    for (let i = 0; i < states; i++) psi += sum[i]! * impulse[i]!;
    since += psi * psi;
  }
  return { point, standardErrors };
}

/**
 * Returns the loadings of the value j steps ahead on the state: the first row of the transition matrix to the power j.
 */
function loadingsOf(phi: Float64Array, states: number, horizon: number): Float64Array[] {
  const rows: Float64Array[] = [];
  let row = new Float64Array(states);
  row[0] = 1;
  for (let j = 0; j < horizon; j++) {
    rows.push(row);
    const next = new Float64Array(states);
    for (let i = 0; i < states; i++) next[0] = next[0]! + row[i]! * (phi[i] ?? 0);
    for (let i = 1; i < states; i++) next[i] = row[i - 1]!;
    row = next;
  }
  return rows;
}

function unbiasedVariance({ orders, coefficients, likelihood }: Estimate): number {
  const n = likelihood.filtered.errors.length;
  const { ar, ma, seasonalAr, seasonalMa } = coefficients;
  const free = ar.length + ma.length + seasonalAr.length + seasonalMa.length + (orders.constant ? 1 : 0);
  return n > free ? (likelihood.variance * n) / (n - free) : likelihood.variance;
}
