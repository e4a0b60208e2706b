import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import type { Em, Tenant } from '#lib/database/orm.ts';
import type { VoidedVote } from './approval.ts';

export type VoteConsequences = {
  tenant: Tenant;
  uid: string;
  actor: Actor;
  requestId?: string | undefined;
  now: Date;
  /** Earlier votes that were found to hold no longer. */
  voided?: readonly VoidedVote[];
  /** Whether the delegation was found to be over. */
  isExpired?: boolean;
  /** The delegation that this one took the place of. */
  superseded?: string | undefined;
};

/** Appends to the audit log what a vote did beside itself, whether it was cast or refused. */
export async function recordConsequences(
  em: Em,
  { tenant, uid, actor, requestId, now: at, voided = [], isExpired, superseded }: VoteConsequences,
): Promise<void> {
  const subject = { type: 'delegation', uid, version: 1 };
  for (const { uid: approval_uid, reason } of voided) {
    const details = { approval_uid, reason };
    await appendAudit(em, { at, op: 'delegation.vote_voided', actor, subject, requestId, details }, tenant);
  }
  if (isExpired) {
    await appendAudit(em, { at, op: 'delegation.expired', actor, subject, requestId }, tenant);
  }
  if (superseded !== undefined) {
    const ended = { ...subject, uid: superseded };
    const details = { replaced_by: uid };
    await appendAudit(
      em,
      { at, op: 'delegation.superseded', actor, subject: ended, requestId, details },
      tenant,
    );
  }
}
