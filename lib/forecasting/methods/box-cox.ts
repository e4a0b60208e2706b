import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';

/**
 * Computes the Box-Cox transform of positive values into `into` (by default a new array): (x^lambda - 1) / lambda, ln x
 * at 0.
 *
 * Range: x > 0, lambda from 0 to 1. Never throws.
 * Source: Box and Cox, "An analysis of transformations", J. Royal Statistical Society B 26 (1964) 211-252.
 *
 * @example
 * boxCox(Float64Array.of(4), 0.5); // [2]
 */
export function boxCox(
  x: Float64Array,
  lambda: number,
  into: Float64Array = new Float64Array(x.length),
): Float64Array {
  for (let t = 0; t < x.length; t += 1) into[t] = transformed(x[t]!, lambda);
  return into;
}

/**
 * Inverts `boxCox` without bias adjustment, so a median becomes a median. If lambda z + 1 is not positive, no number
 * has this transform, and the result is 0, the nearest value.
 */
export function inverseBoxCox(z: number, lambda: number): number {
  if (lambda === 0) return Math.min(Number.MAX_VALUE, exp(z));
  if (lambda === 1) return Math.max(0, z + 1);
  const base = lambda * z + 1;
  return base > 0 ? Math.min(Number.MAX_VALUE, exp(ln(base) / lambda)) : 0;
}

function transformed(x: number, lambda: number): number {
  if (lambda === 0) return ln(x);
  if (lambda === 1) return x - 1;
  return (exp(lambda * ln(x)) - 1) / lambda;
}
