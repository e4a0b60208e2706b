import type { Em, Tenant } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/**
 * Locks the ledger of a tenant until the end of the transaction, so that database transactions write to the ledger one
 * after another. A later record then has a later time, and a snapshot includes everything that was recorded before the
 * snapshot.
 */
export async function lockLedger(em: Em, { workspace, environment }: Tenant): Promise<void> {
  await acquireNamedLock(em, `ledger ${workspace} ${environment}`);
}
