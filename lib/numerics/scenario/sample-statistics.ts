import { quantilePosition, quantileSorted } from '../quantile.ts';
import type { Ranks } from '../select-doubles.ts';
import { sortDoubles } from '../sort-doubles.ts';

export const QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const;
export const LEVELS = [0.95, 0.99] as const;
const CHUNK = 4096;

export type SampleStatistics = {
  mean: number;
  /** Population standard deviation. */
  deviation: number;
  /** Skewness; null if the values do not vary. */
  skewness: number | null;
  excessKurtosis: number | null;
  min: number;
  max: number;
  /** Quantiles of type 7, at the probabilities `QUANTILES`. */
  quantiles: number[];
  /**
   * Value at risk and expected shortfall at each of `LEVELS`: the loss that is not exceeded with this probability, and
   * the mean loss beyond it.
   */
  risk: { level: number; valueAtRisk: number; expectedShortfall: number }[];
};

/**
 * Returns statistics of simulated returns. The statistics are equal to the bit for any division of the samples. Sums
 * run over chunks of 4,096 values, each from 0, and the totals of the chunks are summed in order. Moments take two
 * passes. Quantiles use the sorted values.
 *
 * `sorted` has the same values in ascending order, at least at `statisticRanks`; pass it to avoid another sort. VaR is
 * minus the quantile at 1 - level. ES is minus the mean of the ceil(n (1 - level) - 1e-9) smallest values.
 * Errors: `RangeError` without values. Sources: Hyndman and Fan (1996), type 7; Acerbi and Tasche (2002) for ES.
 *
 * Example: for [-1, 0, 1] the mean is 0, the deviation sqrt(2/3) and the skewness 0.
 */
export function sampleStatistics(values: Float64Array, sorted = sortDoubles(values)): SampleStatistics {
  const n = values.length;
  if (n === 0) throw new RangeError('statistics need at least one value');
  const mean = chunkedSum(values, (value) => value) / n;
  const { second, third, fourth } = centralMoments(values, mean);
  const deviation = Math.sqrt(second);
  const varies = sorted[0] !== sorted[n - 1];
  return {
    mean,
    deviation,
    skewness: varies ? third / (second * deviation) : null,
    excessKurtosis: varies ? fourth / (second * second) - 3 : null,
    min: sorted[0]!,
    max: sorted[n - 1]!,
    quantiles: QUANTILES.map((p) => quantileSorted(sorted, p)),
    risk: LEVELS.map((level) => ({ level, ...tailRisk(sorted, level) })),
  };
}

/** Returns the ranks of the order statistics that the statistics of n values use. */
export function statisticRanks(n: number): Ranks[] {
  const tails = LEVELS.map((level) => 1 - level);
  return [
    { from: 0, to: Math.max(...LEVELS.map((level) => worstCount(n, level))) },
    ...[...QUANTILES, ...tails].map((p) => {
      const { below } = quantilePosition(n, p);
      return { from: below, to: below + 2 };
    }),
    { from: n - 1, to: n },
  ];
}

/** Returns how many of n values, counted from the smallest, form the tail beyond a confidence level. */
function worstCount(n: number, level: number): number {
  return Math.max(1, Math.ceil(n * (1 - level) - 1e-9));
}

/** Returns the means of the second, third and fourth powers of the deviations, each summed like `chunkedSum`. */
function centralMoments(values: Float64Array, mean: number) {
  let [seconds, thirds, fourths] = [0, 0, 0];
  for (let start = 0; start < values.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, values.length);
    let [second, third, fourth] = [0, 0, 0];
    for (let at = start; at < end; at += 1) {
      const deviation = values[at]! - mean;
      const square = deviation * deviation;
      second += square;
      third += square * deviation;
      fourth += square * square;
    }
    seconds += second;
    thirds += third;
    fourths += fourth;
  }
  const n = values.length;
  return { second: seconds / n, third: thirds / n, fourth: fourths / n };
}

function tailRisk(sorted: Float64Array, level: number) {
  const worst = worstCount(sorted.length, level);
  let total = 0;
  for (let at = 0; at < worst; at += 1) total += sorted[at]!;
  return { valueAtRisk: -quantileSorted(sorted, 1 - level), expectedShortfall: -(total / worst) };
}

/** Sums a function of the values over chunks of 4,096, each from 0, and sums the totals in order. */
export function chunkedSum(values: Float64Array, of: (value: number) => number): number {
  let total = 0;
  for (let start = 0; start < values.length; start += CHUNK) {
    let chunk = 0;
    const end = Math.min(start + CHUNK, values.length);
    for (let at = start; at < end; at += 1) chunk += of(values[at]!);
    total += chunk;
  }
  return total;
}
