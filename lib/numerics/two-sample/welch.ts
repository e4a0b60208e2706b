import { mean } from '../descriptive.ts';
import { studentTwoSided } from '../distributions/student-t.ts';

/**
 * Runs Welch's two-sided test of equal means of two samples with possibly different variances. Returns null if a side
 * has fewer than two values, or if neither side varies.
 *
 * Source: Welch, "The generalization of Student's problem when several different population variances are involved"
 * (Biometrika 1947), with Satterthwaite's degrees of freedom.
 *
 * Example: for [1, 2, 3, 4, 5] against [6, 7, 8, 9, 10] t is -5 with 8 degrees of freedom.
 */
export function welch(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
): { t: number; degrees: number; p: number } | null {
  const [n, m] = [reference.length, current.length];
  if (n < 2 || m < 2) return null;
  const [one, other] = [errorOfMean(reference), errorOfMean(current)];
  if (!(one + other > 0)) return null;
  const t = (mean(reference) - mean(current)) / Math.sqrt(one + other);
  const degrees = ((one + other) * (one + other)) / ((one * one) / (n - 1) + (other * other) / (m - 1));
  return { t, degrees, p: studentTwoSided(t, degrees) };
}

function errorOfMean(values: ArrayLike<number>): number {
  const centre = mean(values);
  let squares = 0;
  for (let at = 0; at < values.length; at += 1) squares += (values[at]! - centre) * (values[at]! - centre);
  return squares / (values.length - 1) / values.length;
}
