import type { Coefficients } from './coefficients.ts';

/**
 * Computes the conditional sum of squares. The first `phi.length` values are taken as given, with errors of 0.
 *
 * Fills `residuals` (0 for the given values) and returns the sum. The constant is the least squares estimate.
 * Source: Box and Jenkins, "Time Series Analysis" (1976), 7.1.2.
 */
export function conditionalSquares(values: Float64Array, coefficients: Coefficients, constant: boolean) {
  const n = values.length;
  const first = coefficients.phi.length;
  const ones = new Float64Array(n).fill(1);
  const ofOne = new Float64Array(n);
  return (residuals: Float64Array): number => {
    conditionalErrors(values, coefficients, residuals);
    if (constant) {
      conditionalErrors(ones, coefficients, ofOne);
      removeConstant(residuals, ofOne);
    }
    let sum = 0;
    for (let t = first; t < n; t++) sum += residuals[t]! * residuals[t]!;
    return sum === sum ? sum : Infinity;
  };
}

function conditionalErrors(values: Float64Array, coefficients: Coefficients, out: Float64Array): void {
  const { phi, phiLags, theta, thetaLags } = coefficients;
  const first = phi.length;
  out.fill(0, 0, first);
  for (let t = first; t < values.length; t++) {
    let error = values[t]!;
    for (let i = 0; i < phiLags.length; i++) {
      const lag = phiLags[i]!;
      error -= phi[lag - 1]! * values[t - lag]!;
    }
    for (let j = 0; j < thetaLags.length; j++) {
      const lag = thetaLags[j]!;
      if (lag > t - first) break;
      error -= theta[lag - 1]! * out[t - lag]!;
    }
    out[t] = error;
  }
}

function removeConstant(residuals: Float64Array, ofOne: Float64Array): void {
  let along = 0;
  let total = 0;
  for (let t = 0; t < ofOne.length; t++) {
    along += ofOne[t]! * residuals[t]!;
    total += ofOne[t]! * ofOne[t]!;
  }
  if (!(total > 0)) return;
  const c = along / total;
  for (let t = 0; t < ofOne.length; t++) residuals[t] = residuals[t]! - c * ofOne[t]!;
}
