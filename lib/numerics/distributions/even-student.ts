/**
 * Returns the probability that a Student t variable with an even number of degrees of freedom is at most `t`.
 * The probability is a finite sum, computed only with + - * / and square roots.
 *
 * Range: every t, degrees an even integer from 2 to 200. Error: absolute below 1e-15. Far in the lower tail,
 * the result has few correct digits; use `studentTail` there. The result is monotone in `t` up to this error,
 * and never outside 0..1.
 * Errors: `RangeError` on other degrees and on NaN.
 * Source: Abramowitz and Stegun 26.7.4.
 *
 * Example: `evenStudent(2.2281388519862735, 10)` is 0.975.
 */
export function evenStudent(t: number, degrees: number): number {
  if (!(Number.isSafeInteger(degrees) && degrees >= 2 && degrees <= 200 && degrees % 2 === 0))
    throw new RangeError(`not an even number of degrees from 2 to 200: ${degrees}`);
  if (Number.isNaN(t)) throw new RangeError('NaN has no probability');
  if (Math.abs(t) > 1e150) return t > 0 ? 1 : 0;
  const whole = degrees + t * t;
  const cosineSquared = degrees / whole;
  let [term, total] = [1, 1];
  for (let k = 1; 2 * k <= degrees - 2; k += 1) {
    term *= ((2 * k - 1) / (2 * k)) * cosineSquared;
    total += term;
  }
  return Math.min(1, Math.max(0, 0.5 + 0.5 * ((t / Math.sqrt(whole)) * total)));
}
