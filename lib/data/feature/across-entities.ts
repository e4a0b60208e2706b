import { compareText } from '#lib/core/compare-text.ts';
import { averageRanks } from '#lib/numerics/average-ranks.ts';
import { zScores } from '#lib/numerics/z-scores.ts';
import type { AcrossFunction } from '../feature-expression/expression.ts';
import { appendStep, type FeatureHistory } from './history.ts';

/**
 * The functions across entities, for the values of one event. A missing value is NaN. Functions ignore it, and the
 * result for its entity is NaN.
 */
export const acrossRules: Readonly<Record<AcrossFunction, (values: Float64Array) => Float64Array>> = {
  zscore: zScores,
  rank: averageRanks,
  percentile(values) {
    const count = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
    return averageRanks(values).map((rank) => rank / count);
  },
};

/**
 * Compares each entity with all other entities at the same event. The result is recomputed for each moment at which a
 * value of an entity became known. Entities are processed in code point order, so that sums do not depend on the order
 * of the input.
 */
export function computeAcross(
  name: AcrossFunction,
  inner: ReadonlyMap<string, FeatureHistory>,
): Map<string, FeatureHistory> {
  const entities = [...inner.keys()].sort(compareText);
  const history = new Map(entities.map((entity): [string, FeatureHistory] => [entity, new Map()]));
  const periods = new Set(entities.flatMap((entity) => [...inner.get(entity)!.keys()]));
  for (const period of periods) {
    const changes = entities.flatMap((entity, at) =>
      (inner.get(entity)!.get(period) ?? []).map((step) => ({ at, ...step })),
    );
    changes.sort((one, other) => one.knownAt - other.knownAt);
    const values = new Float64Array(entities.length).fill(Number.NaN);
    for (let next = 0; next < changes.length;) {
      const { knownAt } = changes[next]!;
      for (; changes[next]?.knownAt === knownAt; next += 1) values[changes[next]!.at] = changes[next]!.value;
      const results = acrossRules[name](values);
      for (const [at, entity] of entities.entries()) {
        const result = results[at]!;
        appendStep(history.get(entity)!, period, knownAt, Number.isFinite(result) ? result : Number.NaN);
      }
    }
  }
  return history;
}
