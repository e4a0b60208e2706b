import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { DataEntitlement } from './data-entitlement.entity.ts';

/** A dataset that a workspace may use without recorded terms, because it owns the dataset or was given access to it. */
export type ImplicitEntitlement = {
  uid: string;
  datasetUid: string;
  datasetKind: string;
  datasetName: string;
  basis: 'owner' | 'access';
};

export type ListedEntitlement = ImplicitEntitlement | DataEntitlement;

/**
 * Lists those entitlements of the tenant that were ever in force, and the tenant's implicit entitlements, in descending
 * order of uid. The uid of an implicit entitlement is that of its dataset with another prefix.
 */
export async function listEntitlements(
  em: Em,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ListedEntitlement[]> {
  const { workspace } = tenantOf(em);
  const recorded = await em.find(
    DataEntitlement,
    {
      workspaceUid: workspace,
      approvedAt: { $ne: null },
      ...(after === undefined ? {} : { uid: { $lt: after } }),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
  const { rows: implicit } = await sql<ImplicitEntitlement>`
    select * from (
      select 'ent_' || split_part(d.uid, '_', 2) as uid, d.uid as "datasetUid", d.kind as "datasetKind",
        d.name as "datasetName", case when d.workspace_uid = ${workspace} then 'owner' else 'access' end as basis
      from dataset d
      where d.workspace_uid = ${workspace} or not exists (
        select from data_entitlement e
        where e.dataset_id = d.id and e.workspace_uid = ${workspace} and e.state in ('active', 'suspended'))
    ) listed
    where ${after ?? null}::text is null or uid < ${after ?? null}
    order by uid desc limit ${limit}
  `.execute(em.getKysely());
  return [...recorded, ...implicit].toSorted((one, other) => (one.uid < other.uid ? 1 : -1)).slice(0, limit);
}

/** Returns the entitlements of a workspace in every state, newest first, at most 1,000. For operators. */
export function entitlementsOf(em: Em, workspace: string): Promise<DataEntitlement[]> {
  return em.find(
    DataEntitlement,
    { workspaceUid: workspace },
    { filters: false, orderBy: { uid: 'desc' }, limit: 1_000 },
  );
}

/** Returns an entitlement of any workspace; null if it does not exist. For operators. */
export function findEntitlement(em: Em, uid: string): Promise<DataEntitlement | null> {
  return em.findOne(DataEntitlement, { uid }, { filters: false });
}
