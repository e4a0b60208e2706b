import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import type { Entry } from '#lib/governance/command.ts';
import { readValueFacts } from './value-facts.query.ts';
import { ValueSnapshot } from './value-snapshot.entity.ts';
import { STALE_AFTER_S, valueOf, WINDOW_DAYS, type ValueContent } from './value.ts';

/** The age in seconds at which the next snapshot is due: six hours before the newest snapshot becomes stale. */
const DUE_AFTER_S = STALE_AFTER_S - 6 * 3_600;

/** Returns the tenants with financial actions. For workers: reads all workspaces. */
export async function tenantsWithActions(em: Em): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from order_batch
    union select workspace_uid, environment from delegation order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

export async function newestValueSnapshot(em: Em): Promise<ValueSnapshot | null> {
  return em.findOne(ValueSnapshot, {}, { orderBy: { uid: 'desc' } });
}

/**
 * Seals a snapshot of the current tenant if its figures have changed, or if the newest snapshot is about to
 * become stale. Returns whether a snapshot was sealed.
 */
export async function sealDueSnapshot(em: Em, now: Date): Promise<boolean> {
  const newest = await newestValueSnapshot(em);
  const content = await contentOf(em, now);
  const isDue = !newest || now.getTime() - newest.asOf.getTime() >= DUE_AFTER_S * 1_000;
  if (!isDue && figuresOf(newest.content) === figuresOf(content)) return false;
  const snapshot = await createSnapshot(em, content, now);
  await appendAudit(em, { at: now, actor: { kind: 'system' }, ...sealedEntry(snapshot) });
  return true;
}

/** Returns the window that ends now, for snapshots and for tenants without a snapshot. */
export function windowTo(now: Date): { from: Date; to: Date } {
  return { from: new Date(now.getTime() - WINDOW_DAYS * 86_400_000), to: now };
}

/** Returns the content that a snapshot of the current tenant would have now. */
export async function contentOf(em: Em, now: Date): Promise<ValueContent> {
  return valueOf(await readValueFacts(em, windowTo(now)));
}

/**
 * Returns a hash of the figures of a snapshot and of the events from which they were counted. The hash does
 * not cover the times of the snapshot.
 */
function figuresOf({ as_of: _, window: __, sources, ...figures }: ValueContent): string {
  return canonicalHash({ figures, events: sources.map(({ events }) => events) });
}

/** Stores a snapshot of the current tenant, sealed by its hash. */
export async function createSnapshot(em: Em, content: ValueContent, now: Date): Promise<ValueSnapshot> {
  const { workspace, environment } = tenantOf(em);
  const snapshot = em.create(ValueSnapshot, {
    uid: newUid(prefixes.valueSnapshot),
    workspaceUid: workspace,
    environment,
    asOf: now,
    content,
    snapshotHash: canonicalHash(content),
  });
  await em.flush();
  return snapshot;
}

/** Returns the audit entry of a sealed snapshot. */
export function sealedEntry({ uid, snapshotHash }: ValueSnapshot): Entry {
  return {
    op: 'value.snapshot_sealed',
    subject: { type: 'value_snapshot', uid },
    afterHash: snapshotHash,
  };
}
