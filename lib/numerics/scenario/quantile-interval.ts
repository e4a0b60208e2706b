/**
 * The 97.5 % quantile of the standard normal distribution: half the width of the central interval with probability 95
 * %.
 */
const Z_95 = 1.959963984540054;

/**
 * Returns the ranks of the order statistics between which the p-quantile of the distribution of n values lies with a
 * probability of about 95 %.
 */
export function intervalRanks(n: number, p: number): { low: number; high: number } {
  const spread = Z_95 * Math.sqrt(n * p * (1 - p));
  return {
    low: Math.max(0, Math.floor(n * p - spread) - 1),
    high: Math.min(n - 1, Math.ceil(n * p + spread)),
  };
}

/**
 * Returns the order statistics of ascending values between which the p-quantile of their distribution lies with a
 * probability of about 95 %.
 * Source: the binomial number of values below a quantile, by its normal limit; Conover, "Practical Nonparametric
 * Statistics" (1999), 3.2. With few values, the first or the last value is returned.
 */
export function quantileInterval(ascending: Float64Array, p: number): [number, number] {
  const { low, high } = intervalRanks(ascending.length, p);
  return [ascending[low]!, ascending[high]!];
}
