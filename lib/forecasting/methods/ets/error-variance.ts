import { countParameters } from './ets-form.ts';
import type { EtsEstimate } from './estimate-ets.ts';
import { sumOfSquares } from './likelihood.ts';

/**
 * Returns the variance of the errors (relative errors if they are multiplicative). The divisor is the number of errors
 * less the number of coefficients and initial states. If that is not positive, the divisor is the number of errors.
 * Source: Hyndman and Athanasopoulos, "Forecasting: Principles and Practice" (3rd ed. 2021), 8.6.
 */
export function errorVariance({ form, run }: EtsEstimate): number {
  const freedom = run.n - countParameters(form, run.period);
  return sumOfSquares(run, form.error) / (freedom > 0 ? freedom : run.n);
}
