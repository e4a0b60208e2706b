import type { Em } from '#lib/database/base.ts';
import { eligibilityOf, type EligibilityRule } from './legacy.ts';
import { LegacyBatch, OrderBatch } from './order-batch.entity.ts';

export type Candidate = { legacy: LegacyBatch; eligibility: { rule: EligibilityRule; ok: boolean }[] };

/**
 * Returns the batches of earlier systems that a new order batch could continue, newest first: the batches
 * that meet all eligibility rules. Changes nothing.
 */
export async function legacyCandidates(
  em: Em,
  wanted: { portfolio?: string | undefined; since?: Date | undefined; limit: number },
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
    .slice(0, wanted.limit);
}
