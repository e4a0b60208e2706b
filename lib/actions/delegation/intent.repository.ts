import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { bindingOf } from '../control/binding.ts';
import { ApprovalIntent, Delegation, DelegationApproval } from './delegation.entity.ts';
import { progressOf } from './quorum.ts';

/** An intent counts for so many minutes. */
export const INTENT_MINUTES = 15;

export type DeclaredIntent =
  | { ok: true; intent: ApprovalIntent }
  | {
      ok: false;
      code: 'delegation_unknown' | 'delegation_not_draft' | 'approver_not_bound' | 'node_unknown';
    };

/**
 * Declares that a person means to approve these terms at the open node through an application that speaks for them, in
 * the caller's transaction. Each declaration serves one approval.
 */
export async function declareIntent(
  em: Em,
  { uid, application, person, now }: { uid: string; application: string; person: string; now: Date },
): Promise<DeclaredIntent> {
  const delegation = await em.findOne(Delegation, { uid }, { filters: false });
  if (!delegation) return { ok: false, code: 'delegation_unknown' };
  if (delegation.state !== 'draft') return { ok: false, code: 'delegation_not_draft' };
  const { workspaceUid: workspace, environment } = delegation;
  const binding = await bindingOf(em, { workspace, environment }, application, now);
  if (binding?.body.person_uid !== person) return { ok: false, code: 'approver_not_bound' };
  const votes = await em.find(
    DelegationApproval,
    { delegationUid: uid, state: 'counted' },
    { filters: false },
  );
  const { open } = progressOf(delegation.nodes, votes);
  if (!open) return { ok: false, code: 'node_unknown' };
  const intent = em.create(ApprovalIntent, {
    uid: newUid(prefixes.approvalIntent),
    workspaceUid: workspace,
    environment,
    delegationUid: uid,
    personUid: person,
    applicationUid: application,
    node: open.position,
    termsHash: delegation.termsHash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INTENT_MINUTES * 60_000),
  });
  return { ok: true, intent };
}
