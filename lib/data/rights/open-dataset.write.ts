import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/**
 * Opens or closes a dataset of another owner to a workspace, by row-level security. The dataset is open from the
 * earliest beginning to the latest end of the active entitlements, and closed if there is none. A dataset of the
 * workspace itself stays open.
 */
export async function openDataset(
  em: Em,
  { dataset, workspace, now }: { dataset: number; workspace: string; now: Date },
): Promise<void> {
  await em.flush();
  const database = em.getKysely();
  const { rows } = await sql<{ count: number; opens: string | null; closes: string | null; isOwn: boolean }>`
    select count(e.uid)::integer as count, (d.workspace_uid is not distinct from ${workspace}) as "isOwn",
      case when bool_or(e.valid_from is null) then null else min(e.valid_from) end as opens,
      case when bool_or(e.valid_until is null) then null else max(e.valid_until) end as closes
    from dataset d left join data_entitlement e
      on e.dataset_id = d.id and e.workspace_uid = ${workspace} and e.state = 'active'
    where d.id = ${dataset} group by d.workspace_uid
  `.execute(database);
  const { count, opens, closes, isOwn } = rows[0]!;
  if (isOwn) return;
  if (count === 0) {
    await sql`delete from dataset_entitlement where dataset_id = ${dataset} and workspace_uid = ${workspace}`.execute(
      database,
    );
    return;
  }
  await sql`
    insert into dataset_entitlement (dataset_id, workspace_uid, granted_at, opens_at, closes_at)
    values (${dataset}, ${workspace}, ${now.toISOString()}, ${opens}, ${closes})
    on conflict (workspace_uid, dataset_id) do update set opens_at = excluded.opens_at, closes_at = excluded.closes_at
  `.execute(database);
}
