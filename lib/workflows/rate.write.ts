import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';

export type Rate = { uid: string; currency: string; computeSecondMicro: number; by: string; since: Date };

/**
 * Sets the price of one second of computing for the current tenant, from an instant on, in millionths of the currency's
 * major unit.
 */
export async function setRate(em: Em, { uid, currency, computeSecondMicro, by, since }: Rate): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into workflow_rate (uid, workspace_uid, environment, currency, compute_second_micro, set_by_uid, since)
    values (${uid}, ${workspace}, ${environment}, ${currency}, ${computeSecondMicro}, ${by}, ${since})
  `.execute(em.getKysely());
}
