import { pearson } from '#lib/numerics/correlation.ts';
import type { CrossSection, Steps } from './cross-section.ts';

/**
 * Computes the Spearman correlation of each pair of features, averaged over the dates that have a correlation. On each
 * date, uses the entities with both features; a date needs at least `minimumEntities` such entities. The correlation of
 * a feature with itself is 1 if the feature varies on any date. A pair without a correlation on any date has the result
 * null.
 *
 * The result equals `spearman` of the complete pairs to the bit, but each feature is sorted only once per date. This is
 * possible because removing entities from a sorted list leaves the order of the remaining entities.
 */
export function featureCorrelations(
  dates: readonly Pick<CrossSection, 'features'>[],
  minimumEntities: number,
  { progress, cancelled }: Steps,
): (number | null)[][] {
  const count = dates[0]?.features.length ?? 0;
  const sorted = dates.map(({ features }) => features.map(sortedFeature));
  const table = Array.from({ length: count }, () => Array<number | null>(count).fill(null));
  for (let one = 0; one < count; one += 1) {
    if (cancelled()) throw new Error('cancelled');
    // Progress: before row i, i(i + 1)/2 of the n(n + 1)/2 pairs are done.
    progress((one * (one + 1)) / (count * (count + 1)));
    for (let other = 0; other <= one; other += 1) {
      let [total, seen] = [0, 0];
      for (const features of sorted) {
        const correlation = correlate(features[one]!, features[other]!, minimumEntities);
        if (correlation === null) continue;
        total += correlation;
        seen += 1;
      }
      table[one]![other] = table[other]![one] = seen ? total / seen : null;
    }
  }
  return table;
}

/** The values of a feature. `order` has the indices of its non-missing values, from the lowest value to the highest. */
type Sorted = { values: Float64Array; order: Uint32Array };

function sortedFeature(values: Float64Array): Sorted {
  const order = Uint32Array.from(values.keys()).filter((at) => !Number.isNaN(values[at]!));
  return { values, order: order.sort((one, other) => values[one]! - values[other]! || one - other) };
}

function correlate(one: Sorted, other: Sorted, minimumEntities: number): number | null {
  const [x, y] = [ranksBeside(one, other), ranksBeside(other, one)];
  return x.length < minimumEntities ? null : pearson(x, y);
}

/** Returns average ranks among the entities that have both features, in the order of the entities. */
function ranksBeside({ values, order }: Sorted, other: Sorted): Float64Array {
  const both = order.filter((at) => !Number.isNaN(other.values[at]!));
  const ranks = new Float64Array(values.length).fill(NaN);
  for (let first = 0; first < both.length;) {
    let end = first + 1;
    while (end < both.length && values[both[end]!] === values[both[first]!]) end += 1;
    for (let at = first; at < end; at += 1) ranks[both[at]!] = (first + 1 + end) / 2;
    first = end;
  }
  return ranks.filter((rank) => !Number.isNaN(rank));
}
