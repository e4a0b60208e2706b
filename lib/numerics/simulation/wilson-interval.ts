/** The 97.5 % quantile of the standard normal distribution. */
const Z_95 = 1.959963984540054;

/**
 * Returns the interval that contains the probability of an event with a confidence of about 95 %, from the number of
 * trials in which the event happened.
 *
 * Range: `happened` from 0 to `trials`, `trials` from 1. With 0 events the lower end is 0. If the event happened in
 * all trials, the upper end is 1.
 * Errors: `RangeError` outside of this range.
 * Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 *
 * @example
 * wilsonInterval(5, 10); // [0.2365931, 0.7634069]
 */
export function wilsonInterval(happened: number, trials: number): [number, number] {
  if (!(trials >= 1 && happened >= 0 && happened <= trials))
    throw new RangeError(`${happened} events in ${trials} trials are out of range`);
  const share = happened / trials;
  const square = (Z_95 * Z_95) / trials;
  const centre = (share + square / 2) / (1 + square);
  const half = (Z_95 / (1 + square)) * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials));
  return [
    happened === 0 ? 0 : Math.max(0, centre - half),
    happened === trials ? 1 : Math.min(1, centre + half),
  ];
}
