import { normalDensity } from '../normal-density.ts';
import { normalQuantile } from '../normal-quantile.ts';
import { checkLevel } from './check-level.ts';

type Location = { mean: number; deviation: number };

/**
 * Returns the value at risk of a normal distribution: -(mean + z sd), where z is the standard normal quantile
 * at 1 - level.
 *
 * `mean` and `deviation` (population standard deviation, ddof 0) have the unit of the returns. The result is
 * not capped at 1. Throws a `RangeError` on a level outside (0, 1).
 * Source: Jorion, "Value at Risk" (2006), chapter 5.
 *
 * Example: mean 0, deviation 0.01, level 0.95 gives 0.0164485.
 */
export function varGaussian({ mean, deviation }: Location, level: number): number {
  checkLevel(level, 1);
  return -(mean + normalQuantile(1 - level) * deviation);
}

/**
 * Returns the expected shortfall of a normal distribution: -mean + sd phi(z) / (1 - level).
 *
 * Units and errors: see `varGaussian`.
 * Source: McNeil, Frey, Embrechts, "Quantitative Risk Management" (2015), example 2.14.
 *
 * Example: mean 0, deviation 0.01, level 0.95 gives 0.0206271.
 */
export function esGaussian({ mean, deviation }: Location, level: number): number {
  checkLevel(level, 1);
  return -mean + (deviation * normalDensity(normalQuantile(1 - level))) / (1 - level);
}
