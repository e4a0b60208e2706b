import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import { utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { balancesOf, type Movement, type SnapshotContent } from './balances.ts';
import { lockLedger } from './ledger-lock.repository.ts';
import { LedgerSnapshot } from './ledger-snapshot.entity.ts';
import { countLate, movementsAsOf, recordedBy } from './movement.repository.ts';

export type Taken =
  | { ok: true; snapshot: LedgerSnapshot; isNew: boolean }
  | { ok: false; code: 'day_not_over' | 'nothing_recorded' | 'amount_range' };

/**
 * Seals the balances of the em's tenant at the end of a day. The same transactions give the snapshot that is there; what
 * was recorded since gives another one beside it, which says how much of it is late. A sealed snapshot never changes.
 */
export async function takeSnapshot(
  em: Em,
  { asOf, now, actor }: { asOf: string; now: Date; actor: Actor },
): Promise<Taken> {
  if (asOf >= utcDate(now)) return { ok: false, code: 'day_not_over' };
  const tenant = tenantOf(em);
  await lockLedger(em, tenant);
  const knownAt = await recordedBy(em, now);
  const content = contentOf(asOf, await movementsAsOf(em, { asOf, knownAt }));
  if (content === undefined) return { ok: false, code: 'amount_range' };
  if (content.transactions.count === 0) return { ok: false, code: 'nothing_recorded' };
  const sealedHash = canonicalHash(content);
  const same = await em.findOne(LedgerSnapshot, { asOf, sealedHash });
  if (same) return { ok: true, snapshot: same, isNew: false };
  const [previous] = await em.find(
    LedgerSnapshot,
    { asOf: { $lte: asOf } },
    { orderBy: { asOf: 'desc', uid: 'desc' }, limit: 1 },
  );
  const snapshot = em.create(LedgerSnapshot, {
    uid: newUid(prefixes.ledgerSnapshot),
    workspaceUid: tenant.workspace,
    environment: tenant.environment,
    asOf,
    knownAt,
    content,
    sealedHash,
    previousUid: previous?.uid ?? null,
    lateTransactions: previous ? await countLate(em, previous) : 0,
  });
  await em.flush();
  await appendAudit(em, {
    at: now,
    op: 'ledger.snapshot_sealed',
    actor,
    subject: { type: 'ledger_snapshot', uid: snapshot.uid },
    afterHash: sealedHash,
    details: { as_of: asOf },
  });
  return { ok: true, snapshot, isNew: true };
}

/** Undefined where a balance is beyond what JSON integers hold. */
function contentOf(asOf: string, movements: readonly Movement[]): SnapshotContent | undefined {
  try {
    return balancesOf(asOf, movements);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the transactions still say what a snapshot sealed, and whether the seal is that of its content. */
export async function replaySnapshot(em: Em, snapshot: LedgerSnapshot): Promise<boolean> {
  const { asOf, knownAt, content, sealedHash } = snapshot;
  const replayed = balancesOf(asOf, await movementsAsOf(em, { asOf, knownAt }));
  return canonicalHash(content) === sealedHash && canonicalHash(replayed) === sealedHash;
}

/** Where there is a ledger. */
export async function tenantsWithLedger(em: Em): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct workspace_uid as workspace, environment from ledger_account order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

export async function hasSnapshot(em: Em, asOf: string): Promise<boolean> {
  return (await em.findOne(LedgerSnapshot, { asOf })) !== null;
}
