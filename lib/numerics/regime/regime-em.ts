import { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';
import {
  inferBy,
  type FittingModel,
  type Inference,
  type Observations,
  type RegimeModel,
} from './hidden-markov.ts';

const TOLERANCE = 1e-12;
const ITERATIONS_MAX = 2000;

export type RegimeFit = {
  model: RegimeModel;
  inference: Inference;
  iterations: number;
  /** Log-likelihood before each iteration. It never decreases, except by rounding. */
  trace: number[];
};

/**
 * Fits a Gaussian hidden Markov model by expectation-maximisation, starting from probabilities of the regimes (T-by-K,
 * one row per month). The distribution of the regime in the first month is a free parameter, so each step is an exact
 * maximum and the likelihood never decreases. Ends when the log-likelihood grows by less than 1e-12 of itself, or after
 * 2,000 steps. Returns null if a covariance becomes singular.
 *
 * Source: Baum et al. (1970); Dempster, Laird and Rubin (1977).
 */
export function fitRegimes(
  observations: Observations,
  responsibilities: Float64Array,
  { tolerance = TOLERANCE }: { tolerance?: number } = {},
): RegimeFit | null {
  const K = responsibilities.length / (observations.rows.length / observations.dimensions);
  const transitions = matrixOf(K, K, (j, k) => (j === k ? (K === 1 ? 1 : 0.9) : 0.1 / (K - 1)));
  let model: FittingModel = {
    initial: new Float64Array(K).fill(1 / K),
    transitions,
    ...momentsOf(observations, responsibilities),
  };
  let inference = inferBy(model, observations);
  const trace: number[] = [];
  while (inference) {
    trace.push(inference.logLikelihood);
    const grown = trace.length < 2 ? Infinity : inference.logLikelihood - trace.at(-2)!;
    if (Math.abs(grown) <= tolerance * Math.abs(inference.logLikelihood) || trace.length > ITERATIONS_MAX)
      return { model: fitted(model), inference, iterations: trace.length - 1, trace };
    model = maximise(observations, inference);
    inference = inferBy(model, observations);
  }
  return null;
}

function fitted({ covariances, ...model }: FittingModel): RegimeModel {
  const D = model.means[0]!.length;
  return { ...model, covariances: covariances.map((each) => Matrix.from1DArray(D, D, each)) };
}

function maximise(observations: Observations, { smoothed, changes }: Inference): FittingModel {
  const K = changes.rows;
  const transitions = new Matrix(K, K);
  for (let j = 0; j < K; j += 1) {
    let left = 0;
    for (let k = 0; k < K; k += 1) left += changes.get(j, k);
    for (let k = 0; k < K; k += 1)
      transitions.set(j, k, left > 0 ? changes.get(j, k) / left : Number(j === k));
  }
  return { initial: smoothed.slice(0, K), transitions, ...momentsOf(observations, smoothed) };
}

/** Returns a mean and a covariance for each regime: the months are weighted by their probability of the regime. */
function momentsOf(observations: Observations, weights: Float64Array) {
  const { rows, dimensions: D } = observations;
  const T = rows.length / D;
  const K = weights.length / T;
  const means: Float64Array[] = [];
  const covariances: Float64Array[] = [];
  for (let k = 0; k < K; k += 1) {
    let total = 0;
    const mean = new Float64Array(D);
    for (let t = 0; t < T; t += 1) {
      const weight = weights[t * K + k]!;
      total += weight;
      for (let d = 0; d < D; d += 1) mean[d]! += weight * rows[t * D + d]!;
    }
    for (let d = 0; d < D; d += 1) mean[d]! /= total;
    means.push(mean);
    covariances.push(covarianceAround(observations, weights, { k, K, mean, total }));
  }
  return { means, covariances };
}

function covarianceAround(
  { rows, dimensions: D }: Observations,
  weights: Float64Array,
  { k, K, mean, total }: { k: number; K: number; mean: Float64Array; total: number },
): Float64Array {
  const T = rows.length / D;
  const covariance = new Float64Array(D * D);
  const off = new Float64Array(D);
  for (let t = 0; t < T; t += 1) {
    const weight = weights[t * K + k]!;
    for (let a = 0; a < D; a += 1) {
      off[a] = rows[t * D + a]! - mean[a]!;
      const one = weight * off[a]!;
      for (let b = 0; b <= a; b += 1) covariance[a * D + b]! += one * off[b]!;
    }
  }
  for (let a = 0; a < D; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      covariance[a * D + b]! /= total;
      covariance[b * D + a] = covariance[a * D + b]!;
    }
  }
  return covariance;
}
