import type { Em, Tenant } from '#lib/database/base.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { ProofOfValue } from './proof-of-value.entity.ts';
import type { ProofState } from './proof-states.ts';

export type ProofsQuestion = {
  uid?: string | undefined;
  state?: ProofState | undefined;
  key?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists proofs of value of the current tenant, newest first. */
export function findProofs(
  em: Em,
  { uid, state, key, after, limit }: ProofsQuestion,
): Promise<ProofOfValue[]> {
  return em.find(
    ProofOfValue,
    {
      ...(uid ? { uid } : {}),
      ...(after ? { uid: { $lt: after } } : {}),
      ...(state ? { state } : {}),
      ...(key ? { workflowKey: key } : {}),
    },
    { orderBy: { uid: 'desc' }, limit, refresh: true },
  );
}

/** Lists the newest proofs of value of the current tenant. */
export function newestProofs(em: Em, limit: number): Promise<ProofOfValue[]> {
  return findProofs(em, { limit });
}

/** Returns the workspace and environment of a proof of value. For operators. */
export function placeOfProof(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, ProofOfValue, uid);
}
