import type { Em } from '#lib/database/base.ts';
import { EvidenceConflict } from './evidence-conflict.entity.ts';
import type { ConflictState, EvidenceSubject } from './evidence-conflict.ts';

export type ConflictQuestion = {
  subject: EvidenceSubject;
  subjectUid?: string | undefined;
  state?: ConflictState | undefined;
  /** Uid of the last conflict of the previous page. Only conflicts with a smaller uid are returned. */
  after?: string | undefined;
  limit?: number;
};

/** Returns the evidence that contradicts records of one kind, newest first. */
export function listConflicts(em: Em, question: ConflictQuestion): Promise<EvidenceConflict[]> {
  const { subject: subjectType, subjectUid, state, after, limit } = question;
  return em.find(
    EvidenceConflict,
    {
      subjectType,
      ...(after ? { uid: { $lt: after } } : {}),
      ...(subjectUid ? { subjectUid } : {}),
      ...(state ? { state } : {}),
    },
    { orderBy: { uid: 'desc' }, ...(limit === undefined ? {} : { limit }) },
  );
}

/** Returns the evidence that waits for a decision by a person, oldest first. */
export async function openConflicts(em: Em, subject: EvidenceSubject): Promise<EvidenceConflict[]> {
  return (await listConflicts(em, { subject, state: 'open' })).toReversed();
}

export function findConflict(
  em: Em,
  subjectType: EvidenceSubject,
  uid: string,
): Promise<EvidenceConflict | null> {
  return em.findOne(EvidenceConflict, { uid, subjectType });
}
