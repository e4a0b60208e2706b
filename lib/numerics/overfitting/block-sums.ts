/** The even numbers of blocks that combinatorial cross-validation allows. */
export const BLOCKS = { min: 2, max: 16 } as const;

/**
 * Returns the sums and the sums of squares of a trial's returns over even, contiguous blocks: S sums, then S sums of
 * squares. They are all that `backtestOverfitting` needs of a trial.
 *
 * `returns`: n simple returns, fractions; `blocks`: S, even, from 2 to 16. A block has floor(n / S) returns; the remainder is
 * dropped at the start. Throws a `RangeError` on another S and on a return that is not finite.
 * Source: Bailey, Borwein, Lopez de Prado and Zhu, "The Probability of Backtest Overfitting" (2017), section 3.
 *
 * Example: for [9, 1, 2, 3, 4] and 2 blocks it is [3, 7, 5, 25].
 */
export function blockSums(returns: ArrayLike<number>, blocks: number): Float64Array {
  checkBlocks(blocks);
  const rows = Math.floor(returns.length / blocks);
  const out = new Float64Array(2 * blocks);
  let t = returns.length - rows * blocks;
  for (let block = 0; block < blocks; block += 1) {
    for (const end = t + rows; t < end; t += 1) {
      const value = returns[t]!;
      if (!Number.isFinite(value)) throw new RangeError(`the return ${t} is not finite: ${value}`);
      out[block]! += value;
      out[blocks + block]! += value * value;
    }
  }
  return out;
}

/** Throws a `RangeError` unless the number of blocks is allowed. */
export function checkBlocks(blocks: number): void {
  if (Number.isSafeInteger(blocks) && blocks % 2 === 0 && blocks >= BLOCKS.min && blocks <= BLOCKS.max)
    return;
  throw new RangeError(`blocks must be an even integer from ${BLOCKS.min} to ${BLOCKS.max}, got ${blocks}`);
}
