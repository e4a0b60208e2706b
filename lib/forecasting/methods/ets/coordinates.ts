import type { EtsForm } from './ets-form.ts';
import type { EtsRun } from './ets-run.ts';

const COEFFICIENT_MIN = 1e-4;
const COEFFICIENT_MAX = 0.9999;
const PHI_MIN = 0.8;
const PHI_MAX = 0.98;

/**
 * The indices of the search variables; -1 for a variable that the form does not have. The variables are alpha, beta /
 * alpha, phi, gamma / (1 - alpha), the level, the slope, and all seasonal states except the last. The last seasonal
 * state follows from the others: additive states sum to 0, and multiplicative states sum to the period. In these
 * variables the usual region 0 < alpha < 1, 0 < beta < alpha, 0 < gamma < 1 - alpha, 0.8 <= phi <= 0.98 is a box.
 */
export type Coordinates = {
  size: number;
  beta: number;
  phi: number;
  gamma: number;
  level: number;
  slope: number;
  seasons: number;
  seasonSum: number;
};

export function coordinatesOf({ trend, season }: EtsForm, period: number): Coordinates {
  let size = 1;
  const next = (has: boolean, count = 1): number => {
    if (!has) return -1;
    size += count;
    return size - count;
  };
  const beta = next(trend !== 'N');
  const phi = next(trend === 'Ad');
  const gamma = next(season !== 'N');
  const level = next(true);
  const slope = next(trend !== 'N');
  const seasons = next(season !== 'N', period - 1);
  return { size, beta, phi, gamma, level, slope, seasons, seasonSum: season === 'M' ? period : 0 };
}

export function boundsOf(at: Coordinates): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(at.size).fill(-Infinity);
  const upper = new Float64Array(at.size).fill(Infinity);
  for (const index of [0, at.beta, at.gamma])
    if (index >= 0) [lower[index], upper[index]] = [COEFFICIENT_MIN, COEFFICIENT_MAX];
  if (at.phi >= 0) [lower[at.phi], upper[at.phi]] = [PHI_MIN, PHI_MAX];
  return { lower, upper };
}

/** Copies the parameters of a point into a run. */
export function setParameters(run: EtsRun, at: Coordinates, x: Float64Array): void {
  const alpha = x[0]!;
  run.alpha = alpha;
  run.beta = at.beta < 0 ? 0 : alpha * x[at.beta]!;
  run.phi = at.phi < 0 ? 1 : x[at.phi]!;
  run.gamma = at.gamma < 0 ? 0 : (1 - alpha) * x[at.gamma]!;
  run.level = x[at.level]!;
  run.slope = at.slope < 0 ? 0 : x[at.slope]!;
  if (at.seasons < 0) return;
  const last = run.period - 1;
  let sum = 0;
  for (let place = 0; place < last; place += 1) {
    run.seasons[place] = x[at.seasons + place]!;
    sum += run.seasons[place]!;
  }
  run.seasons[last] = at.seasonSum - sum;
}

/** Computes the gradient of a run with respect to the coordinates. */
export function gradientOf(run: EtsRun, at: Coordinates, x: Float64Array, into: Float64Array): void {
  const alpha = x[0]!;
  into[0] = run.byAlpha;
  if (at.beta >= 0) {
    into[0] += x[at.beta]! * run.byBeta;
    into[at.beta] = alpha * run.byBeta;
  }
  if (at.gamma >= 0) {
    into[0] -= x[at.gamma]! * run.byGamma;
    into[at.gamma] = (1 - alpha) * run.byGamma;
  }
  if (at.phi >= 0) into[at.phi] = run.byPhi;
  into[at.level] = run.byLevel;
  if (at.slope >= 0) into[at.slope] = run.bySlope;
  if (at.seasons < 0) return;
  const last = run.period - 1;
  for (let place = 0; place < last; place += 1)
    into[at.seasons + place] = run.bySeasons[place]! - run.bySeasons[last]!;
}
