import { sql } from 'kysely';
import { uidBodyMin } from '#lib/core/id.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { count, type Attention, type Metric } from '../section.ts';

const WINDOW_DAYS = 30;

type Ends = { kind: string; succeeded: number; failed: number; newest: string | null };

/**
 * Returns the outcomes of the runs of the last 30 days: a count for each kind of run, and the failures.
 * `link` is the path that lists the runs.
 */
export async function sealedRuns(
  em: Em,
  now: Date,
  kinds: Readonly<Record<string, string>>,
  link: string,
): Promise<{ metrics: Metric[]; attention: Attention[] }> {
  const since = new Date(now.getTime() - WINDOW_DAYS * 86_400_000);
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Ends>`
    select kind, count(*) filter (where state = 'succeeded')::integer as succeeded,
      count(*) filter (where state = 'failed')::integer as failed,
      ${instant(sql`max(finished_at) filter (where state = 'succeeded')`)} as newest
    from run
    where workspace_uid = ${workspace} and environment = ${environment} and kind = any(${Object.keys(kinds)})
      and right(uid, 26) >= ${uidBodyMin(since)}
    group by kind
  `.execute(em.getKysely());
  const byKind = new Map(rows.map((row) => [row.kind, row]));
  const metrics = Object.entries(kinds).map(([kind, name]): Metric => {
    const { succeeded = 0, newest = null } = byKind.get(kind) ?? {};
    return count(`${name}_sealed_${WINDOW_DAYS}d`, succeeded, newest);
  });
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const attention: Attention = {
    code: `runs_failed_${WINDOW_DAYS}d`,
    severity: 'info',
    count: failed,
    link,
  };
  return { metrics, attention: [attention] };
}
