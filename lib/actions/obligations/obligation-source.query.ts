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

export type LiveSource = {
  /** The record that no other record has superseded; null if there is none. */
  known: Obligation | null;
  /** Whether the workspace has the counterparty, and the counterparty is active. */
  isPartyKnown: boolean;
  /** Whether another record of the tenant has the same source hash. */
  isReused: boolean;
};

/**
 * Returns the record of a source that no other record has superseded, and locks it. `hash` is the submitted source hash;
 * null if the source is not valid.
 */
export async function findLive(
  em: Em,
  { sourceSystem, sourceReference }: ObligationSource,
  { counterparty, hash }: { counterparty: number; hash: string | null },
): Promise<LiveSource> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Record<string, unknown> & { is_party_known: boolean; is_reused: boolean }>`
    select live.*, exists (
      select from counterparty
      where id = ${counterparty} and workspace_uid = ${workspace} and kind = 'counterparty' and state = 'active'
    ) as is_party_known, exists (
      select from obligation other
      where other.workspace_uid = ${workspace} and other.environment = ${environment}
        and other.source_hash = ${hash} and other.uid is distinct from live.uid
    ) as is_reused
    from (select) one left join lateral (
      select * from obligation
      where workspace_uid = ${workspace} and environment = ${environment} and source_system = ${sourceSystem}
        and source_reference = ${sourceReference} and governance_state <> 'superseded'
      for update
    ) live on true
  `.execute(em.getKysely());
  const { is_party_known: isPartyKnown, is_reused: isReused, ...row } = rows[0]!;
  return { known: row['uid'] === null ? null : em.map(Obligation, row), isPartyKnown, isReused };
}
