import { exp } from '../exponential.ts';
import { PHILOX_DOMAINS } from '../philox.ts';
import { quantile } from '../quantile.ts';
import { uniformStream } from '../uniform-stream.ts';
import { squaredDistances } from './maximum-mean-discrepancy.ts';

/**
 * Returns the permutation p-value of the maximum mean discrepancy: (1 + number of permutations with a value
 * at least as large) over (1 + permutations). The kernel is the kernel of `meanDiscrepancy`.
 *
 * Each permutation draws from its own counter in the resampling domain, so the result depends only on the
 * seed. Time: permutations times the square of the smaller sample.
 * Source: Gretton et al. (2012), section 3; Phipson and Smyth (2010) for the added 1.
 */
export function permutationP(
  points: Float64Array,
  dimensions: number,
  n: number,
  { permutations, seed }: { permutations: number; seed: number },
): number {
  const size = points.length / dimensions;
  const squared = squaredDistances(points, dimensions);
  const scale = quantile(squared, 0.5) || 1;
  const kernel = new Float64Array(size * size);
  const ofRow = new Float64Array(size);
  let place = 0;
  let whole = 0;
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      const value = exp(-squared[place]! / scale);
      kernel[i * size + j] = kernel[j * size + i] = value;
      whole += value;
      ofRow[i]! += value;
      ofRow[j]! += value;
      place += 1;
    }
  }
  const order = Int32Array.from({ length: size }, (_, at) => at);
  const pairs: Kernel = { kernel, ofRow, whole };
  const observed = statisticOf(pairs, order, n);
  let asLarge = 0;
  for (let sample = 0; sample < permutations; sample += 1) {
    shuffle(order, seed, sample);
    if (statisticOf(pairs, order, n) >= observed) asLarge += 1;
  }
  return (1 + asLarge) / (1 + permutations);
}

/**
 * The kernel values of all pairs, their row sums without the diagonal (`ofRow`), and their sum over all pairs
 * (`whole`).
 */
type Kernel = { kernel: Float64Array; ofRow: Float64Array; whole: number };

/**
 * Returns MMD^2 of the first n positions against the other positions. Only the pairs within the smaller group are
 * summed directly. The sum of the pairs between the groups is the sum of the smaller group's rows minus its own pairs.
 * The sum of the pairs within the larger group is the rest of the total.
 */
function statisticOf({ kernel, ofRow, whole }: Kernel, order: Int32Array, n: number): number {
  const size = order.length;
  const m = size - n;
  const members = Int32Array.from(n <= m ? order.subarray(0, n) : order.subarray(n)).sort();
  let [within, withAll] = [0, 0];
  for (let a = 0; a < members.length; a += 1) {
    const row = members[a]! * size;
    let total = 0;
    for (let b = a + 1; b < members.length; b += 1) total += kernel[row + members[b]!]!;
    within += total;
    withAll += ofRow[members[a]!]!;
  }
  const across = withAll - 2 * within;
  const beyond = whole - within - across;
  const [first, second] = n <= m ? [within, beyond] : [beyond, within];
  return (2 * first) / (n * (n - 1)) + (2 * second) / (m * (m - 1)) - (2 * across) / (n * m);
}

/**
 * Fills `order` with a random permutation of the indices, drawn by the counter `sample` of the seed. Source:
 * Durstenfeld (1964).
 */
export function shuffle(order: Int32Array, seed: number, sample: number): void {
  for (let at = 0; at < order.length; at += 1) order[at] = at;
  const draw = uniformStream({ seed, domain: PHILOX_DOMAINS.resampling, sample });
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(draw() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
}
