import { checkLevel } from './check-level.ts';
import { esRockafellarUryasev } from './es-rockafellar-uryasev.ts';

/**
 * Returns the conditional drawdown at risk: the mean size of the deepest share 1 - level of the drawdowns. If
 * this share is not a whole number of drawdowns, the last drawdown is counted in part, as in
 * `esRockafellarUryasev`.
 *
 * `drawdowns`: n drawdowns as returned by `drawdownSeries`, in any order. Throws a `RangeError` in the same
 * cases as `esRockafellarUryasev`.
 * Source: Chekhlov, Uryasev, Zabarankin, "Drawdown Measure in Portfolio Optimization" (2005).
 *
 * Example: for [0, -0.1, -0.2, -0.3] at level 0.5, the result is 0.25.
 */
export function conditionalDrawdown(drawdowns: ArrayLike<number>, level: number): number {
  return esRockafellarUryasev(Float64Array.from(drawdowns).sort(), level);
}

/**
 * Returns the mean size of the floor((1 - level) n) deepest drawdowns, at least one of them: a variant of the
 * conditional drawdown at risk in which no drawdown is counted in part.
 *
 * Shapes and errors: see `conditionalDrawdown`. Example: for [0, -0.1, -0.2, -0.3] at level 0.7, the result
 * is 0.3.
 */
export function cdarOrderMean(drawdowns: ArrayLike<number>, level: number): number {
  checkLevel(level, drawdowns.length);
  const ascending = Float64Array.from(drawdowns).sort();
  const count = Math.max(1, Math.floor((1 - level) * ascending.length));
  let total = 0;
  for (let at = 0; at < count; at += 1) total += ascending[at]!;
  return -total / count;
}
