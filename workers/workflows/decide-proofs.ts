import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { decideProof, dueProofs } from '#lib/workflows/proof-of-value/decide-proof.write.ts';
import { forEachIsolated } from './for-each-isolated.ts';

/** The maximum number of proofs of value that one pass decides. */
const TURN_MAX = 100;

/**
 * Gives and seals the verdict of each proof of value whose window has ended, one per transaction. A proof that fails is
 * tried again in the next pass. Returns the number of verdicts.
 */
export async function decideProofs(orm: Orm, now = systemClock.now()): Promise<number> {
  const due = await inPlatform(orm, (em) => dueProofs(em, { now, limit: TURN_MAX }));
  let decided = 0;
  await forEachIsolated(due, {
    do: async ({ proof, ...tenant }) => {
      if (await inTenant(orm, tenant, (em) => decideProof(em, proof, now))) decided += 1;
    },
    postpone: async () => undefined,
  });
  return decided;
}
