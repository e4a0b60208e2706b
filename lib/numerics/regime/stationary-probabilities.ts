import type { Matrix } from 'ml-matrix';
import { rowMajor } from '../matrix.ts';

/**
 * Returns the long-run share of each state of a Markov chain: the solution of p P = p with sum 1. States are eliminated
 * without subtraction.
 *
 * Shapes: `transitions` K-by-K. If several states cannot be left, the last of these states has the share 1.
 * Source: Grassmann, Taksar and Heyman, "Regenerative Analysis and Steady State Distributions" (1985).
 *
 * Example: for [[0.9, 0.1], [0.5, 0.5]] the shares are [5/6, 1/6].
 */
export function stationaryProbabilities(transitions: Matrix): Float64Array {
  const K = transitions.rows;
  const P = rowMajor(transitions);
  for (let n = K - 1; n > 0; n -= 1) {
    let leaving = 0;
    for (let j = 0; j < n; j += 1) leaving += P[n * K + j]!;
    for (let i = 0; i < n; i += 1) P[i * K + n] = leaving > 0 ? P[i * K + n]! / leaving : 0;
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < n; j += 1) P[i * K + j]! += P[i * K + n]! * P[n * K + j]!;
  }
  const shares = new Float64Array(K);
  shares[0] = 1;
  let total = 1;
  for (let n = 1; n < K; n += 1) {
    for (let i = 0; i < n; i += 1) shares[n]! += shares[i]! * P[i * K + n]!;
    total += shares[n]!;
  }
  return shares.map((each) => each / total);
}
