import { onAdjusted } from './adjusted-method.ts';
import type { Fit } from './method.ts';

/** The dynamic optimised Theta model on the seasonally adjusted series. */
export const dynamicTheta = onAdjusted({
  key: 'dynamic_theta',
  observationsMin: 3,
  estimate: (values) => fitDynamicTheta(values, 0),
});

/** The dynamic optimised Theta model on the Box-Cox transform of the seasonally adjusted series. */
export const dynamicThetaBoxCox = onAdjusted({
  key: 'dynamic_theta_box_cox',
  observationsMin: 3,
  hasBoxCox: true,
  estimate: (values) => fitDynamicTheta(values, PRIOR_BOX_COX),
});

const ALPHA_MIN = 0.1;
const ALPHA_MAX = 0.99;
const GRID = 24;
const HALVINGS = 24;

/** The value of 1 - 1 / theta in the classical Theta model, where theta is 2. */
const SHARE_CLASSICAL = 0.5;

/**
 * Prior weight of `SHARE_CLASSICAL` under a Box-Cox transform. Without a prior, forecasts extend trends too
 * far. The weight was chosen on training series.
 */
const PRIOR_BOX_COX = 40;

/** The straight lines through the values so far: `intercept[t]` and `slope[t]` are fitted to the first t values. */
type Lines = { intercept: Float64Array; slope: Float64Array; mean: number };

/**
 * The smallest sum of squares for a given alpha, and the estimates with this sum: the level before the first
 * value, and the share 1 - 1 / theta.
 */
type AtAlpha = { squares: number; level: number; share: number };

/**
 * The least squares problem. `prior` is the precision of the prior of the share 1 - 1 / theta around
 * `SHARE_CLASSICAL`, in the unit of the squares.
 */
type Problem = { values: Float64Array; lines: Lines; prior: number };

/**
 * Fits exponential smoothing plus a share 1 - 1 / theta of the contribution of the straight line through the values so
 * far: mu_t = l_{t-1} + (1 - 1/theta) ((1 - alpha)^(t-1) A_{t-1} + (1 - (1 - alpha)^t) / alpha B_{t-1}), l_t = alpha
 * y_t + (1 - alpha) l_{t-1}. A and B are intercept and slope after t - 1 values. Beyond the last value, forecasts
 * replace the values.
 *
 * Least squares over alpha in [0.1, 0.99], theta >= 1 and l_0. At a given alpha the errors are linear in l_0 and the
 * share, so the search is over alpha only. The error of the first value only determines l_0 and is left out. `weight`
 * shrinks the share towards its value at theta = 2: a distance of 1 costs `weight` error variances. Standard errors are
 * sigma sqrt(1 + (h-1) alpha^2).
 *
 * Source: Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler, "Models for optimising the theta method and their
 * relationship to state space models", International Journal of Forecasting 32 (2016) 1151-1161.
 */
export function fitDynamicTheta(values: Float64Array, weight: number): Fit {
  const n = values.length;
  const freedom = Math.max(1, n - 3);
  const lines = linesThrough(values);
  const free = { values, lines, prior: 0 };
  const alphaFree = bestAlpha(free);
  const variance = atAlpha(free, alphaFree).squares / freedom;
  const problem = { values, lines, prior: weight * variance };
  const alpha = weight === 0 ? alphaFree : bestAlpha(problem);
  const { squares, level, share } = atAlpha(problem, alpha);
  const sigma = Math.sqrt(squares / freedom);
  return {
    parameters: { alpha, level, theta: 1 / Math.max(1e-10, 1 - share) },
    forecast: (horizon) => {
      const standardErrors = new Float64Array(horizon);
      for (let h = 0; h < horizon; h += 1) standardErrors[h] = sigma * Math.sqrt(1 + h * alpha * alpha);
      return { point: ahead(values, lines, { alpha, level, share, horizon }), standardErrors };
    },
  };
}

function linesThrough(values: Float64Array): Lines {
  const n = values.length;
  const intercept = new Float64Array(n + 1);
  const slope = new Float64Array(n + 1);
  let mean = 0;
  for (let t = 1; t <= n; t += 1) {
    slope[t] = nextSlope(slope[t - 1]!, t, values[t - 1]! - mean);
    mean += (values[t - 1]! - mean) / t;
    intercept[t] = mean - ((t + 1) / 2) * slope[t]!;
  }
  return { intercept, slope, mean };
}

/** Returns B_t from B_{t-1} and the distance of value t from the mean of the values before it. */
function nextSlope(slope: number, t: number, distance: number): number {
  return t === 1 ? 0 : ((t - 2) * slope + (6 / t) * distance) / (t + 1);
}

function bestAlpha(problem: Problem): number {
  const step = (ALPHA_MAX - ALPHA_MIN) / GRID;
  const squaresAt = (alpha: number): number => atAlpha(problem, alpha).squares;
  let best = 0;
  let min = Infinity;
  for (let at = 0; at <= GRID; at += 1) {
    const squares = squaresAt(ALPHA_MIN + at * step);
    if (squares < min) [min, best] = [squares, at];
  }
  let low = ALPHA_MIN + Math.max(0, best - 1) * step;
  let high = ALPHA_MIN + Math.min(GRID, best + 1) * step;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const [left, right] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (squaresAt(left) <= squaresAt(right)) high = right;
    else low = left;
  }
  const alpha = (low + high) / 2;
  return squaresAt(alpha) <= min ? alpha : ALPHA_MIN + best * step;
}

function atAlpha({ values, lines, prior }: Problem, alpha: number): AtAlpha {
  const { intercept, slope } = lines;
  const n = values.length;
  let smoothed = alpha * values[0]!;
  let remains = 1 - alpha;
  let [ll, lg, gg, le, ge, ee] = [0, 0, 0, 0, 0, 0];
  for (let t = 2; t <= n; t += 1) {
    const line = remains * intercept[t - 1]! + ((1 - remains * (1 - alpha)) / alpha) * slope[t - 1]!;
    const error = values[t - 1]! - smoothed;
    ll += remains * remains;
    lg += remains * line;
    gg += line * line;
    le += remains * error;
    ge += line * error;
    ee += error * error;
    smoothed += alpha * error;
    remains *= 1 - alpha;
  }
  gg += prior;
  ge += prior * SHARE_CLASSICAL;
  ee += prior * SHARE_CLASSICAL * SHARE_CLASSICAL;
  const determinant = ll * gg - lg * lg;
  const free = determinant > 1e-14 * ll * gg ? (ll * ge - lg * le) / determinant : 0;
  const share = Math.min(1 - 1e-10, Math.max(0, free));
  const level = ll > 0 ? (le - share * lg) / ll : values[0]!;
  const squares =
    ee + level * level * ll + share * share * gg + 2 * (level * share * lg - level * le - share * ge);
  return { squares: Math.max(0, squares), level, share };
}

function ahead(
  values: Float64Array,
  lines: Lines,
  { alpha, level, share, horizon }: { alpha: number; level: number; share: number; horizon: number },
): Float64Array {
  const n = values.length;
  let [smoothed, remains] = [level, 1];
  for (let t = 0; t < n; t += 1) {
    smoothed += alpha * (values[t]! - smoothed);
    remains *= 1 - alpha;
  }
  let { mean } = lines;
  let [intercept, slope] = [lines.intercept[n]!, lines.slope[n]!];
  const point = new Float64Array(horizon);
  for (let h = 0; h < horizon; h += 1) {
    const t = n + h + 1;
    const line = remains * intercept + ((1 - remains * (1 - alpha)) / alpha) * slope;
    const forecast = smoothed + share * line;
    point[h] = forecast;
    smoothed += alpha * (forecast - smoothed);
    remains *= 1 - alpha;
    slope = nextSlope(slope, t, forecast - mean);
    mean += (forecast - mean) / t;
    intercept = mean - ((t + 1) / 2) * slope;
  }
  return point;
}
