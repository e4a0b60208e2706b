import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';

/**
 * Exponents of the widening of an interval, by its inputs: the step ahead, the disagreement of the methods, the
 * backtest error, the change from season to season, and the length of the series. The exponent of the length is itself
 * linear in the logarithm of the length: `length + length_curve x ln(length)`. Version 2 has no exponents of the
 * length.
 */
export type WidthModel = Readonly<{
  step: number;
  disagreement: number;
  error: number;
  change: number;
  length?: number;
  length_curve?: number;
}>;
/** The logarithms of the inputs of `WidthModel`; `length_curve` is the square of the logarithm of the length. */
export type WidthLogs = Required<WidthModel>;

/** The measures of uncertainty in addition to the mean standard error, all in the unit of the series. */
export type WidthEvidence = {
  /** The weighted root mean square distance of the methods from the combination, at each step. */
  disagreement: Float64Array;
  /** The weighted mean of the backtest errors of the methods; null without a backtest. */
  error: number | null;
  /** The mean absolute change from season to season. */
  change: number;
  /** The number of known values. */
  observations: number;
};

/** Bounds of each ratio. Ratios beyond them are clipped, so that the widening is not extrapolated. */
const DISAGREEMENT_BOUNDS = { min: 0.05, max: 5 };
const ERROR_BOUNDS = { min: 0.1, max: 20 };
const CHANGE_BOUNDS = { min: 0.1, max: 10 };
/**
 * The length of a series is divided by this number of values. The resulting ratio is clipped to `LENGTH_BOUNDS`.
 */
const LENGTH = 50;
const LENGTH_BOUNDS = { min: 0.25, max: 4 };

/**
 * Returns the ratios of the half-width to the mean standard error, before the factor of the level: step^a x
 * (disagreement / width)^b x (error / mean width)^c x (change / width)^d x (observations / 50)^(e + f ln(observations /
 * 50)). The half-width is therefore a geometric mean of four measures of uncertainty, corrected for the length of the
 * series. A ratio that is not defined counts as 1.
 *
 * Source: the idea of Wang, Kang, Petropoulos and Li, "The uncertainty estimation of feature-based forecast
 * combinations", Journal of the Operational Research Society 73 (2022), to predict widths from features. The exponents
 * minimise the interval score of the training series.
 */
export function wideningOf(width: Float64Array, evidence: WidthEvidence, model: WidthModel): Float64Array {
  const { length = 0, length_curve: curve = 0 } = model;
  return Float64Array.from(wideningLogs(width, evidence), (logs) =>
    exp(
      model.step * logs.step +
        model.disagreement * logs.disagreement +
        model.error * logs.error +
        model.change * logs.change +
        (length * logs.length + curve * logs.length_curve),
    ),
  );
}

/** Returns the logarithms that the exponents of `WidthModel` apply to, at each step. */
export function wideningLogs(
  width: Float64Array,
  { disagreement, error, change, observations }: WidthEvidence,
): WidthLogs[] {
  let mean = 0;
  for (const each of width) mean += each / width.length;
  const ofError = error === null ? 0 : logRatio(error, mean, ERROR_BOUNDS);
  const length = logRatio(observations, LENGTH, LENGTH_BOUNDS);
  return Array.from(width, (each, at) => ({
    length,
    length_curve: length * length,
    step: ln(at + 1),
    disagreement: logRatio(disagreement[at]!, each, DISAGREEMENT_BOUNDS),
    error: ofError,
    change: logRatio(change, each, CHANGE_BOUNDS),
  }));
}

function logRatio(part: number, whole: number, { min, max }: { min: number; max: number }): number {
  const ratio = part / whole;
  return whole > 0 && ratio >= 0 ? ln(Math.max(min, Math.min(max, ratio))) : 0;
}

/** Returns the weighted root mean square distance of the forecasts from the centre, at each step. */
export function disagreementOf(
  center: Float64Array,
  shares: readonly { weight: number; forecast: { point: Float64Array } | null }[],
): Float64Array {
  const had = shares.filter(({ weight, forecast }) => weight > 0 && forecast !== null);
  const total = had.reduce((sum, { weight }) => sum + weight, 0);
  return center.map((value, step) => {
    let squares = 0;
    for (const { weight, forecast } of had) {
      const distance = forecast!.point[step]! - value;
      squares += (weight / total) * distance * distance;
    }
    return Math.sqrt(squares);
  });
}

/** Returns the weighted mean of the backtest errors; null if no method with a weight has an error. */
export function weightedError(shares: readonly { weight: number; error: number | null }[]): number | null {
  let [sum, total] = [0, 0];
  for (const { weight, error } of shares) {
    if (error === null || !(weight > 0)) continue;
    sum += weight * error;
    total += weight;
  }
  return total > 0 ? sum / total : null;
}
