import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { NettingSet } from './netting-set.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type NettingSetQuestion = {
  counterparty?: number | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists the netting sets of the tenant of `em`, newest first. */
export function listNettingSets(
  em: Em,
  { counterparty, after, limit }: NettingSetQuestion,
): Promise<NettingSet[]> {
  return em.find(
    NettingSet,
    { ...(after ? { uid: { $lt: after } } : {}), ...(counterparty ? { counterpartyId: counterparty } : {}) },
    { orderBy: { uid: 'desc' }, limit },
  );
}

export function findNettingSet(em: Em, uid: string): Promise<NettingSet | null> {
  return em.findOne(NettingSet, { uid });
}

/** Whether an agreement in force has this name, ignoring case. */
export async function isNameTaken(em: Em, name: string): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    select from netting_set where workspace_uid = ${workspace} and environment = ${environment}
      and lower(name) = lower(${name}) and superseded_at is null limit 1
  `.execute(em.getKysely());
  return rows.length > 0;
}

/**
 * Locks the netting sets of a tenant until the end of the transaction, so that only one netting set is recorded at a
 * time.
 */
export async function lockNettingSets(em: Em, { workspace, environment }: Tenant): Promise<void> {
  const key = `netting sets ${workspace} ${environment}`;
  await acquireNamedLock(em, key);
}
