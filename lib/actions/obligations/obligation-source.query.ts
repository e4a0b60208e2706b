import { sql } from 'kysely';
import { defer, tenantOf, type Em } from '#lib/database/base.ts';
import { Obligation } from './obligation.entity.ts';
import { namedLock } from '#lib/governance/named-lock.query.ts';

export type ObligationSource = Pick<Obligation, 'sourceSystem' | 'sourceReference'>;

/**
 * Locks the reference of a source in the tenant of `em` until the transaction ends. The lock is requested together with
 * the next statement, which `findLive` sends.
 */
export async function lockSource(em: Em, { sourceSystem, sourceReference }: ObligationSource): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const key = JSON.stringify(['obligation', workspace, environment, sourceSystem, sourceReference]);
  await defer(em, namedLock(key));
}

/**
 * Returns the record of a source that no other record has superseded, and locks it. Also returns whether the workspace has
 * the given counterparty, and whether the counterparty is active.
 */
export async function findLive(
  em: Em,
  { sourceSystem, sourceReference }: ObligationSource,
  counterparty: number,
): Promise<{ known: Obligation | null; isPartyKnown: boolean }> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Record<string, unknown> & { is_party_known: boolean }>`
    select live.*, exists (
      select from counterparty
      where id = ${counterparty} and workspace_uid = ${workspace} and kind = 'counterparty' and state = 'active'
    ) as is_party_known
    from (select) one left join lateral (
      select * from obligation
      where workspace_uid = ${workspace} and environment = ${environment} and source_system = ${sourceSystem}
        and source_reference = ${sourceReference} and governance_state <> 'superseded'
      for update
    ) live on true
  `.execute(em.getKysely());
  const { is_party_known: isPartyKnown, ...row } = rows[0]!;
  return { known: row['uid'] === null ? null : em.map(Obligation, row), isPartyKnown };
}
