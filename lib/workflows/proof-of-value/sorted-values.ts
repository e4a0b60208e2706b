import { ONE, type Fraction } from '#lib/core/decimal.ts';

/** The factor of values that are scaled by 10^8. */
export const SCALE = ONE;

/** Returns the median of values in ascending order, scaled by 10^8; null without values. */
export function medianOf(values: readonly bigint[]): Fraction | null {
  const middle = values.length >> 1;
  if (values.length === 0) return null;
  if (values.length % 2 === 1) return { numerator: values[middle]!, denominator: SCALE };
  return { numerator: values[middle - 1]! + values[middle]!, denominator: 2n * SCALE };
}

/** Compares two values. Returns a number below 0, 0 or above 0 if the first value is smaller, equal or larger. */
export function compareFractions(first: Fraction, second: Fraction): number {
  const [left, right] = [first.numerator * second.denominator, second.numerator * first.denominator];
  return left < right ? -1 : left > right ? 1 : 0;
}
