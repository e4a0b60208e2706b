import { normalCdf } from '../normal-cdf.ts';
import { normalDensity } from '../normal-density.ts';
import { populationMoments } from '../risk/population-moments.ts';

const ONE_OVER_SQRT_PI = 0.5641895835477563;

/**
 * Returns the loss of a quantile forecast: (y - q) p if y is at least q, otherwise (q - y) (1 - p), in the unit of the
 * values. `p` is above 0 and below 1. The loss is smallest on average if q is the p quantile of y.
 * Source: Koenker and Bassett, "Regression Quantiles" (Econometrica 1978).
 *
 * Example: `pinballLoss(10, 8, 0.9)` is 1.8.
 */
export function pinballLoss(actual: number, quantile: number, p: number): number {
  return actual >= quantile ? (actual - quantile) * p : (quantile - actual) * (1 - p);
}

/**
 * Returns the interval score (Winkler), in the unit of the values: the width of the interval and, if the value is
 * outside, 2 / (1 - level) times the distance of the value from the interval. `level` is a fraction above 0 and below
 * 1. Source: Gneiting and Raftery, "Strictly Proper Scoring Rules" (2007), section 6.2.
 *
 * Example: `intervalLoss(5, { lower: 6, upper: 8, level: 0.95 })` is about 42.
 */
export function intervalLoss(
  actual: number,
  { lower, upper, level }: { lower: number; upper: number; level: number },
): number {
  const penalty = 2 / (1 - level);
  const outside = actual < lower ? lower - actual : actual > upper ? actual - upper : 0;
  return upper - lower + penalty * outside;
}

/**
 * Returns the continuous ranked probability score of a normal forecast, in the unit of the values. With deviation 0 it
 * is the absolute error.
 * Source: Gneiting, Raftery, Westveld and Goldman, "Calibrated Probabilistic Forecasting" (2005), equation 5.
 *
 * Example: `normalCrps(0, { mean: 0, deviation: 1 })` is 0.2336949772551.
 */
export function normalCrps(actual: number, { mean, deviation }: { mean: number; deviation: number }): number {
  if (!(deviation > 0)) return Math.abs(actual - mean);
  const z = (actual - mean) / deviation;
  return deviation * (z * (2 * normalCdf(z) - 1) + 2 * normalDensity(z) - ONE_OVER_SQRT_PI);
}

/**
 * Returns one loss for each return: -(SR + x - SR (x^2 - 1) / 2), where x is the standardised return. The mean of the
 * losses is the negative Sharpe ratio. To first order, the variance of this mean equals that of the estimated ratio.
 * Null if the returns do not vary.
 *
 * `returns`: excess returns of equal periods, fractions. The ratio is per period, with the population standard
 * deviation. Source: Ledoit and Wolf, "Robust performance hypothesis testing with the Sharpe ratio" (2008), section
 * 3.1.
 */
export function sharpeLosses(returns: ArrayLike<number>): Float64Array | null {
  const { mean, deviation, skewness } = populationMoments(returns);
  if (skewness === null || !(deviation > 0)) return null;
  const ratio = mean / deviation;
  return Float64Array.from(returns, (each) => {
    const x = (each - mean) / deviation;
    return -(ratio + x - (ratio * (x * x - 1)) / 2);
  });
}
