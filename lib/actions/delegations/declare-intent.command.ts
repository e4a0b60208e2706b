import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { bindingOf } from '../authority/binding.ts';
import { ApprovalIntent, DelegationApproval, type Delegation } from './delegation.entity.ts';
import { lockDelegation, placeOfDelegation } from './delegation.query.ts';
import { decideIntent, INTENT_MINUTES, type IntentVerdict } from './intent.ts';
import { progressOf } from './quorum.ts';

export type IntentDeclaration = {
  /** The draft that the person intends to approve. */
  uid: string;
  /** The application that will cast the vote. */
  application: string;
};

/** The facts of the decision; null if the delegation does not exist in the workspace and environment. */
type Facts = { delegation: Delegation; boundPerson: string | undefined; openNode: number | undefined } | null;

type Verdict = IntentVerdict | { ok: false; code: 'delegation_unknown' };

/**
 * Declares that a person intends to approve these terms at the open node, through an application that is
 * bound to the person. Each declaration is valid for one approval.
 */
export const declareIntent = defineCommand<IntentDeclaration>()({
  find: (em, { uid }) => placeOfDelegation(em, uid),
  unknown: 'delegation_unknown',
  lock: (em, { uid }, place) => lockDelegation(em, uid, place),
  async facts(em, delegation, { uid, application }, { place, now }): Promise<Facts> {
    if (!delegation) return null;
    const binding = await bindingOf(em, place, application, now);
    const votes = await em.find(
      DelegationApproval,
      { delegationUid: uid, state: 'counted' },
      { filters: false },
    );
    const { open } = progressOf(delegation.nodes, votes);
    return { delegation, boundPerson: binding?.body.person_uid, openNode: open?.position };
  },
  decide(facts, _input, at): Verdict {
    if (!facts) return { ok: false, code: 'delegation_unknown' };
    const { delegation, ...rest } = facts;
    return decideIntent({ state: delegation.state, ...rest }, personOf(at));
  },
  async write(em, facts, { node }, { input, place, now, actor }) {
    const intent = em.create(ApprovalIntent, {
      uid: newUid(prefixes.approvalIntent),
      workspaceUid: place.workspace,
      environment: place.environment,
      delegationUid: input.uid,
      personUid: personOf({ actor }),
      applicationUid: input.application,
      node,
      termsHash: facts!.delegation.termsHash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + INTENT_MINUTES * 60_000),
    });
    return { result: intent };
  },
  entry(facts, _verdict, { uid, application }, intent?: ApprovalIntent) {
    if (!facts) return undefined;
    return {
      op: 'delegation.intent_declared',
      subject: { type: 'delegation', uid },
      details: { ...(intent && { intent_uid: intent.uid }), application_uid: application },
    };
  },
  refusals: {
    delegation_unknown: 'The delegation does not exist.',
    delegation_not_draft: 'The delegation is no longer a draft.',
    approver_not_bound: 'The application is not bound to the person.',
    node_unknown: 'The approval graph of the delegation has no open node.',
  } satisfies Record<RefusalCode<Verdict>, string>,
});
