import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { judgeContext, type Context, type ContextCell } from './feature-context.ts';
import { featureMatrixAsOf, type FeatureCell } from './feature-join.query.ts';

export type ContextQuestion = {
  /** The versions of the features. `feature` is the name that reported conflicts use. */
  versions: readonly { id: number; feature: string; maxAgeDays: number }[];
  /** The day at whose end (UTC) the features are checked. */
  asOf: string;
  /**
   * The entities that must have values. If omitted, only the newest event of each feature is checked,
   * whichever entity it belongs to.
   */
  entities?: readonly string[] | undefined;
  /** The maximum distance in days between the last events of the features. */
  toleranceDays: number;
  /** A stricter maximum age in days for all features. The limits of the features still apply. */
  maxAgeDays?: number | undefined;
};

/**
 * Checks with `judgeContext` whether the newest events of features are close in time and recent enough, from
 * the values known by the end of a day.
 */
export async function featureContextAsOf(em: Em, question: ContextQuestion): Promise<Context> {
  const { versions, asOf, entities, toleranceDays, maxAgeDays = Infinity } = question;
  const known: ContextCell[] = [];
  for (const { id, feature, maxAgeDays: own } of versions) {
    const requested = entities ?? (await entitiesOf(em, id));
    const cells = await featureMatrixAsOf(em, { versionIds: [id], entities: requested, asOf });
    const counted = entities ? cells : [newestOf(cells)];
    for (const cell of counted) {
      known.push({
        feature,
        entity: entities ? cell!.entity : null,
        eventTime: cell?.eventTime ?? null,
        ageDays: cell?.ageDays ?? null,
        budgetDays: Math.min(own, maxAgeDays),
      });
    }
  }
  return judgeContext(known, toleranceDays);
}

function newestOf(cells: readonly FeatureCell[]): FeatureCell | undefined {
  return cells.reduce<FeatureCell | undefined>(
    (newest, cell) => ((cell.eventTime ?? '') > (newest?.eventTime ?? '') ? cell : newest),
    undefined,
  );
}

/** Lists the entities of a version with one index lookup per entity, and never scans all values. */
async function entitiesOf(em: Em, versionId: number): Promise<string[]> {
  const { rows } = await sql<{ entity: string }>`
    with recursive each (entity) as (
      (select entity from feature_value where feature_version_id = ${versionId} order by entity limit 1)
      union all
      select (
        select v.entity from feature_value v where v.feature_version_id = ${versionId} and v.entity > each.entity
        order by v.entity limit 1
      ) from each where each.entity is not null
    )
    select entity from each where entity is not null
  `.execute(em.getKysely());
  return rows.map(({ entity }) => entity);
}
