import fc from 'fast-check';
import type { Matrix } from 'ml-matrix';
import { matrixOf } from '#lib/numerics/matrix.ts';

/** Generates positive definite covariances of 1 to `most` assets, each with a permutation of the assets. */
export function randomCovariance(most: number) {
  return fc
    .integer({ min: 1, max: most })
    .chain((K) =>
      fc.record({
        roots: fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), {
          minLength: K * K,
          maxLength: K * K,
        }),
        order: fc.shuffledSubarray(
          Array.from({ length: K }, (_, k) => k),
          { minLength: K, maxLength: K },
        ),
      }),
    )
    .map(({ roots, order }) => {
      const K = order.length;
      const covariance = matrixOf(K, K, (a, b) => {
        let total = a === b ? 0.01 : 0;
        for (let k = 0; k < K; k += 1) total += roots[a * K + k]! * roots[b * K + k]!;
        return total;
      });
      return { covariance, order };
    });
}

/** Returns the matrix with its rows and columns in the given order. */
export const permuted = (matrix: Matrix, order: readonly number[]): Matrix =>
  matrix.selection([...order], [...order]);

export function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
