/**
 * Returns the returns minus a rate, or minus the returns of a benchmark in the same periods.
 *
 * `returns`: n fractions; `of`: the rate as one fraction, or the benchmark as n fractions. Throws a
 * `RangeError` if the benchmark has another length.
 *
 * Example: `excessReturns([0.02, 0.01], 0.005)` is [0.015, 0.005].
 */
export function excessReturns(returns: ArrayLike<number>, of: number | ArrayLike<number>): Float64Array {
  const excess = Float64Array.from(returns);
  if (typeof of === 'number') return excess.map((each) => each - of);
  if (of.length !== excess.length)
    throw new RangeError(`${of.length} returns of a benchmark do not match ${excess.length} returns`);
  return excess.map((each, t) => each - of[t]!);
}
