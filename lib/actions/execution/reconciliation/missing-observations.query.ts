import { sql } from 'kysely';
import { utcDate } from '#lib/core/clock.ts';
import type { Em, Tenant } from '#lib/database/base.ts';

/** Returns the tenants with batches that wait for custody evidence. */
export async function tenantsWithOpenBatches(em: Em): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct workspace_uid as workspace, environment from order_batch
    where state not in ('cancelled', 'closed') and released_at is not null
    order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the batches of the tenant of `em` with at least one order that is overdue, is not fully settled, and has no
 * open exception.
 */
export async function batchesWithOverdueOrders(em: Em, now: Date): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select b.uid from order_batch b
    where b.released_at is not null and b.state not in ('cancelled', 'closed') and exists (
      select from batch_order o
      where o.batch_uid = b.uid and o.state in ('open', 'partially_settled') and o.settlement_date < ${utcDate(now)}
        and not exists (select from execution_exception e
          where e.batch_uid = b.uid and e.key = 'missing_observation:' || o.order_hash
            and e.state in ('open', 'acknowledged')))
    order by b.uid
  `.execute(em.getKysely());
  return rows.map(({ uid }) => uid);
}
