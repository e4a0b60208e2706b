/**
 * Returns weights in proportion to the inverse of each risk, with sum 1. Volatilities give the
 * inverse-volatility portfolio, and variances give the inverse-variance portfolio.
 *
 * Shapes: K risks give K weights.
 * Errors: `RangeError` without risks or with a risk that is not finite or not above 0.
 *
 * Example: [0.1, 0.3] gives [0.75, 0.25].
 */
export function inverseRiskWeights(risks: ArrayLike<number>): Float64Array {
  if (risks.length === 0) throw new RangeError('weights need at least one risk');
  return normalised(
    Float64Array.from(risks, (risk, at) => {
      if (!(risk > 0) || !(1 / risk > 0)) throw new RangeError(`risk ${at} is ${risk}; it must be above 0`);
      return 1 / risk;
    }),
  );
}

/**
 * Returns values divided by their sum, which is computed from left to right. Example: [1, 3] gives [0.25,
 * 0.75].
 */
export function normalised(values: Float64Array): Float64Array {
  let total = 0;
  for (const value of values) total += value;
  return values.map((value) => value / total);
}
