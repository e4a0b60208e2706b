import { BUCKET_RESOLUTION, bucketValue } from '#lib/numerics/simulation/bucket-counts.ts';
import {
  joinMoments,
  momentsAt,
  MOMENTS,
  noMoments,
  type Moments,
} from '#lib/numerics/simulation/central-moments.ts';
import { interpolate, quantilePosition } from '#lib/numerics/quantile.ts';
import { intervalRanks } from '#lib/numerics/scenario/quantile-interval.ts';
import { selectDoubles, type Ranks } from '#lib/numerics/select-doubles.ts';
import { bucketsOf, type PathStore } from './path-store.ts';
import { CHUNK } from './simulation-setup.ts';

/** The distribution of a figure over all paths. */
export type Ordered = {
  /** Returns the value of a rank; 0 is the smallest. */
  at(rank: number): number;
  /** Returns the mean of the smallest values. */
  meanOfSmallest(count: number): number;
  /** Returns the variance of the smallest values about their mean. */
  varianceOfSmallest(count: number, mean: number): number;
  /** The largest relative error of a value; 0 if the values are exact. */
  resolution: number;
};

/**
 * Returns the distribution of a column over the paths of all stores, in order. If the values are exact, only
 * the ranks in `ranks` can be read.
 */
export function orderedColumn(
  stores: readonly PathStore[],
  column: number,
  ranks: readonly Ranks[],
): Ordered {
  return stores[0]!.layout.columns[column]!.window === null
    ? orderedValues(stores, column, ranks)
    : orderedBuckets(stores, column);
}

function orderedValues(stores: readonly PathStore[], column: number, ranks: readonly Ranks[]): Ordered {
  const values = new Float64Array(stores.reduce((total, { count }) => total + count, 0));
  let place = 0;
  for (const { layout, numbers, count } of stores) {
    const { at } = layout.columns[column]!;
    values.set(numbers.subarray(at, at + count), place);
    place += count;
  }
  const sorted = selectDoubles(values, ranks);
  return {
    at: (rank) => sorted[rank]!,
    meanOfSmallest(count) {
      let total = 0;
      for (let rank = 0; rank < count; rank += 1) total += sorted[rank]!;
      return total / count;
    },
    varianceOfSmallest(count, mean) {
      let total = 0;
      for (let rank = 0; rank < count; rank += 1) total += (sorted[rank]! - mean) * (sorted[rank]! - mean);
      return total / count;
    },
    resolution: 0,
  };
}

function orderedBuckets(stores: readonly PathStore[], column: number): Ordered {
  const window = stores[0]!.layout.columns[column]!.window!;
  const counts = new Float64Array(window.size);
  for (const { layout, numbers } of stores)
    for (const [bucket, count] of bucketsOf(numbers, layout.columns[column]!).entries())
      counts[bucket]! += count;
  const ofSmallest = (count: number, term: (value: number) => number) => {
    let [left, total] = [count, 0];
    for (let place = 0; left > 0; place += 1) {
      const taken = Math.min(left, counts[place]!);
      if (taken > 0) total += taken * term(bucketValue(place, window));
      left -= taken;
    }
    return total;
  };
  return {
    at(rank) {
      let [below, place] = [0, 0];
      while (below + counts[place]! <= rank) {
        below += counts[place]!;
        place += 1;
      }
      return bucketValue(place, window);
    },
    meanOfSmallest: (count) => ofSmallest(count, (value) => value) / count,
    varianceOfSmallest: (count, mean) =>
      ofSmallest(count, (value) => (value - mean) * (value - mean)) / count,
    resolution: BUCKET_RESOLUTION,
  };
}

/** Returns the type 7 quantile of n values. */
export function quantileOf({ at }: Pick<Ordered, 'at'>, n: number, p: number): number {
  const { below, weight } = quantilePosition(n, p);
  return below + 1 >= n ? at(n - 1) : interpolate(at(below), at(below + 1), weight);
}

/** Returns the two order statistics that contain the quantile with a confidence of 95 %. */
export function intervalOf({ at }: Pick<Ordered, 'at'>, n: number, p: number): [number, number] {
  const { low, high } = intervalRanks(n, p);
  return [at(low), at(high)];
}

/** Returns the ranks that the quantiles and intervals at some probabilities need. */
export function ranksOf(n: number, probabilities: readonly number[]): Ranks[] {
  return probabilities.flatMap((p) => {
    const { below } = quantilePosition(n, p);
    const { low, high } = intervalRanks(n, p);
    return [
      { from: below, to: Math.min(n, below + 2) },
      { from: low, to: low + 1 },
      { from: high, to: high + 1 },
    ];
  });
}

/** Returns the moments with the index `which` of every chunk, joined in the order of the paths. */
export function joinedMoments(stores: readonly PathStore[], which: number): Moments {
  let joined = noMoments;
  for (const { layout, numbers, count } of stores)
    for (let chunk = 0; chunk * CHUNK < count; chunk += 1)
      joined = joinMoments(
        joined,
        momentsAt(numbers, layout.momentsAt + chunk * layout.perChunk + which * MOMENTS),
      );
  return joined;
}

/** Returns the sum of a count over all stores. `at`: the index of the count in the layout. */
export function countOf(stores: readonly PathStore[], at: number): number {
  return stores.reduce((total, { numbers }) => total + numbers[at]!, 0);
}
