import { averageRanks } from '#lib/numerics/average-ranks.ts';
import { zScores } from '#lib/numerics/z-scores.ts';
import type { AcrossFunction } from '../feature-expression/expression.ts';
import { appendStep, type FeatureHistory } from './history.ts';

/** What a function across entities makes of the values of one event; NaN has no part in it and no value. */
export const acrossRules: Readonly<Record<AcrossFunction, (values: Float64Array) => Float64Array>> = {
  zscore: zScores,
  rank: averageRanks,
  percentile(values) {
    const count = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
    return averageRanks(values).map((rank) => rank / count);
  },
};

/**
 * What a function tells of each entity compared with all others at the same event: anew from each moment on at which
 * something was told of one of them. The entities count in the order of their code points, so that sums do not depend
 * on the order in which they are given.
 */
export function computeAcross(
  name: AcrossFunction,
  inner: ReadonlyMap<string, FeatureHistory>,
): Map<string, FeatureHistory> {
  const entities = [...inner.keys()].sort();
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
