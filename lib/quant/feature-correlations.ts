import { pearson, spearman } from '#lib/numerics/correlation.ts';
import { averageRanks } from '#lib/numerics/average-ranks.ts';
import { completePairs, type CrossSection, type Steps } from './cross-section.ts';

/**
 * Spearman correlation of every two features, averaged over the dates that have one: on each date over the entities that
 * have both, at least `minimumEntities`. 1 with itself where it varies on any date. Null where no date has one.
 */
export function featureCorrelations(
  dates: readonly Pick<CrossSection, 'features'>[],
  minimumEntities: number,
  { progress, cancelled }: Steps,
): (number | null)[][] {
  const count = dates[0]?.features.length ?? 0;
  const ranks = dates.map(({ features }) => features.map(ranksOfComplete));
  const table = Array.from({ length: count }, () => Array<number | null>(count).fill(null));
  for (let one = 0; one < count; one += 1) {
    if (cancelled()) throw new Error('cancelled');
    // The rows get shorter: of n(n + 1)/2 pairs those before row i are i(2n - i + 1)/2.
    progress((one * (2 * count - one + 1)) / (count * (count + 1)));
    for (let other = 0; other <= one; other += 1) {
      let [total, seen] = [0, 0];
      for (const [at, { features }] of dates.entries()) {
        const correlation = correlate(at, features, one, other);
        if (correlation === null) continue;
        total += correlation;
        seen += 1;
      }
      table[one]![other] = table[other]![one] = seen ? total / seen : null;
    }
  }
  return table;

  function correlate(at: number, features: readonly Float64Array[], one: number, other: number) {
    const [ranksOfOne, ranksOfOther] = [ranks[at]![one], ranks[at]![other]];
    // Ranks over all entities are those over the pairs where nothing is missing.
    if (ranksOfOne && ranksOfOther) {
      return ranksOfOne.length < minimumEntities ? null : pearson(ranksOfOne, ranksOfOther);
    }
    const { x, y } = completePairs(features[one]!, features[other]!);
    return x.length < minimumEntities ? null : spearman(x, y);
  }
}

function ranksOfComplete(values: Float64Array): Float64Array | undefined {
  return values.includes(NaN) ? undefined : averageRanks(values);
}
