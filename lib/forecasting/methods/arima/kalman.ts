import { stateCovariances } from './autocovariances.ts';
import type { Coefficients } from './coefficients.ts';

/**
 * Output of the filter: one-step errors of the values and of a series of ones that passes through the same
 * filter, their variances relative to the innovation variance, and the predicted states after the last value.
 */
export type Filtered = {
  errors: Float64Array;
  errorsOfOne: Float64Array;
  variances: Float64Array;
  state: Float64Array;
  stateOfOne: Float64Array;
};

/**
 * Relative variance of a one-step error below which the filter treats its gain as constant and the error as an
 * innovation.
 */
const STEADY = 1 + 1e-11;

/**
 * Creates the Kalman filter of a stationary ARMA process, started from its stationary distribution.
 *
 * The covariance of the state changes by a matrix of rank one per step, so a step costs four multiplications per
 * element of the state instead of their square. Returns a function that filters with the current coefficients, and
 * returns false if they are at the edge of stationarity.
 * Source: state as in Harvey (1989), 3.3; recursions as in Morf, Sidhu and Kailath, "Some new algorithms for recursive
 * estimation in constant, linear, discrete-time systems", IEEE Transactions on Automatic Control 19 (1974); for ARMA as
 * in Mélard, "A fast algorithm for the exact likelihood of autoregressive-moving average models", Applied Statistics 33
 * (1984), AS 197.
 */
export function kalmanFilter(values: Float64Array, coefficients: Coefficients) {
  const n = values.length;
  const { phi, theta } = coefficients;
  const states = Math.max(phi.length, theta.length + 1);
  const start = stateCovariances(coefficients, states);
  const covariances = new Float64Array(states + 1);
  const transition = new Float64Array(states);
  const gain = new Float64Array(states);
  const change = new Float64Array(states + 1);
  const state = new Float64Array(states + 1);
  const stateOfOne = new Float64Array(states + 1);
  const errors = new Float64Array(n);
  const errorsOfOne = new Float64Array(n);
  const variances = new Float64Array(n);
  const result: Filtered = { errors, errorsOfOne, variances, state, stateOfOne };
  return (withOne: boolean): Filtered | undefined => {
    if (!start(covariances)) return undefined;
    transition.set(phi);
    let variance = covariances[0]!;
    let factor = -1 / variance;
    for (let i = 0; i < states; i++)
      change[i] = gain[i] = transition[i]! * covariances[0]! + covariances[i + 1]!;
    state.fill(0);
    stateOfOne.fill(0);
    for (let t = 0; t < n; t++) {
      const first = state[0]!;
      const error = values[t]! - first;
      const share = error / variance;
      errors[t] = error;
      variances[t] = variance;
      if (withOne) {
        const firstOfOne = stateOfOne[0]!;
        const errorOfOne = 1 - firstOfOne;
        errorsOfOne[t] = errorOfOne;
        advance(stateOfOne, firstOfOne, errorOfOne / variance, transition, gain);
      }
      if (variance < STEADY) {
        advance(state, first, share, transition, gain);
        continue;
      }
      const head = change[0]!;
      const headShare = head / variance;
      const scaled = factor * head;
      for (let i = 0; i < states; i++) {
        const coefficient = transition[i]!;
        const weight = gain[i]!;
        const moved = coefficient * head + change[i + 1]!;
        state[i] = state[i + 1]! + coefficient * first + weight * share;
        change[i] = moved - weight * headShare;
        gain[i] = weight + scaled * moved;
      }
      variance += scaled * head;
      factor -= (scaled * scaled) / variance;
    }
    return result;
  };
}

/**
 * Computes the predicted state of the next period, from the first element of the state and the error relative to its
 * variance.
 */
function advance(
  state: Float64Array,
  first: number,
  share: number,
  transition: Float64Array,
  gain: Float64Array,
): void {
  for (let i = 0; i < transition.length; i++)
    state[i] = state[i + 1]! + transition[i]! * first + gain[i]! * share;
}
