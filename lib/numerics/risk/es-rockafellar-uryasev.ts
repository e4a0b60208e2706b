import { checkLevel } from './check-level.ts';

/**
 * Returns the weights of the lowest returns in the expected shortfall: the `whole` lowest returns have the
 * weight `each`, and the next return has the weight `rest`. The weights sum to 1.
 *
 * Source: Rockafellar and Uryasev, "Conditional Value-at-Risk for General Loss Distributions" (2002),
 * proposition 8.
 *
 * Example: for 30 returns at level 0.95, the result is `{ whole: 1, each: 2/3, rest: 1/3 }`.
 */
export function tailWeights(count: number, level: number): { whole: number; each: number; rest: number } {
  checkLevel(level, count);
  const mass = (1 - level) * count;
  const whole = Math.min(Math.floor(mass), count - 1);
  return { whole, each: 1 / mass, rest: (mass - whole) / mass };
}

/**
 * Returns the expected shortfall of Rockafellar and Uryasev, a coherent risk measure: minus the mean of the lowest
 * share (1 - level) of the returns. If this share is not a whole number of returns, the last return is counted in part.
 *
 * `ascending`: n returns in ascending order, as fractions. The result is a loss as a fraction. Throws a
 * `RangeError` without returns and on a level outside (0, 1).
 * Source: see `tailWeights`. The result equals the minimum of the linear programme of Rockafellar and
 * Uryasev.
 *
 * Example: for [-0.03, -0.01, 0.01, 0.03] at level 0.625, the result is (0.03 + 0.5 x 0.01) / 1.5 =
 * 0.0233333.
 */
export function esRockafellarUryasev(ascending: ArrayLike<number>, level: number): number {
  const { whole, each, rest } = tailWeights(ascending.length, level);
  let total = 0;
  for (let at = 0; at < whole; at += 1) total += ascending[at]!;
  return -(total * each + ascending[whole]! * rest);
}
