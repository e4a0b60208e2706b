import { checkLevel } from './check-level.ts';
import { esRockafellarUryasev } from './es-rockafellar-uryasev.ts';

/**
 * Returns the conditional drawdown at risk: the mean size of the worst 1 - level of the drawdowns, with the last one
 * weighted as in `esRockafellarUryasev`.
 *
 * `drawdowns`: n drawdowns as of `drawdownSeries`, in any order. Throws a `RangeError` as `esRockafellarUryasev`.
 * Source: Chekhlov, Uryasev, Zabarankin, "Drawdown Measure in Portfolio Optimization" (2005).
 *
 * Example: for [0, -0.1, -0.2, -0.3] at level 0.5 it is 0.25.
 */
export function conditionalDrawdown(drawdowns: ArrayLike<number>, level: number): number {
  return esRockafellarUryasev(Float64Array.from(drawdowns).sort(), level);
}

/**
 * Returns the mean size of the floor((1 - level) n) deepest drawdowns, at least one of them: the conditional drawdown
 * without part of a value.
 *
 * Shapes and errors as `conditionalDrawdown`. Example: for [0, -0.1, -0.2, -0.3] at level 0.7 it is 0.3.
 */
export function cdarOrderMean(drawdowns: ArrayLike<number>, level: number): number {
  checkLevel(level, drawdowns.length);
  const ascending = Float64Array.from(drawdowns).sort();
  const count = Math.max(1, Math.floor((1 - level) * ascending.length));
  let total = 0;
  for (let at = 0; at < count; at += 1) total += ascending[at]!;
  return -total / count;
}
