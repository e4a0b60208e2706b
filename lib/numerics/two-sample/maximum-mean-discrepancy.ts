import { exp } from '../exponential.ts';
import { CompensatedSum } from '../compensated-sum.ts';
import { quantile } from '../quantile.ts';

export type Discrepancy = {
  /** Unbiased estimate of MMD^2, which can be below 0. */
  unbiased: number;
  biased: number;
  /** Median of the squared distances of all pairs; 1 if the median is 0. */
  medianSquared: number;
};

/**
 * Computes the maximum mean discrepancy of two samples of points. With d the distance of two points, the kernel is
 * exp(-d^2 / median of d^2).
 *
 * Shapes: `points` holds rows of `dimensions` numbers, the first `n` rows from the reference and the other rows from
 * the current sample, at least two rows of each. Time and memory (n + m)^2.
 * Errors: `RangeError` with fewer than two points on a side.
 * Source: Gretton, Borgwardt, Rasch, Schoelkopf and Smola, "A Kernel Two-Sample Test" (JMLR 2012), lemma 6.
 */
export function meanDiscrepancy(points: Float64Array, dimensions: number, n: number): Discrepancy {
  const size = points.length / dimensions;
  if (n < 2 || size - n < 2) throw new RangeError('a discrepancy needs at least two points in each sample');
  const squared = squaredDistances(points, dimensions);
  const medianSquared = quantile(squared, 0.5);
  const scale = medianSquared > 0 ? medianSquared : 1;
  const kernel = squared.map((each) => exp(-each / scale));
  return { ...discrepancyOf(kernel, size, n), medianSquared };
}

/** Returns the squared distances of all pairs i < j, in the order (0,1), (0,2), ..., (1,2), ... */
export function squaredDistances(points: Float64Array, dimensions: number): Float64Array {
  const size = points.length / dimensions;
  const squared = new Float64Array((size * (size - 1)) / 2);
  let place = 0;
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      let total = 0;
      for (let d = 0; d < dimensions; d += 1) {
        const difference = points[i * dimensions + d]! - points[j * dimensions + d]!;
        total += difference * difference;
      }
      squared[place] = total;
      place += 1;
    }
  }
  return squared;
}

function discrepancyOf(kernel: Float64Array, size: number, n: number): { unbiased: number; biased: number } {
  const m = size - n;
  const sums = [new CompensatedSum(), new CompensatedSum(), new CompensatedSum()] as const;
  let place = 0;
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      sums[j < n ? 0 : i < n ? 1 : 2].add(kernel[place]!);
      place += 1;
    }
  }
  const [within, across, beyond] = sums.map((each) => each.value) as [number, number, number];
  const mixed = (2 * across) / (n * m);
  return {
    unbiased: (2 * within) / (n * (n - 1)) + (2 * beyond) / (m * (m - 1)) - mixed,
    biased: (2 * within + n) / (n * n) + (2 * beyond + m) / (m * m) - mixed,
  };
}
