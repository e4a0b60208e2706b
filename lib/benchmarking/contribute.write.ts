import { sql } from 'kysely';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { BenchmarkMembership } from './benchmark-membership.entity.ts';
import { sizeBandOf } from './cohorts.ts';
import { countEndedRuns, measure } from './measure.query.ts';
import { boundsOf } from './period.ts';

/**
 * Measures the metrics that the current tenant contributes for a month, and stores the figures. A figure that is
 * already stored is not changed.
 */
export async function contribute(
  em: Em,
  { metrics, groupKey }: BenchmarkMembership,
  { period, now }: { period: string; now: Date },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const window = boundsOf(period);
  const { serviceClass, region } = await em.findOneOrFail(Workspace, { uid: workspace });
  const sizeBand = sizeBandOf(await countEndedRuns(em, window));
  for (const metric of metrics) {
    for (const { currency, value, weight } of await measure(em, metric, window)) {
      await sql`
        insert into benchmark_contribution (workspace_uid, environment, period, metric, currency, group_key,
          service_class, region, size_band, value, weight, created_at)
        values (${workspace}, ${environment}, ${period}, ${metric}, ${currency}, ${groupOf(workspace, groupKey)},
          ${serviceClass}, ${region}, ${sizeBand}, ${value}, ${weight}, ${now})
        on conflict do nothing
      `.execute(em.getKysely());
    }
  }
}

/** Returns the name of a contributor: its group of affiliates, or the workspace alone. */
function groupOf(workspace: string, groupKey: string | null | undefined): string {
  return groupKey == null ? workspace : `group:${groupKey}`;
}
