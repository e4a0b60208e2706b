import { countParameters } from './ets-form.ts';
import type { EtsEstimate } from './estimate-ets.ts';
import { sumOfSquares } from './likelihood.ts';

/**
 * Variance of the errors (relative ones for multiplicative errors), by as many degrees of freedom as coefficients and
 * initial states leave; without such correction where they leave none. Source: Hyndman and Athanasopoulos, "Forecasting: Principles and
 * Practice" (3rd ed. 2021), 8.6.
 */
export function errorVariance({ form, run }: EtsEstimate): number {
  const freedom = run.n - countParameters(form, run.period);
  return sumOfSquares(run, form.error) / (freedom > 0 ? freedom : run.n);
}
