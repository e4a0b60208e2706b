import type { Matrix } from 'ml-matrix';
import { fillChiSquares } from '../chi-square.ts';
import { rowMajor } from '../matrix.ts';
import { fillNormals } from '../normal-stream.ts';

/**
 * The distribution of a vector of factors: the `free` factors vary jointly, and all other factors are set to a value.
 */
export type ScenarioLaw = {
  /** Centre of the whole vector: means of the free factors, and values of the set factors. */
  centre: Float64Array;
  /** Indices of the free factors, ascending. */
  free: readonly number[];
  /** Lower Cholesky factor of the covariance of the free factors; for a Student t vector, of the scale matrix. */
  lower: Matrix;
  /** Degrees of freedom of a Student t vector, an even number; null for a normal vector. */
  degrees: number | null;
};

/** The part of the samples of a seed to draw: samples `first` to `first + count - 1`. */
export type ScenarioPart = { seed: number; first: number; count: number; antithetic: boolean };

/**
 * Draws samples of a distribution, sample-major, D numbers each: x = centre + sum_k L[a][k] z[k], summed from 0 in the
 * order of k. With degrees of freedom the sum is multiplied by sqrt(degrees / chi2). With `antithetic`, samples 2j and
 * 2j + 1 use stream j with z and -z, and the same chi2. No number depends on how the samples are divided among calls.
 *
 * Errors: `RangeError` of the streams. Source: recipe `rng-philox4x32-10/1`.
 */
export function drawScenarios(
  { centre, free, lower, degrees }: ScenarioLaw,
  { seed, first, count, antithetic }: ScenarioPart,
): Float64Array {
  const size = centre.length;
  const dimensions = free.length;
  const firstStream = antithetic ? Math.floor(first / 2) : first;
  const endStream = antithetic ? Math.floor((first + count - 1) / 2) + 1 : first + count;
  const streams = Math.max(0, endStream - firstStream);
  const normals = new Float64Array(streams * Math.max(dimensions, 1));
  if (dimensions > 0) fillNormals(normals, { seed, firstSample: firstStream, dimensions });
  const mixing = new Float64Array(degrees === null ? 0 : streams);
  if (degrees !== null) fillChiSquares(mixing, { seed, firstSample: firstStream, nu: degrees });
  const out = new Float64Array(count * size);
  const rows = rowMajor(lower);
  const z = new Float64Array(dimensions);
  for (let at = 0; at < count; at += 1) {
    const sample = first + at;
    const stream = (antithetic ? Math.floor(sample / 2) : sample) - firstStream;
    const sign = antithetic && sample % 2 === 1 ? -1 : 1;
    const widening = degrees === null ? 1 : Math.sqrt(degrees / mixing[stream]!);
    const row = at * size;
    const from = stream * dimensions;
    for (let k = 0; k < dimensions; k += 1) z[k] = sign * normals[from + k]!;
    for (let a = 0; a < size; a += 1) out[row + a] = centre[a]!;
    for (let a = 0; a < dimensions; a += 1) {
      let moved = 0;
      const start = a * dimensions;
      for (let k = 0; k <= a; k += 1) moved += rows[start + k]! * z[k]!;
      out[row + free[a]!]! += degrees === null ? moved : moved * widening;
    }
  }
  return out;
}
