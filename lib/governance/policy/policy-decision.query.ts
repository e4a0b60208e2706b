import type { Em } from '#lib/database/base.ts';
import { PolicyDecision } from './policy-decision.entity.ts';

/** A decision of the caller's tenant. */
export function findDecision(em: Em, uid: string): Promise<PolicyDecision | null> {
  return em.findOne(PolicyDecision, { uid });
}

/** A decision in any workspace. For operators. */
export function findDecisionAnywhere(em: Em, uid: string): Promise<PolicyDecision | null> {
  return em.findOne(PolicyDecision, { uid }, { filters: false });
}

/** The decisions of the caller's tenant about a subject, or about all, newest first. */
export function listDecisions(
  em: Em,
  { subject, limit }: { subject?: string | undefined; limit: number },
): Promise<PolicyDecision[]> {
  return em.find(PolicyDecision, subject ? { subjectUid: subject } : {}, {
    orderBy: { uid: 'desc' },
    limit,
  });
}
