import { isSeasonal, autocorrelations } from '#lib/forecasting/methods/seasonality-test.ts';
import type { Series } from '#lib/forecasting/methods/method.ts';
import { ln } from '#lib/numerics/natural-log.ts';

/**
 * The names of the features that the method weights depend on in addition to the frequency, in the order of
 * `seriesFeatures`.
 */
export const featureNames = [
  'log_observations',
  'is_seasonal',
  'seasonal_autocorrelation',
  'trend_share',
  'trend_autocorrelation',
  'change_autocorrelation',
  'recent_slope_beyond_trend',
  'recent_slope',
  'recent_slope_size',
  'trend_slope',
  'log_change_size',
  'last_residual',
  'recent_change_size',
] as const;

const TINY = 1e-12;

/**
 * Returns the features of a series that the method weights depend on. All features are finite and independent of the
 * unit of the series. They describe the length, the season, the slope of a straight line (overall and recent), the
 * residuals of this line, and the size of the changes (overall and recent). If all values are positive, their
 * logarithms are used.
 *
 * Source: the idea of Montero-Manso, Athanasopoulos, Hyndman and Talagala, "FFORMA: Feature-based forecast model
 * averaging", International Journal of Forecasting 36 (2020). The features here are fewer and cheaper.
 */
export function seriesFeatures({ values, period }: Series): number[] {
  const x = onScale(values);
  const n = x.length;
  const changes = changesOf(x);
  const line = straightLine(x);
  const deviation = spread(changes) + TINY;
  const tail = Math.min(n, recentLength(n, period));
  const recent = straightLine(x.subarray(n - tail)).slope;
  const ofResiduals = autocorrelations(line.residuals, period) ?? new Float64Array(period + 1);
  const ofChanges = autocorrelations(changes, 1);
  return [
    ln(n),
    isSeasonal(x, period) ? 1 : 0,
    period > 1 && n > period ? ofResiduals[period]! : 0,
    line.share,
    ofResiduals[1]!,
    ofChanges?.[1] ?? 0,
    (recent - line.slope) / deviation,
    recent / deviation,
    Math.abs(recent) / deviation,
    line.slope / deviation,
    ln(deviation),
    line.residuals[n - 1]! / (spread(line.residuals) + TINY),
    ln((meanSize(changes.subarray(changes.length - tail)) + TINY) / (meanSize(changes) + TINY)),
  ];
}

/**
 * Returns the length of the recent part: about two seasons, or eight values without a season, but at most a third of
 * the series and at least four values.
 */
function recentLength(n: number, period: number): number {
  return Math.max(4, Math.min(Math.floor(n / 3), period > 1 ? 2 * period : 8));
}

/**
 * Returns the logarithms of the values if all values are above 0. Otherwise returns the values divided by their mean
 * absolute value.
 */
function onScale(values: Float64Array): Float64Array {
  if (values.every((value) => value > 0)) return values.map(ln);
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return new Float64Array(values.length);
  const unit = meanSize(values.map((value) => value / largest));
  return values.map((value) => value / largest / unit);
}

function changesOf(x: Float64Array): Float64Array {
  const changes = new Float64Array(x.length - 1);
  for (let t = 1; t < x.length; t += 1) changes[t - 1] = x[t]! - x[t - 1]!;
  return changes;
}

/**
 * Fits a straight line over time by least squares. Returns the slope, the residuals, and the explained share of
 * variance.
 */
function straightLine(x: Float64Array): { slope: number; residuals: Float64Array; share: number } {
  const n = x.length;
  const center = (n - 1) / 2;
  let [mean, products, squares] = [0, 0, 0];
  for (let t = 0; t < n; t += 1) mean += x[t]! / n;
  for (let t = 0; t < n; t += 1) {
    products += (t - center) * (x[t]! - mean);
    squares += (t - center) * (t - center);
  }
  const slope = squares > 0 ? products / squares : 0;
  const residuals = x.map((value, t) => value - mean - slope * (t - center));
  const all = spread(x);
  const left = spread(residuals);
  return { slope, residuals, share: all > 0 ? Math.max(0, 1 - (left * left) / (all * all)) : 0 };
}

/** Returns the population standard deviation (divided by n). */
function spread(x: Float64Array): number {
  let [mean, squares] = [0, 0];
  for (const value of x) mean += value / x.length;
  for (const value of x) squares += (value - mean) * (value - mean);
  return x.length > 0 ? Math.sqrt(squares / x.length) : 0;
}

function meanSize(x: Float64Array): number {
  let total = 0;
  for (const value of x) total += Math.abs(value) / x.length;
  return total;
}
