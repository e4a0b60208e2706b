import { ln } from '#lib/numerics/natural-log.ts';
import type { EtsError, EtsForm } from './ets-form.ts';
import type { EtsRun } from './ets-run.ts';
import { passAdditive, returnAdditive } from './recursion-additive.ts';
import { passMultiplicative, returnMultiplicative } from './recursion-multiplicative.ts';
import { passPlain, returnPlain } from './recursion-plain.ts';

/** Mean squares below this bound are rounding errors, because the values are near 1. */
const SQUARES_MIN = 1e-28;

/**
 * Returns minus twice the concentrated log-likelihood, without its constant: n ln(sum e^2), and with multiplicative
 * errors e = (y - f) / f also 2 sum ln f. Returns Infinity if a multiplicative part is not positive.
 *
 * Source: Hyndman, Koehler, Ord and Snyder (2008), chapter 5.
 */
export function minusTwoLogLikelihood(run: EtsRun, { error, season }: EtsForm): number {
  const pass = season === 'N' ? passPlain : season === 'A' ? passAdditive : passMultiplicative;
  if (!pass(run)) return Infinity;
  return error === 'A' ? ofAdditiveErrors(run) : ofRelativeErrors(run);
}

/** Computes the gradient of the objective for the last recursion of the run, into the fields of the run. */
export function propagateGradient(run: EtsRun, { error, season }: EtsForm): void {
  setDirect(run, error);
  if (season === 'N') returnPlain(run);
  else if (season === 'A') returnAdditive(run);
  else returnMultiplicative(run);
}

/**
 * Returns the sum of squared errors, relative for multiplicative errors. The result is at least the level of rounding
 * errors.
 */
export function sumOfSquares({ errors, y, n }: EtsRun, error: EtsError): number {
  let sum = 0;
  for (let t = 0; t < n; t += 1) {
    const e = error === 'A' ? errors[t]! : errors[t]! / (y[t]! - errors[t]!);
    sum += e * e;
  }
  return sum;
}

function ofAdditiveErrors(run: EtsRun): number {
  return run.n * ln(Math.max(sumOfSquares(run, 'A'), run.n * SQUARES_MIN));
}

function ofRelativeErrors({ errors, y, n }: EtsRun): number {
  let squares = 0;
  let logs = 0;
  let product = 1;
  for (let t = 0; t < n; t += 1) {
    const forecast = y[t]! - errors[t]!;
    if (!(forecast > 0)) return Infinity;
    const relative = errors[t]! / forecast;
    squares += relative * relative;
    product *= forecast;
    if (product < 1e-200 || product > 1e200) {
      logs += ln(product);
      product = 1;
    }
  }
  logs += ln(product);
  return n * ln(Math.max(squares, n * SQUARES_MIN)) + 2 * logs;
}

function setDirect(run: EtsRun, error: EtsError): void {
  const { errors, y, n, byError, byForecast } = run;
  const squares = sumOfSquares(run, error);
  const factor = squares > n * SQUARES_MIN ? (2 * n) / squares : 0;
  for (let t = 0; t < n; t += 1) {
    if (error === 'A') {
      byError[t] = factor * errors[t]!;
      byForecast[t] = 0;
    } else {
      const forecast = y[t]! - errors[t]!;
      const relative = errors[t]! / forecast;
      byError[t] = (factor * relative) / forecast;
      byForecast[t] = (2 - factor * relative * relative) / forecast;
    }
  }
}
