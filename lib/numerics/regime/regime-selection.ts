import { ln } from '../natural-log.ts';
import { matrixOf } from '../matrix.ts';
import { PHILOX_DOMAINS } from '../philox.ts';
import { symmetricEigenvalues } from '../symmetric-eigenvalues.ts';
import { uniformStream } from '../uniform-stream.ts';
import type { Observations, RegimeModel } from './hidden-markov.ts';
import { fitRegimes, type RegimeFit } from './regime-em.ts';
import { REGIME_CUTS, startProbabilities } from './regime-start.ts';

const FURTHER_STARTS = 8;
const PERTURBATION = 0.2;
const OCCUPANCY_MIN = 24;
const EIGENVALUE_RATIO_MIN = 1e-8;
const DURATION_MIN = 1.5;
const SHRINKAGE = 0.02;
/**
 * Minimum improvement of the log-likelihood for a fit to replace an earlier fit. Fits that end at the same optimum
 * differ by less, so the earliest of these fits is kept.
 */
const BETTER_BY = 1e-6;

export const REGIME_NAMES: Readonly<Record<number, readonly string[]>> = {
  1: ['calm'],
  2: ['calm', 'stressed'],
  3: ['calm', 'turbulent', 'crisis'],
};

export type RegimeCandidate = {
  regimes: number;
  logLikelihood: number;
  bic: number;
  /** Index of the start that led to the fit. 0 is the start of the recipe. */
  start: number;
  starts: number;
  passing: number;
};

export type RegimeSelection = { fit: RegimeFit; chosen: RegimeCandidate; candidates: RegimeCandidate[] };

/**
 * Fits one to `max` regimes (at most three) from nine starts each, and keeps the likeliest fit that passes the guards.
 * The Bayesian information criterion chooses the number of regimes. Regimes are ordered from the calmest to the most
 * volatile (trace of the covariance).
 *
 * Guards are minimums for every regime, with D factors: an expected number of months of 24 and of 2 D, an expected
 * duration of 1.5 months, and a smallest eigenvalue of 1e-8 of the largest eigenvalue. For a regime with fewer than 5 D
 * expected months, the variances in its covariance are increased by 2 %. Returns null if not even one regime can be
 * fitted. Source: recipe `regime-ghmm/1`; Schwarz (1978) for the criterion.
 */
export function selectRegimes(observations: Observations, max = 3): RegimeSelection | null {
  const numbers = Object.keys(REGIME_CUTS)
    .map(Number)
    .filter((regimes) => regimes <= max);
  const found = numbers.map((regimes) => bestFit(observations, regimes));
  const passing = found.filter((each) => each !== null);
  const [best] = [...passing].sort((one, other) => one.candidate.bic - other.candidate.bic);
  if (!best) return null;
  return {
    fit: shrunk(observations, ordered(best.fit)),
    chosen: best.candidate,
    candidates: passing.map(({ candidate }) => candidate),
  };
}

function bestFit(observations: Observations, regimes: number) {
  const starts = regimes === 1 ? 1 : 1 + FURTHER_STARTS;
  let best: { fit: RegimeFit; start: number } | undefined;
  let passing = 0;
  for (let start = 0; start < starts; start += 1) {
    const fit = fitRegimes(observations, startProbabilities(observations, cutsOf(regimes, start)));
    if (!fit || !holds(observations, fit)) continue;
    passing += 1;
    if (!best || fit.inference.logLikelihood > best.fit.inference.logLikelihood + BETTER_BY)
      best = { fit, start };
  }
  if (!best) return null;
  const { logLikelihood } = best.fit.inference;
  const D = observations.dimensions;
  const parameters = regimes * regimes - 1 + regimes * (D + (D * (D + 1)) / 2);
  const bic = parameters * ln(observations.rows.length / D) - 2 * logLikelihood;
  return { fit: best.fit, candidate: { regimes, logLikelihood, bic, start: best.start, starts, passing } };
}

/**
 * Returns the boundaries between the regimes for a start, as shares of the months. Start 0 uses the boundaries of the
 * recipe. The other starts move each boundary at random, by up to 0.1.
 */
function cutsOf(regimes: number, start: number): number[] {
  const cuts = REGIME_CUTS[regimes]!;
  if (start === 0) return [...cuts];
  const draw = uniformStream({ seed: 0, domain: PHILOX_DOMAINS.modelStart, sample: start });
  return cuts.map((cut) => cut + PERTURBATION * (draw() - 0.5)).sort((one, other) => one - other);
}

function holds({ dimensions: D }: Observations, { model, inference }: RegimeFit): boolean {
  const K = model.initial.length;
  return model.covariances.every((covariance, k) => {
    const eigenvalues = symmetricEigenvalues(covariance);
    return (
      occupancy(inference.smoothed, K, k) >= Math.max(OCCUPANCY_MIN, 2 * D) &&
      1 / (1 - model.transitions.get(k, k)) >= DURATION_MIN &&
      eigenvalues[0]! >= EIGENVALUE_RATIO_MIN * eigenvalues[D - 1]!
    );
  });
}

/** Returns the expected number of months in regime k of K. */
export function occupancy(smoothed: Float64Array, K: number, k: number): number {
  let total = 0;
  for (let at = k; at < smoothed.length; at += K) total += smoothed[at]!;
  return total;
}

function ordered(fit: RegimeFit): RegimeFit {
  const { model, inference } = fit;
  const K = model.initial.length;
  const trace = (k: number) => model.covariances[k]!.trace();
  const places = Array.from({ length: K }, (_, k) => k).sort((one, other) => trace(one) - trace(other));
  const columns = (of: Float64Array) =>
    Float64Array.from(of, (_, at) => of[at - (at % K) + places[at % K]!]!);
  return {
    ...fit,
    model: {
      initial: columns(model.initial),
      transitions: model.transitions.selection(places, places),
      means: places.map((k) => model.means[k]!),
      covariances: places.map((k) => model.covariances[k]!),
    },
    inference: {
      ...inference,
      filtered: columns(inference.filtered),
      smoothed: columns(inference.smoothed),
      changes: inference.changes.selection(places, places),
    },
  };
}

function shrunk({ dimensions: D }: Observations, fit: RegimeFit): RegimeFit {
  const K = fit.model.initial.length;
  const covariances = fit.model.covariances.map((covariance, k) =>
    occupancy(fit.inference.smoothed, K, k) >= 5 * D
      ? covariance
      : matrixOf(D, D, (a, b) => covariance.get(a, b) * (a === b ? 1 + SHRINKAGE : 1)),
  );
  const model: RegimeModel = { ...fit.model, covariances };
  return { ...fit, model };
}
