import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import type { Coefficients } from './coefficients.ts';
import { kalmanFilter, type Filtered } from './kalman.ts';

/** Result of the exact likelihood, with the best constant and variance for the coefficients. */
export type Likelihood = {
  logLikelihood: number;
  /** Estimate of the innovation variance: the mean square of the standardised one-step errors. */
  variance: number;
  constant: number;
  filtered: Filtered;
};

const LN_TWO_PI = 1.8378770664093453;

/**
 * Computes the exact Gaussian likelihood of an ARMA process, with or without a constant, as a sum of squares. The terms
 * are the standardised one-step errors times the geometric mean of their standard deviations; their sum of squares is
 * smallest where the likelihood is largest. The constant is the generalised least squares estimate.
 *
 * Source: Ansley, "An algorithm for the exact likelihood of a mixed autoregressive-moving average process", Biometrika
 * 66 (1979), equation 2.6 for the sum of squares; Harvey (1989), 3.4.2 for the constant.
 */
export function exactLikelihood(values: Float64Array, coefficients: Coefficients, constant: boolean) {
  const n = values.length;
  const filter = kalmanFilter(values, coefficients);
  /** Fills `residuals` and returns their sum of squares; Infinity if the model is at the edge of stationarity. */
  const squares = (residuals: Float64Array): number => {
    const filtered = filter(constant);
    if (!filtered) return Infinity;
    const c = constant ? bestConstant(filtered) : 0;
    const scale = exp(logVariances(filtered.variances) / (2 * n));
    let sum = 0;
    for (let t = 0; t < n; t++) {
      const error = filtered.errors[t]! - (constant ? c * filtered.errorsOfOne[t]! : 0);
      const residual = (error * scale) / Math.sqrt(filtered.variances[t]!);
      residuals[t] = residual;
      sum += residual * residual;
    }
    return sum === sum ? sum : Infinity;
  };
  const describe = (): Likelihood | undefined => {
    const filtered = filter(constant);
    if (!filtered) return undefined;
    const c = constant ? bestConstant(filtered) : 0;
    let sum = 0;
    for (let t = 0; t < n; t++) {
      const error = filtered.errors[t]! - (constant ? c * filtered.errorsOfOne[t]! : 0);
      sum += (error * error) / filtered.variances[t]!;
    }
    const variance = sum / n;
    const logLikelihood = -0.5 * (n * (ln(variance) + 1 + LN_TWO_PI) + logVariances(filtered.variances));
    return { logLikelihood, variance, constant: c, filtered };
  };
  return { squares, describe };
}

function bestConstant({ errors, errorsOfOne, variances }: Filtered): number {
  let along = 0;
  let total = 0;
  for (let t = 0; t < errors.length; t++) {
    const weight = errorsOfOne[t]! / variances[t]!;
    along += weight * errors[t]!;
    total += weight * errorsOfOne[t]!;
  }
  return total > 0 ? along / total : 0;
}

/** Returns the sum of the logarithms, computed as the logarithm of products that are kept within range. */
function logVariances(variances: Float64Array): number {
  let product = 1;
  let sum = 0;
  for (const variance of variances) {
    product *= variance;
    if (product > 1e200 || product < 1e-200) {
      sum += ln(product);
      product = 1;
    }
  }
  return sum + ln(product);
}
