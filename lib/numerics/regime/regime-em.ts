import { infer, type Inference, type Observations, type RegimeModel } from './hidden-markov.ts';

const TOLERANCE = 1e-12;
const ITERATIONS_MAX = 2000;

export type RegimeFit = {
  model: RegimeModel;
  inference: Inference;
  iterations: number;
  /** Log-likelihood before each iteration; it never falls but for rounding. */
  trace: number[];
};

/**
 * Estimates a Gaussian hidden Markov model by expectation and maximisation, from probabilities of the regimes to start
 * with (T-by-K). Initial probabilities are free, so that each step is an exact maximum and the likelihood never falls.
 * Ends when it grows by less than 1e-12 of itself, or after 2,000 steps. Null where a covariance becomes singular.
 *
 * Source: Baum et al. (1970); Dempster, Laird and Rubin (1977).
 */
export function fitRegimes(
  observations: Observations,
  responsibilities: Float64Array,
  { tolerance = TOLERANCE }: { tolerance?: number } = {},
): RegimeFit | null {
  const T = observations.rows.length / observations.dimensions;
  const K = responsibilities.length / T;
  const transitions = Float64Array.from({ length: K * K }, (_, at) =>
    Math.floor(at / K) === at % K ? (K === 1 ? 1 : 0.9) : 0.1 / (K - 1),
  );
  let model: RegimeModel = {
    initial: new Float64Array(K).fill(1 / K),
    transitions,
    ...momentsOf(observations, responsibilities),
  };
  let inference = infer(model, observations);
  const trace: number[] = [];
  while (inference) {
    trace.push(inference.logLikelihood);
    const grown = trace.length < 2 ? Infinity : inference.logLikelihood - trace.at(-2)!;
    if (Math.abs(grown) <= tolerance * Math.abs(inference.logLikelihood) || trace.length > ITERATIONS_MAX)
      return { model, inference, iterations: trace.length - 1, trace };
    model = maximise(observations, inference);
    inference = infer(model, observations);
  }
  return null;
}

function maximise(observations: Observations, { smoothed, changes }: Inference): RegimeModel {
  const K = Math.round(Math.sqrt(changes.length));
  const transitions = new Float64Array(K * K);
  for (let j = 0; j < K; j += 1) {
    let left = 0;
    for (let k = 0; k < K; k += 1) left += changes[j * K + k]!;
    for (let k = 0; k < K; k += 1)
      transitions[j * K + k] = left > 0 ? changes[j * K + k]! / left : Number(j === k);
  }
  return { initial: smoothed.slice(0, K), transitions, ...momentsOf(observations, smoothed) };
}

/** Means and covariances of the months, weighted by the probability of each regime. */
function momentsOf({ rows, dimensions: D }: Observations, weights: Float64Array) {
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
    covariances.push(covarianceAround({ rows, dimensions: D }, weights, { k, K, mean, total }));
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
  for (let t = 0; t < T; t += 1) {
    const weight = weights[t * K + k]!;
    for (let a = 0; a < D; a += 1) {
      const one = weight * (rows[t * D + a]! - mean[a]!);
      for (let b = 0; b <= a; b += 1) covariance[a * D + b]! += one * (rows[t * D + b]! - mean[b]!);
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
