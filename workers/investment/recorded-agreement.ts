import type { Em } from '#lib/database/base.ts';
import type { RecordedAgreement } from '#lib/investment/netting/applied-terms.ts';
import { NettingSet } from '#lib/investment/netting/netting-set.entity.ts';

/**
 * Reads the agreement that a run was submitted for. The terms of an agreement never change. This function
 * throws if they have changed.
 */
export async function recordedAgreement(
  em: Em,
  input: { netting_set_uid: string; terms_hash: string },
): Promise<RecordedAgreement> {
  const { uid, version, terms, termsHash, sourceReference, sourceHash } = await em.findOneOrFail(NettingSet, {
    uid: input.netting_set_uid,
  });
  if (termsHash !== input.terms_hash) throw new Error(`the terms of ${uid} differ from the submitted terms`);
  return { uid, version, terms, termsHash, sourceReference, sourceHash };
}
