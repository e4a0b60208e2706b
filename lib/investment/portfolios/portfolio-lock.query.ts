import type { Em, Tenant } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/**
 * Locks the portfolios of a tenant until the end of the transaction, so that imports run one after another. The function
 * `record_settled_order` takes the same lock.
 */
export async function lockPortfolios(em: Em, { workspace, environment }: Tenant): Promise<void> {
  await acquireNamedLock(em, 'portfolios', workspace, environment);
}
