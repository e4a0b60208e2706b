import type { EtsRun } from './ets-run.ts';

/** Working memory for a polynomial of the longest season, reused by all calls. */
const scratch = { now: new Float64Array(32), next: new Float64Array(32) };

/**
 * Whether the influence of past values dies out in a seasonal model: all roots of its characteristic polynomial z^(m+1)
 * + (a + b - p) z^m + (a + b - a p) (z^(m-1) + ... + z^2) + (a + b - a p + g - 1) z + p (1 - a - g) lie within the unit
 * circle, where a, b, g, p are alpha, beta phi, gamma and phi (b = p = 0 without trend). Without season the usual
 * region contains only such models. The roots are not computed; the Schur-Cohn recursion steps the polynomial down.
 * Supports seasons of 2 to 24 values.
 *
 * Source: Hyndman, Akram and Archibald, "The admissible parameter space for exponential smoothing models", Annals of
 * the Institute of Statistical Mathematics 60 (2008) 407-426; their slope is damped after the step, hence beta phi.
 */
export function isForecastable({ period, alpha, beta, gamma, phi }: EtsRun, hasTrend: boolean): boolean {
  if (period === 0) return true;
  const p = hasTrend ? phi : 0;
  const b = beta * p;
  const inner = alpha + b - alpha * p;
  let { now, next } = scratch;
  let degree = period + 1;
  now[0] = 1;
  now[1] = alpha + b - p;
  for (let i = 2; i < period; i += 1) now[i] = inner;
  now[period] = inner + gamma - 1;
  now[degree] = p * (1 - alpha - gamma);
  for (; degree > 0; degree -= 1) {
    const last = now[degree]!;
    if (!(Math.abs(last) < 1)) return false;
    const rest = 1 - last * last;
    for (let i = 0; i < degree; i += 1) next[i] = (now[i]! - last * now[degree - i]!) / rest;
    [now, next] = [next, now];
  }
  return true;
}
