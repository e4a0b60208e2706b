import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { placeOfProof } from './proof.query.ts';
import { ProofOfValue } from './proof-of-value.entity.ts';

type WithdrawalVerdict = { ok: true } | { ok: false; code: 'proof_ended' };

/** Withdraws a proof of value that has no verdict yet. The record and its terms stay. */
export const withdrawProof = defineCommand<{ proof: string }>()({
  find: (em, { proof }) => placeOfProof(em, proof),
  unknown: 'proof_unknown',
  lock: (em, { proof: uid }) =>
    em.findOneOrFail(ProofOfValue, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }),
  facts: async (_em, proof) => proof,
  decide: ({ state }): WithdrawalVerdict =>
    state === 'collecting' ? { ok: true } : { ok: false, code: 'proof_ended' },
  async write(_em, proof, _verdict, at) {
    proof.state = 'withdrawn';
    proof.withdrawnAt = at.now;
    proof.withdrawnByUid = personOf(at);
    return { result: proof };
  },
  entry: ({ uid, workflowKey: workflow }, verdict) =>
    verdict.ok
      ? {
          op: 'proof_of_value.withdrawn',
          subject: { type: 'proof_of_value', uid },
          details: { workflow },
        }
      : undefined,
  refusals: {
    proof_unknown: 'The proof of value does not exist.',
    proof_ended: 'The proof of value has ended already.',
  },
});
