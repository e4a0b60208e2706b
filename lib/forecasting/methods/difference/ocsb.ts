import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { difference } from './difference.ts';
import { regress } from './regression.ts';

/** Result of the test at one order: the t-ratio, the sum of squares, and the number of observations. */
type Outcome = { statistic: number; squares: number; observations: number };

const LAGS_MAX = 3;

/** Whether the test does not reject a seasonal unit root at 5 %. AIC chooses the autoregressive order, up to 3. */
export function hasSeasonalRoot(values: Float64Array, period: number): boolean {
  let lags = 0;
  let min = Infinity;
  for (let tried = 0; tried <= LAGS_MAX; tried++) {
    const outcome = ocsb(values.subarray(LAGS_MAX - tried), period, tried);
    if (!outcome) continue;
    const akaike = outcome.observations * ln(outcome.squares / outcome.observations) + 2 * tried;
    if (!(akaike < min)) continue;
    min = akaike;
    lags = tried;
  }
  const statistic = ocsbStatistic(values, period, lags);
  return statistic !== undefined && statistic > ocsbCritical(period);
}

/**
 * Returns the t-ratio of the seasonal root in the regression of Osborn, Chui, Smith and Birchenhall, with an
 * autoregression of order `lags`. Low values are evidence against a seasonal unit root. Returns undefined if the series
 * is too short or too regular.
 *
 * `w` is the series differenced at both lags. The regression explains w by its own lags, by the seasonally differenced
 * series one period before, and by the differenced series one season before. The latter two series are filtered by the
 * autoregression of w.
 * Source: Osborn, Chui, Smith and Birchenhall, "Seasonality and the order of integration for consumption", Oxford
 * Bulletin of Economics and Statistics 50 (1988), equation 2.4; Rodrigues and Osborn, "Performance of seasonal unit
 * root tests for monthly data", Journal of Applied Statistics 26 (1999), equation 6.
 */
export function ocsbStatistic(values: Float64Array, period: number, lags: number): number | undefined {
  return ocsb(values, period, lags)?.statistic;
}

function ocsb(values: Float64Array, period: number, lags: number): Outcome | undefined {
  const seasonal = difference(values, period);
  const ordinary = difference(values, 1);
  const both = difference(seasonal, 1);
  if (both.length <= 2 * lags + 2) return undefined;
  const own = lagged(both, lags);
  const target = both.slice(lags);
  const filter = lags > 0 ? regress(target, own)?.coefficients : new Float64Array();
  if (!filter) return undefined;
  const n = target.length;
  const columns = [...own, filtered(seasonal, filter).slice(0, n), filtered(ordinary, filter).slice(0, n)];
  const found = regress(target, columns);
  if (!found) return undefined;
  const statistic = found.coefficients[lags + 1]! / found.standardErrors[lags + 1]!;
  return statistic === statistic ? { statistic, squares: found.squares, observations: n } : undefined;
}

/**
 * Returns columns of the values 1, 2, ..., `lags` steps earlier, starting with the first value that has all of these
 * earlier values.
 */
function lagged(values: Float64Array, lags: number): Float64Array[] {
  return Array.from({ length: lags }, (_, i) => values.slice(lags - 1 - i, values.length - 1 - i));
}

/** Returns the residuals of an autoregression, starting with the first value that has all lags. */
function filtered(values: Float64Array, coefficients: Float64Array): Float64Array {
  const lags = coefficients.length;
  const out = values.slice(lags);
  lagged(values, lags).forEach((column, i) =>
    column.forEach((value, t) => (out[t] = out[t]! - coefficients[i]! * value)),
  );
  return out;
}

/**
 * Returns the 5 % critical value of the statistic, from the surface that Hyndman fitted to simulations for periods 2 to
 * 365.
 *
 * Source: R package forecast 8, documentation of `ocsb.test`.
 */
export function ocsbCritical(period: number): number {
  const x = ln(period) - 0.7656451;
  return -0.2937411 * exp(-0.2850853 * x - 0.05983644 * x * x) - 1.652202;
}
