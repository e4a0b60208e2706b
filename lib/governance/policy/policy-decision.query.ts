import type { Em } from '#lib/database/base.ts';
import { PolicyDecision } from './policy-decision.entity.ts';

/** Returns a decision of the caller's tenant. */
export function findDecision(em: Em, uid: string): Promise<PolicyDecision | null> {
  return em.findOne(PolicyDecision, { uid });
}

/** Returns a decision of any workspace. For operators. */
export function findDecisionAnywhere(em: Em, uid: string): Promise<PolicyDecision | null> {
  return em.findOne(PolicyDecision, { uid }, { filters: false });
}

/** Returns the decisions of the caller's tenant, newest first. `subject` restricts them to one subject. */
export function listDecisions(
  em: Em,
  { subject, limit }: { subject?: string | undefined; limit: number },
): Promise<PolicyDecision[]> {
  return em.find(PolicyDecision, subject ? { subjectUid: subject } : {}, {
    orderBy: { uid: 'desc' },
    limit,
  });
}
