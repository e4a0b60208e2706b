import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { balancesOf } from './balances.ts';
import { LedgerAccount, LedgerSnapshot } from './ledger-snapshot.entity.ts';
import { movementsAsOf } from './movement.query.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

export type SnapshotQuestion = {
  /** First day of the balances, inclusive. `to` is the last day, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists the sealed balances of the tenant of `em`, newest first. */
export function listSnapshots(
  em: Em,
  { from, to, after, limit }: SnapshotQuestion,
): Promise<LedgerSnapshot[]> {
  return em.find(
    LedgerSnapshot,
    {
      ...(after ? { uid: { $lt: after } } : {}),
      ...(from || to ? { asOf: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } } : {}),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
}

export function findSnapshot(em: Em, uid: string): Promise<LedgerSnapshot | null> {
  return em.findOne(LedgerSnapshot, { uid });
}

/** Returns the tenant of a snapshot, searching all workspaces. */
export function placeOfSnapshot(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, LedgerSnapshot, uid);
}

/**
 * Whether a snapshot still matches the recorded transactions, and whether the seal of the snapshot still matches its
 * content.
 */
export async function replaySnapshot(em: Em, snapshot: LedgerSnapshot): Promise<boolean> {
  const { asOf, knownAt, content, sealedHash } = snapshot;
  const replayed = balancesOf(asOf, await movementsAsOf(em, { asOf, knownAt }));
  return canonicalHash(content) === sealedHash && canonicalHash(replayed) === sealedHash;
}

/** Verifies the snapshot with this uid as `replaySnapshot` does. The snapshot must exist. */
export async function verifySnapshot(em: Em, uid: string): Promise<boolean> {
  return replaySnapshot(em, await em.findOneOrFail(LedgerSnapshot, { uid }));
}

/** Lists the tenants that have a ledger account. */
export async function tenantsWithLedger(em: Em): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct workspace_uid as workspace, environment from ledger_account order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

export async function hasSnapshot(em: Em, asOf: string): Promise<boolean> {
  return (await em.findOne(LedgerSnapshot, { asOf })) !== null;
}

/** Lists the accounts of the tenant of `em`, newest first. */
export function listAccounts(
  em: Em,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<LedgerAccount[]> {
  return em.find(LedgerAccount, after ? { uid: { $lt: after } } : {}, {
    orderBy: { uid: 'desc' },
    limit,
  });
}

/** Lists all accounts of the tenant of `em`, ordered by key. */
export function accountsByKey(em: Em): Promise<LedgerAccount[]> {
  return em.find(LedgerAccount, {}, { orderBy: { key: 'asc' } });
}
