import { Matrix } from 'ml-matrix';
import { stateCovariances } from './autocovariances.ts';
import type { Coefficients } from './coefficients.ts';

/**
 * Returns the covariance of the state predicted after `steps` values, for an innovation variance of 1.
 *
 * Starts with the covariance of the stationary distribution. The stationary covariance is computed from its first
 * column, backwards from the last element, because the last element has no successor. Each observed value then reduces
 * the covariance. Source: Harvey (1989), 3.3.2 and 3.2.3.
 */
export function stateCovariance(coefficients: Coefficients, steps: number): Matrix {
  const { phi, theta } = coefficients;
  const states = Math.max(phi.length, theta.length + 1);
  const transition = Float64Array.from({ length: states }, (_, i) => phi[i] ?? 0);
  const impulse = Float64Array.from({ length: states }, (_, i) => (i === 0 ? 1 : (theta[i - 1] ?? 0)));
  let covariance = stationary(coefficients, transition, impulse);
  for (let t = 0; t < steps; t++) {
    const next = step(covariance, transition, impulse);
    const settled = isSettled(covariance, next);
    covariance = next;
    if (settled) break;
  }
  return Matrix.from1DArray(states, states, covariance);
}

function stationary(
  coefficients: Coefficients,
  transition: Float64Array,
  impulse: Float64Array,
): Float64Array {
  const states = transition.length;
  const first = new Float64Array(states + 1);
  stateCovariances(coefficients, states)(first);
  const covariance = new Float64Array(states * states);
  for (let i = states - 1; i >= 0; i--)
    for (let j = i; j >= 0; j--) {
      const after = i + 1 < states && j + 1 < states ? covariance[(i + 1) * states + j + 1]! : 0;
      const value =
        transition[i]! * transition[j]! * first[0]! +
        transition[i]! * first[j + 1]! +
        transition[j]! * first[i + 1]! +
        after +
        impulse[i]! * impulse[j]!;
      covariance[i * states + j] = covariance[j * states + i] = value;
    }
  return covariance;
}

/** Computes `T (P - P Z' Z P / F) T' + R R'`. */
function step(covariance: Float64Array, transition: Float64Array, impulse: Float64Array): Float64Array {
  const states = transition.length;
  const next = new Float64Array(states * states);
  const variance = covariance[0]!;
  const left = (i: number, j: number): number =>
    i < states && j < states
      ? covariance[i * states + j]! - (covariance[i * states]! / variance) * covariance[j]!
      : 0;
  for (let i = 0; i < states; i++)
    for (let j = 0; j <= i; j++) {
      const value = left(i + 1, j + 1) + impulse[i]! * impulse[j]!;
      next[i * states + j] = next[j * states + i] = value;
    }
  return next;
}

function isSettled(covariance: Float64Array, next: Float64Array): boolean {
  return covariance.every((value, i) => Math.abs(value - next[i]!) <= 1e-14 * covariance[0]!);
}
