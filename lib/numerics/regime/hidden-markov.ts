import { Matrix } from 'ml-matrix';
import { rowMajor } from '../matrix.ts';
import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';
import { lowerFactor, solveForward } from '../scenario/lower-cholesky.ts';

const LN_TWO_PI = 1.8378770664093453;

/** A Gaussian hidden Markov model of K regimes of D factors. */
export type RegimeModel = {
  initial: Float64Array;
  /** Transition probabilities, K-by-K: P[from][to]. */
  transitions: Matrix;
  means: Float64Array[];
  covariances: Matrix[];
};

/** Observations of D factors in T months: one row of D numbers per month, in order. */
export type Observations = { rows: Float64Array; dimensions: number };

export type Inference = {
  logLikelihood: number;
  /** Log density of each month given the months before it. The sum over all months is the log-likelihood. */
  logDensities: Float64Array;
  /**
   * Probability of each regime given the months so far, T-by-K with one row per month. `smoothed` is the probability
   * given all months.
   */
  filtered: Float64Array;
  smoothed: Float64Array;
  /** Expected number of changes from one regime to another, K-by-K. */
  changes: Matrix;
};

/**
 * Runs the forward and backward pass of a model over observations. Returns null if a covariance is not positive
 * definite.
 *
 * In each month, densities are divided by the largest density and probabilities are scaled to sum 1, so that nothing
 * underflows.
 * Source: Baum, Petrie, Soules and Weiss (1970); Rabiner, "A Tutorial on Hidden Markov Models" (1989), V.A for scaling.
 */
export function infer(model: RegimeModel, observations: Observations): Inference | null {
  return inferBy({ ...model, covariances: model.covariances.map(rowMajor) }, observations);
}

/**
 * A regime model during a fit. Its covariances are plain arrays, row by row, because a fit creates thousands of them.
 */
export type FittingModel = Omit<RegimeModel, 'covariances'> & { covariances: Float64Array[] };

/** Runs the passes of `infer` for a model during a fit. */
export function inferBy(model: FittingModel, observations: Observations): Inference | null {
  const { initial } = model;
  const transitions = rowMajor(model.transitions);
  const K = initial.length;
  const scaled = scaledDensities(model, observations);
  if (!scaled) return null;
  const { densities, logScale } = scaled;
  const T = densities.length / K;
  const filtered = new Float64Array(T * K);
  const scales = new Float64Array(T);
  const logDensities = new Float64Array(T);
  let logLikelihood = 0;
  for (let t = 0; t < T; t += 1) {
    let total = 0;
    for (let k = 0; k < K; k += 1) {
      let before = initial[k]!;
      if (t > 0) {
        before = 0;
        for (let j = 0; j < K; j += 1) before += filtered[(t - 1) * K + j]! * transitions[j * K + k]!;
      }
      filtered[t * K + k] = before * densities[t * K + k]!;
      total += filtered[t * K + k]!;
    }
    for (let k = 0; k < K; k += 1) filtered[t * K + k]! /= total;
    scales[t] = total;
    logDensities[t] = ln(total) + logScale[t]!;
    logLikelihood += logDensities[t]!;
  }
  return { logLikelihood, logDensities, filtered, ...smooth(transitions, filtered, densities, scales) };
}

function smooth(
  transitions: Float64Array,
  filtered: Float64Array,
  densities: Float64Array,
  scales: Float64Array,
): { smoothed: Float64Array; changes: Matrix } {
  const T = scales.length;
  const K = filtered.length / T;
  const smoothed = Float64Array.from(filtered);
  const changes = new Float64Array(K * K);
  let after = new Float64Array(K).fill(1);
  for (let t = T - 2; t >= 0; t -= 1) {
    const now = new Float64Array(K);
    for (let j = 0; j < K; j += 1) {
      for (let k = 0; k < K; k += 1) {
        const step = (transitions[j * K + k]! * densities[(t + 1) * K + k]! * after[k]!) / scales[t + 1]!;
        now[j]! += step;
        changes[j * K + k]! += filtered[t * K + j]! * step;
      }
      smoothed[t * K + j] = filtered[t * K + j]! * now[j]!;
    }
    after = now;
  }
  return { smoothed, changes: Matrix.from1DArray(K, K, changes) };
}

/**
 * Returns the normal densities of each month and regime, divided by the largest density of the month. Also returns the
 * logarithm of this largest density.
 */
function scaledDensities(model: FittingModel, { rows, dimensions: D }: Observations) {
  const K = model.initial.length;
  const T = rows.length / D;
  const logs = new Float64Array(T * K);
  const off = new Float64Array(D);
  for (let k = 0; k < K; k += 1) {
    const lower = lowerFactor(model.covariances[k]!, D);
    if (!lower) return null;
    let logRoot = 0;
    for (let d = 0; d < D; d += 1) logRoot += ln(lower[d * D + d]!);
    for (let t = 0; t < T; t += 1) {
      for (let d = 0; d < D; d += 1) off[d] = rows[t * D + d]! - model.means[k]![d]!;
      solveForward(lower, D, off);
      let squares = 0;
      for (let d = 0; d < D; d += 1) squares += off[d]! * off[d]!;
      logs[t * K + k] = -0.5 * (D * LN_TWO_PI + squares) - logRoot;
    }
  }
  const logScale = new Float64Array(T);
  for (let t = 0; t < T; t += 1) {
    let largest = -Infinity;
    for (let k = 0; k < K; k += 1) largest = Math.max(largest, logs[t * K + k]!);
    logScale[t] = largest;
    for (let k = 0; k < K; k += 1) logs[t * K + k] = exp(logs[t * K + k]! - largest);
  }
  return { densities: logs, logScale };
}
