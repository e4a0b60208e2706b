import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/** Locks the portfolios of a tenant until the end of the transaction, so that imports run one after another. */
export async function lockPortfolios(em: Em, { workspace, environment }: Tenant): Promise<void> {
  await acquireNamedLock(em, nameOf(workspace, environment));
}

/** Waits until no other transaction imports into the portfolios of a tenant. Readers do not wait for one another. */
export async function lockPortfoliosShared(em: Em, { workspace, environment }: Tenant): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(hashtextextended(${nameOf(workspace, environment)}, 0))
  `.execute(em.getKysely());
}

/** The name of the lock. The function `record_settled_order` takes the same one. */
function nameOf(workspace: string, environment: string): string {
  return `portfolios ${workspace} ${environment}`;
}
