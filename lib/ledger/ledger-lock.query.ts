import type { Em, Tenant } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/**
 * Lets what writes to the ledger of a tenant take turns until the end of the transaction, so that what is recorded
 * later has a later moment, and a snapshot misses nothing that was recorded before it.
 */
export async function lockLedger(em: Em, { workspace, environment }: Tenant): Promise<void> {
  await acquireNamedLock(em, `ledger ${workspace} ${environment}`);
}
