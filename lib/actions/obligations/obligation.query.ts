import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { ObligationState } from './obligation.ts';
import { Obligation } from './obligation.entity.ts';

export type ListedObligation = {
  record: Obligation;
  /**
   * Whether another record of the tenant has the same source hash. This happens if one document is registered under two
   * references.
   */
  isReused: boolean;
};

export type ObligationQuestion = {
  counterparty?: number | undefined;
  state?: ObligationState | undefined;
  currency?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Returns the obligations of the tenant of `em`, newest first. */
export async function listObligations(
  em: Em,
  { counterparty, state, currency, after, limit }: ObligationQuestion,
): Promise<ListedObligation[]> {
  const wanted = {
    ...(after ? { uid: { $lt: after } } : {}),
    ...(counterparty ? { counterpartyId: counterparty } : {}),
    ...(state ? { governanceState: state } : {}),
    ...(currency ? { currency } : {}),
  };
  const found = await em.find(Obligation, wanted, { orderBy: { uid: 'desc' }, limit });
  const rows = [];
  for (const record of found) rows.push({ record, isReused: await isHashReused(em, record) });
  return rows;
}

export async function findObligation(em: Em, uid: string): Promise<ListedObligation | undefined> {
  const record = await em.findOne(Obligation, { uid });
  return record ? { record, isReused: await isHashReused(em, record) } : undefined;
}

/**
 * Whether another record of the tenant has the same source hash. This happens if one document is registered under two
 * references.
 */
export async function isHashReused(em: Em, { uid, sourceHash }: Obligation): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ reused: boolean }>`
    select exists (
      select from obligation
      where workspace_uid = ${workspace} and environment = ${environment} and source_hash = ${sourceHash}
        and uid <> ${uid}
    ) as reused`.execute(em.getKysely());
  return rows[0]!.reused;
}
