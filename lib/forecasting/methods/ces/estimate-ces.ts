import { ln } from '#lib/numerics/natural-log.ts';
import { minimizeWithin } from '../bounded-bfgs.ts';
import { seasonalIndices } from '../classical-decomposition.ts';
import { cesCoordinates, cesGradient, setCes, type CesCoordinates } from './ces-coordinates.ts';
import { addBarrierGradient, stabilityBarrier } from './stability-barrier.ts';
import { cesRun, passCes, returnCes, type CesRun, type CesSeason } from './ces-run.ts';

/** A fitted model. `objective` is n ln(sum e^2), minus twice the log-likelihood; `size` is the number of variables. */
export type CesEstimate = { run: CesRun; squares: number; objective: number; size: number };

const SQUARES_MIN = 1e-28;

/**
 * Weight of the barrier in the objective. The barrier keeps the search in the region where the influence of past errors
 * dies out.
 */
const BARRIER = 0.1;

/** Precision of the prior on a1 around 1, in minus twice the log posterior. At a1 = 1 there is no trend. */
const TREND_PRIOR = 2000;

/** Precision of the prior on b1 around 1. At b1 = 1 each season stays unchanged. */
const SEASON_PRIOR = 200;

const REAL_STARTS = [1.05, 1.3, 1.6, 1.9];
const IMAGINARY_STARTS = [0.97, 1, 1.03];
const PLAIN_STARTS = [0.05, 0.3];

/**
 * Estimates the coefficients and all initial states at the mode of the posterior. The coefficients stay in the region
 * where the influence of past errors dies out. The posterior is the likelihood times normal priors around 1 on the
 * imaginary parts of the coefficients, with standard deviation 0.022 for the level and 0.07 for the season. Without the
 * priors, forecasts of short series extend the last trend too far. The priors were chosen on training series. The
 * search has fixed starts.
 *
 * y: values near 1 (`scaleToUnit`), at least two seasons if the model has a season. Never throws.
 */
export function estimateCes(y: Float64Array, period: number, kind: CesSeason): CesEstimate {
  const run = cesRun(y, kind, period);
  const at = cesCoordinates(kind, period);
  const n = y.length;
  const min = n * SQUARES_MIN;
  let squares = 0;
  const value = (x: Float64Array): number => {
    setCes(run, at, x);
    const barrier = stabilityBarrier(run);
    if (barrier === Infinity) return Infinity;
    squares = passCes(run);
    return n * ln(Math.max(squares, min)) + BARRIER * barrier + priorOf(run);
  };
  const start = startOf(run, at, value);
  value(start);
  const error = Math.max(1e-6, Math.sqrt(squares / n) || 0);
  const gradient = (into: Float64Array): void => {
    returnCes(run, squares > min ? (2 * n) / squares : 0);
    cesGradient(run, at, into);
    addBarrierGradient(run, at, BARRIER, into);
    if (at.a >= 0) into[at.a + 1] = into[at.a + 1]! + 2 * TREND_PRIOR * (run.a1 - 1);
    if (kind === 'simple' || kind === 'full')
      into[at.b + 1] = into[at.b + 1]! + 2 * SEASON_PRIOR * (run.b1 - 1);
  };
  const scale = new Float64Array(at.size).fill(error);
  if (at.a >= 0) scale.fill(0.05, at.a, at.a + 2);
  if (at.b >= 0) scale.fill(0.05, at.b, at.b + (kind === 'partial' ? 1 : 2));
  if (at.level >= 0) scale[at.level + 1] = 1;
  if (at.hiddenSeasons >= 0) scale.fill(1, at.hiddenSeasons);
  const found = minimizeWithin({ value, gradient }, start, {
    lower: scale.map(() => -Infinity),
    upper: scale.map(() => Infinity),
    scale,
    tolerance: 1e-6,
  });
  value(found.x);
  const objective = n * ln(Math.max(squares, min));
  return { run, squares, objective, size: at.size };
}

/**
 * Returns the prior term. The imaginary part of the level's coefficient creates the trend of the level. The imaginary
 * part of the season's coefficient creates a trend for each position in the season.
 */
function priorOf({ kind, a1, b1 }: CesRun): number {
  const ofLevel = kind === 'simple' ? 0 : TREND_PRIOR * (a1 - 1) * (a1 - 1);
  const hasComplexSeason = kind === 'simple' || kind === 'full';
  return hasComplexSeason ? ofLevel + SEASON_PRIOR * (b1 - 1) * (b1 - 1) : ofLevel;
}

/**
 * Returns the start of the search: heuristic initial states, and the coefficients from a fixed list that have
 * the smallest objective at these states.
 */
function startOf(run: CesRun, at: CesCoordinates, value: (x: Float64Array) => number): Float64Array {
  const { y, n, kind, period } = run;
  const x = new Float64Array(at.size);
  const first = Math.min(n, Math.max(10, period));
  let level = 0;
  for (let t = 0; t < first; t += 1) level += y[t]! / first;
  const indices = kind === 'none' ? null : seasonalIndices(y, period, 'additive');
  let min = Infinity;
  let best = x;
  for (const real of REAL_STARTS)
    for (const imaginary of IMAGINARY_STARTS)
      for (const plain of kind === 'partial' ? PLAIN_STARTS : [1.3]) {
        if (at.a >= 0) x.set([real, imaginary], at.a);
        if (at.level >= 0) x.set([level, level / real], at.level);
        if (at.b >= 0)
          x.set(kind === 'partial' ? [plain] : kind === 'full' ? [1.1, 1] : [real, imaginary], at.b);
        for (let place = 0; place < period; place += 1) {
          const season = (indices?.[place] ?? 0) + (kind === 'simple' ? level : 0);
          x[at.seasons + place] = season;
          if (at.hiddenSeasons >= 0) x[at.hiddenSeasons + place] = season / (kind === 'full' ? 1.1 : real);
        }
        const at0 = value(x);
        if (at0 < min || min === Infinity) [min, best] = [at0, x.slice()];
      }
  return best;
}
