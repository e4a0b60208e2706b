import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { eligibilityOf, type EligibilityRule, type LegacyFile } from './legacy.ts';
import { LegacyBatch, OrderBatch } from './order-batch.entity.ts';

/** Keeps the batches of an earlier system that are not kept yet, in the caller's transaction. Returns how many are new. */
export async function importLegacy(
  em: Em,
  tenant: Tenant,
  file: LegacyFile,
  by: string,
  now: Date,
): Promise<number> {
  const { source_system: sourceSystem } = file;
  const known = await em.find(LegacyBatch, { sourceSystem });
  const seen = new Set(known.map(({ legacyReference }) => legacyReference));
  let count = 0;
  for (const { legacy_reference, portfolio_uid, created_at, status, order_count } of file.batches) {
    if (seen.has(legacy_reference)) continue;
    seen.add(legacy_reference);
    count += 1;
    em.create(LegacyBatch, {
      uid: newUid(prefixes.legacyBatch),
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      sourceSystem,
      legacyReference: legacy_reference,
      portfolioUid: portfolio_uid,
      status,
      orderCount: order_count,
      createdAt: new Date(created_at),
      importedByUid: by,
      importedAt: now,
    });
  }
  await em.flush();
  return count;
}

export type Candidate = { legacy: LegacyBatch; eligibility: { rule: EligibilityRule; ok: boolean }[] };

/** Old batches that keep all rules, newest first. It reads, and links nothing. */
export async function legacyCandidates(
  em: Em,
  wanted: { portfolio?: string | undefined; since?: Date | undefined; most: number },
): Promise<Candidate[]> {
  const found = await em.find(
    LegacyBatch,
    {
      ...(wanted.portfolio ? { portfolioUid: wanted.portfolio } : {}),
      ...(wanted.since ? { createdAt: { $gte: wanted.since } } : {}),
    },
    { orderBy: { uid: 'desc' }, limit: 10_000 },
  );
  const linked = await em.find(
    OrderBatch,
    { legacyUid: found.map(({ uid }) => uid) },
    { fields: ['legacyUid'] },
  );
  const isLinked = new Set(linked.map(({ legacyUid }) => legacyUid));
  return found
    .map((legacy) => ({
      legacy,
      eligibility: eligibilityOf({ ...legacy, isLinked: isLinked.has(legacy.uid) }),
    }))
    .filter(({ eligibility }) => eligibility.every(({ ok }) => ok))
    .slice(0, wanted.most);
}
