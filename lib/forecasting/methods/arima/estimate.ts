import { ln } from '#lib/numerics/natural-log.ts';
import { difference } from '../difference/difference.ts';
import { freeCoefficients, type Coefficients } from './coefficients.ts';
import { conditionalSquares } from './conditional.ts';
import { leastSquares, type SumOfSquares } from './least-squares.ts';
import { exactLikelihood, type Likelihood } from './likelihood.ts';
import { polish } from './newton.ts';
import { coefficientsOf, type ArimaOrders } from './orders.ts';
import { rootsBeyond } from './partial-autocorrelations.ts';
import { startsOf } from './starts.ts';

/** An estimated model of the differenced series, in the unit of this series. */
export type Estimate = {
  orders: ArimaOrders;
  x: Float64Array;
  coefficients: Coefficients;
  likelihood: Likelihood;
  aicc: number;
};

/**
 * Returns the functions that compute the exact and the conditional sum of squares of a model on a differenced
 * series.
 */
export function sumsOfSquares(values: Float64Array, orders: ArimaOrders) {
  const coefficientsAt = freeCoefficients(orders);
  const coefficients = coefficientsAt(new Float64Array(coefficientsOf(orders)));
  const likelihood = exactLikelihood(values, coefficients, orders.constant);
  const conditional = conditionalSquares(values, coefficients, orders.constant);
  const exact: SumOfSquares = (x, residuals) => {
    coefficientsAt(x);
    return likelihood.squares(residuals);
  };
  const conditionally: SumOfSquares = (x, residuals) => {
    coefficientsAt(x);
    return conditional(residuals);
  };
  const describe = (x: Float64Array): Likelihood => {
    coefficientsAt(x);
    const found = likelihood.describe();
    if (!found) throw new RangeError('the model is at the edge of stationarity');
    return found;
  };
  return { exact, conditionally, describe, coefficientsAt };
}

/** Returns the series with the differences of the model. */
export function differenced(values: Float64Array, { d, D, period }: ArimaOrders): Float64Array {
  let rest = values;
  for (let i = 0; i < D; i++) rest = difference(rest, period);
  for (let i = 0; i < d; i++) rest = difference(rest, 1);
  return rest;
}

/**
 * Largest magnitude of the parameters that `conditionalStart` returns. The limit keeps them away from the
 * edge of the stationary region.
 */
const START_MAX = 3;

/**
 * Returns the parameters with the smallest conditional sum of squares, searched from fixed starts. A search
 * by exact likelihood starts from these parameters.
 */
export function conditionalStart(
  conditionally: SumOfSquares,
  starts: readonly Float64Array[],
  residuals: number,
): Float64Array {
  return starts
    .map((start) => leastSquares(conditionally, start, { residuals, tolerance: 1e-4, iterations: 20 }))
    .reduce((min, each) => (each.value < min.value ? each : min))
    .x.map((free) => Math.min(START_MAX, Math.max(-START_MAX, free)));
}

/**
 * Estimates a model by exact maximum likelihood. Starts from the sample autocorrelations and from the conditional sum
 * of squares, and returns the better optimum.
 *
 * `w` is the differenced series. If `w` is all 0 or is explained exactly, the variance is 0 and the log-likelihood is
 * Infinity.
 */
export function estimate(w: Float64Array, orders: ArimaOrders): Estimate {
  const unit = magnitude(w) || 1;
  const values = w.map((value) => value / unit);
  const { exact, conditionally, describe, coefficientsAt } = sumsOfSquares(values, orders);
  const fixed = startsOf(values, orders);
  const starts = [fixed[0]!, conditionalStart(conditionally, fixed, w.length)];
  const residuals = w.length;
  const near = starts
    .map((start) => leastSquares(exact, start, { residuals, tolerance: 1e-8, iterations: 50 }))
    .reduce((min, each) => (each.value < min.value ? each : min));
  const room = new Float64Array(residuals);
  const best = polish((x) => exact(x, room), near.x, 4);
  const likelihood = describe(best);
  const logLikelihood = likelihood.logLikelihood - w.length * ln(unit);
  return {
    orders,
    x: best,
    coefficients: coefficientsAt(best),
    likelihood: {
      ...likelihood,
      logLikelihood,
      variance: likelihood.variance * unit * unit,
      constant: likelihood.constant * unit,
      filtered: scaled(likelihood.filtered, unit),
    },
    aicc: correctedAkaike(-2 * logLikelihood, parametersOf(orders), w.length),
  };
}

/** Counts the coefficients, the constant and the variance. */
export function parametersOf(orders: ArimaOrders): number {
  return coefficientsOf(orders) + (orders.constant ? 1 : 0) + 1;
}

/**
 * Returns AICc. Returns Infinity if there are too few values for the correction. Source: Hurvich and Tsai, Biometrika
 * 76 (1989).
 */
export function correctedAkaike(deviance: number, parameters: number, n: number): number {
  const left = n - parameters - 1;
  return left > 0 ? deviance + 2 * parameters + (2 * parameters * (parameters + 1)) / left : Infinity;
}

/** Whether all roots are at least 0.01 away from the unit circle. Models without this property are not chosen. */
export function isClearOfUnitRoots(
  { ar, seasonalAr, ma, seasonalMa }: Coefficients,
  period: number,
): boolean {
  const minus = (coefficients: Float64Array): Float64Array => coefficients.map((value) => -value);
  return (
    rootsBeyond(ar, 1, 1.01) &&
    rootsBeyond(seasonalAr, period, 1.01) &&
    rootsBeyond(minus(ma), 1, 1.01) &&
    rootsBeyond(minus(seasonalMa), period, 1.01)
  );
}

/** Returns the root mean square of the values. */
export function magnitude(values: Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (!(largest > 0)) return 0;
  let sum = 0;
  for (const value of values) sum += (value / largest) * (value / largest);
  return largest * Math.sqrt(sum / values.length);
}

function scaled(filtered: Likelihood['filtered'], unit: number): Likelihood['filtered'] {
  return {
    ...filtered,
    errors: filtered.errors.map((value) => value * unit),
    state: filtered.state.map((value) => value * unit),
  };
}
