import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { judgeContext, type Context as Judged } from '#lib/data/feature-context.ts';
import { featureMatrixAsOf, type FeatureCell } from '#lib/data/feature-join.query.ts';
import type { ScenarioInput } from './scenarios.schema.ts';
import type { LqmDefinition } from '#lib/models/registry/lqm.ts';

/**
 * Returns the newest month of the factors that the feature store knew by the end of today. Throws a problem if a factor
 * has no known value, if the last value of a factor is too old, or if the values are from different times.
 */
export async function storeContext(
  em: Em,
  { columns, max_age_days }: LqmDefinition,
  store: NonNullable<LqmDefinition['store']>,
  today: string,
): Promise<ScenarioInput['context']> {
  const { feature, version, version_id, tolerance_days } = store;
  const factors = columns.map(({ name }) => name);
  const cells = await featureMatrixAsOf(em, { versionIds: [version_id], entities: factors, asOf: today });
  if (cells.length === 0)
    throw new Problem('context_missing', `The workspace no longer has the feature ${feature}.`);
  const known = new Map(cells.map((cell) => [cell.entity, cell]));
  const ofFactors = factors.map((factor) => known.get(factor)!);
  const judged = judgeContext(
    ofFactors.map(({ entity, eventTime, ageDays }) => ({
      feature,
      entity,
      eventTime,
      ageDays,
      budgetDays: max_age_days,
    })),
    tolerance_days,
  );
  if (judged.state !== 'synchronised') throw refusal(judged, feature);
  const events = ofFactors.map(({ eventTime }) => eventTime!);
  return {
    last_month: judged.newestEvent!.slice(0, 10),
    as_of: today,
    age_days: Math.min(...ofFactors.map(({ ageDays }) => ageDays!)),
    factors,
    values: ofFactors.map(valueOf),
    store: { feature, version, event_times: events, known_at: ofFactors.map(({ knownAt }) => knownAt!) },
  };
}

const codes = {
  missing: 'context_missing',
  stale: 'context_stale',
  unaligned: 'context_unsynchronised',
} as const;

const texts = {
  missing: 'has no value',
  stale: 'is too old',
  unaligned: 'is not from the newest month',
} as const;

/** Returns the problem for the most severe reason. The problem lists every factor to which this reason applies. */
function refusal({ state, offending }: Judged, feature: string): Problem {
  const reason = state as Exclude<Judged['state'], 'synchronised'>;
  const conflicts = offending.filter((each) => each.reason === reason);
  const [first] = conflicts;
  return new Problem(codes[reason], `${feature} of ${first!.entity} ${texts[reason]}.`, {
    members: {
      factors: conflicts.map(({ entity }) => entity),
      ...(reason === 'missing'
        ? {}
        : {
            observed: Math.max(
              ...conflicts.map(({ ageDays, behindDays }) => measured(reason, ageDays, behindDays)),
            ),
            needed: first!.allowedDays,
          }),
    },
  });
}

function measured(reason: 'stale' | 'unaligned', age: number | null, behind: number | null): number {
  return (reason === 'stale' ? age : behind)!;
}

/**
 * Returns the value of a cell. The maximum age of a model version is never above the maximum age of its feature, so
 * every cell that is recent enough for the model has a value.
 */
function valueOf({ value, entity }: FeatureCell): number {
  if (value === null) throw new Error(`the feature has no value for ${entity}`);
  return value;
}
