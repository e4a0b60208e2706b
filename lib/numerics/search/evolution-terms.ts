import { ln } from '../natural-log.ts';

/** The constants of an evolution strategy in n dimensions, named as in the source. */
export type EvolutionTerms = {
  /** Points of a generation. */
  lambda: number;
  /** Weights of the best points, best first; they sum to 1. */
  weights: Float64Array;
  muEff: number;
  cSigma: number;
  dSigma: number;
  cc: number;
  c1: number;
  cMu: number;
  /** Expected length of a standard normal vector. */
  chiN: number;
};

/**
 * Returns the number of points of a generation in n dimensions: 4 + floor(3 ln n), rounded up to a multiple
 * of 4, so that workers can divide a generation evenly.
 *
 * `n`: 1 or more. Example: 4 for 1 dimension, 8 for 2, 12 for 10.
 */
export function populationSize(n: number): number {
  return 4 * Math.ceil((4 + Math.floor(3 * ln(n))) / 4);
}

/**
 * Returns the default constants for n dimensions, with weights above 0 only.
 *
 * Source: Hansen, "The CMA Evolution Strategy: A Comparing Review" (2006), table 1; the rates of the covariance matrix
 * of "The CMA Evolution Strategy: A Tutorial" (2016), equations 57 and 58 with a covariance of 2.
 */
export function evolutionTerms(n: number): EvolutionTerms {
  const lambda = populationSize(n);
  const raw = Float64Array.from({ length: lambda / 2 }, (_, i) => ln((lambda + 1) / 2) - ln(i + 1));
  let [total, squares] = [0, 0];
  for (const weight of raw) {
    total += weight;
    squares += weight * weight;
  }
  const muEff = (total * total) / squares;
  const c1 = 2 / ((n + 1.3) * (n + 1.3) + muEff);
  const cMu = Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) * (n + 2) + muEff));
  const cSigma = (muEff + 2) / (n + muEff + 5);
  return {
    lambda,
    weights: raw.map((weight) => weight / total),
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cc: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu,
    chiN: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}
