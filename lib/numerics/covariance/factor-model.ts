import type { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';

/** A factor model of the covariance of K assets, in the units of one period. */
export type FactorModel = {
  /** Exposures B, K-by-M: one row per asset, one column per factor. */
  exposures: readonly ArrayLike<number>[];
  /** Covariance matrix F of the M factors. */
  factorCovariance: readonly ArrayLike<number>[];
  /** Variances D of the specific returns of the K assets. */
  specificVariances: ArrayLike<number>;
};

/**
 * Returns the covariance matrix of a factor model, B F B' + diag(D), K-by-K and symmetric to the bit.
 *
 * Units: variances of one period; the result has the unit of the variances.
 * Errors: `RangeError` if shapes differ, a number is not finite or a specific variance is below 0.
 * Source: Grinold and Kahn, "Active Portfolio Management" (2000), equation 3.3.
 *
 * Example: exposures [[1], [2]], factor covariance [[0.04]] and specific variances [0.01, 0.02] give [[0.05, 0.08],
 * [0.08, 0.18]].
 */
export function factorCovariance({ exposures, factorCovariance, specificVariances }: FactorModel): Matrix {
  const [K, F] = [exposures.length, factorCovariance.length];
  requireNumbers('factorCovariance', factorCovariance, F);
  requireNumbers('exposures', exposures, F);
  requireNumbers('specificVariances', [specificVariances], K);
  for (let k = 0; k < K; k += 1)
    if (specificVariances[k]! < 0) throw new RangeError(`specific variance ${k} is below 0`);
  const loaded = matrixOf(K, F, (k, f) => {
    let total = 0;
    for (let g = 0; g < F; g += 1) total += exposures[k]![g]! * factorCovariance[g]![f]!;
    return total;
  });
  const covariance = matrixOf(K, K, () => 0);
  for (let k = 0; k < K; k += 1) {
    for (let l = k; l < K; l += 1) {
      let total = 0;
      for (let f = 0; f < F; f += 1) total += loaded.get(k, f) * exposures[l]![f]!;
      if (k === l) total += specificVariances[k]!;
      covariance.set(k, l, total);
      covariance.set(l, k, total);
    }
  }
  return covariance;
}

function requireNumbers(name: string, rows: readonly ArrayLike<number>[], width: number): void {
  for (const [at, row] of rows.entries())
    if (row.length !== width || !Array.from(row).every(Number.isFinite))
      throw new RangeError(`${name}: row ${at} is not ${width} finite numbers`);
}
