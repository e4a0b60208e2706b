import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant } from '../as-of.query.ts';
import type { DatasetKind } from '../dataset-kind.ts';
import type { Duty, Entitlement, Rule } from './decide.ts';

/**
 * The recorded entitlements of the tenant on one dataset, and the facts about the dataset that are compared with the
 * limits of the entitlements.
 */
export type HeldRights = {
  id: number;
  uid: string;
  kind: DatasetKind;
  rows: number;
  rowsToday: number;
  /** When the newest content was imported; null if the dataset is empty or hidden. */
  newestAt: Date | null;
  /** The region of the workspace. */
  region: string | null;
  entitlements: Entitlement[];
};

type Row = Omit<HeldRights, 'entitlements' | 'newestAt'> & {
  isOwn: boolean;
  /** Instants as texts with offset. */
  newestAt: string | null;
  entitlement: string;
  permissions: Rule[];
  prohibitions: Rule[];
  duties: Duty[];
  validFrom: string | null;
  validUntil: string | null;
  suspended: boolean;
};

/** The permission of every action. The owner of a dataset has it, and entitlements can only restrict it. */
const everything: Rule[] = (['read', 'display', 'derive', 'train', 'export', 'redistribute'] as const).map(
  (action) => ({ action, constraints: {} }),
);

/**
 * Returns the datasets on which a workspace has recorded entitlements that have not ended. Datasets without recorded
 * entitlements are not returned: their owner, and workspaces that were given access without terms, may use them for
 * every action.
 */
export async function heldRights(em: Em, workspace: string, now: Date): Promise<HeldRights[]> {
  const { rows } = await sql<Row>`
    select e.dataset_id as id, e.dataset_uid as uid, e.dataset_kind as kind, coalesce(d.rows_held, 0)::float8 as rows,
      coalesce(u.rows, 0)::float8 as "rowsToday", ${instant(sql`i.imported_at`)} as "newestAt", w.region,
      coalesce(d.workspace_uid = ${workspace}, false) as "isOwn", e.uid as entitlement, e.permissions, e.prohibitions,
      e.duties, ${instant(sql`e.valid_from`)} as "validFrom", ${instant(sql`e.valid_until`)} as "validUntil", e.state = 'suspended' as suspended
    from data_entitlement e
    left join workspace w on w.uid = e.workspace_uid
    left join dataset d on d.id = e.dataset_id
    left join dataset_import i on i.dataset_id = d.id and i.revision = d.revision
    left join data_use u on u.dataset_id = e.dataset_id and u.workspace_uid = ${workspace}
      and u.day = (${now.toISOString()}::timestamptz at time zone 'utc')::date
    where e.workspace_uid = ${workspace} and e.state in ('active', 'suspended')
    order by e.dataset_id, e.uid
  `.execute(em.getKysely());
  const byDataset = Map.groupBy(rows, ({ id }) => id);
  return [...byDataset.values()].map((all) => {
    const { id, uid, kind, rows: held, rowsToday, newestAt, region, isOwn } = all[0]!;
    const recorded = all.map((row) => entitlementOf(row, workspace));
    const owner = isOwn ? [ownerEntitlement({ dataset: uid, assignee: workspace })] : [];
    return {
      id,
      uid,
      kind,
      rows: held,
      rowsToday,
      newestAt: newestAt === null ? null : new Date(newestAt),
      region,
      entitlements: [...owner, ...recorded],
    };
  });
}

/** Returns the implicit entitlement of the owner of a dataset. Its uid is derived from that of the dataset. */
export function ownerEntitlement({
  dataset,
  assignee,
}: Pick<Entitlement, 'dataset' | 'assignee'>): Entitlement {
  const uid = `ent_${dataset.slice(dataset.indexOf('_') + 1)}`;
  return { uid, dataset, assignee, permissions: everything, prohibitions: [], duties: [] };
}

function entitlementOf(row: Row, assignee: string): Entitlement {
  return {
    uid: row.entitlement,
    dataset: row.uid,
    assignee,
    permissions: row.permissions,
    prohibitions: row.prohibitions,
    duties: row.duties,
    valid_from: row.validFrom,
    valid_until: row.validUntil,
    suspended: row.suspended,
  };
}
