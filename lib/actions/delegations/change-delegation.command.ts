import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { revalidate } from './approval.ts';
import { decideChange, type ChangeVerdict, type PersonEvent } from './change.ts';
import { DelegationApproval, type Delegation } from './delegation.entity.ts';
import { lockDelegation, placeOfDelegation } from './delegation.query.ts';
import { progressOf, rightAt } from './quorum.ts';
import { readApprovalPowers, rolesOf, supportOfVote } from './approval-powers.query.ts';
import { suspendDelegation } from './support.write.ts';

export type DelegationChange = { uid: string; event: PersonEvent; reason: string };

/** The facts of the decision; null if the delegation does not exist in the workspace and environment. */
type Facts = { delegation: Delegation; isVoter: boolean } | null;

type Verdict = ChangeVerdict | { ok: false; code: 'delegation_unknown' };

const past: Record<PersonEvent, string> = {
  reject: 'rejected',
  withdraw: 'withdrawn',
  suspend: 'suspended',
  revoke: 'revoked',
};

/**
 * Rejects or withdraws a draft, suspends an active delegation, or revokes an active or suspended delegation. One person
 * is enough.
 */
export const changeDelegation = defineCommand<DelegationChange>()({
  find: (em, { uid }) => placeOfDelegation(em, uid),
  unknown: 'delegation_unknown',
  lock: (em, { uid }, place) => lockDelegation(em, uid, place),
  async facts(em, delegation, { event }, at): Promise<Facts> {
    if (!delegation) return null;
    const isVoter = event === 'reject' && (await isEligible(em, delegation, personOf(at), at.now));
    return { delegation, isVoter };
  },
  decide(facts, { event }, at): Verdict {
    if (!facts) return { ok: false, code: 'delegation_unknown' };
    const { state, creatorPersons: creators } = facts.delegation;
    return decideChange({ state, creators, isVoter: facts.isVoter }, event, personOf(at));
  },
  async write(em, facts, { next }, { input: { event, reason }, now }) {
    const { delegation } = facts!;
    if (event === 'suspend') await suspendDelegation(em, delegation, reason, now);
    else em.assign(delegation, { state: next, endedAt: now, stateReason: reason });
    return { result: delegation };
  },
  entry: (facts, _verdict, { uid, event, reason }) =>
    facts
      ? { op: `delegation.${past[event]}`, subject: { type: 'delegation', uid }, details: { reason } }
      : undefined,
  refusals: {
    delegation_unknown: 'The delegation does not exist.',
    transition_not_allowed: 'The state of the delegation does not allow this change.',
    approver_not_eligible: 'The person cannot vote at the open node of the approval graph.',
    not_of_the_drafters: 'Only a person who took part in drafting the delegation can withdraw it.',
  } satisfies Record<RefusalCode<Verdict>, string>,
});

/** Whether a person may vote at the node that is open now. */
async function isEligible(em: Em, delegation: Delegation, person: string, now: Date): Promise<boolean> {
  const { workspaceUid: workspace, environment, nodes } = delegation;
  const powers = await readApprovalPowers(em, { workspace, environment }, now);
  const votes = await em.find(
    DelegationApproval,
    { delegationUid: delegation.uid, state: 'counted' },
    { filters: false },
  );
  const { counted } = revalidate(
    nodes,
    votes.map((vote) => ({
      uid: vote.uid,
      node: vote.node,
      person: vote.personUid,
      support: supportOfVote(powers, delegation, vote),
    })),
  );
  const { open } = progressOf(nodes, counted);
  return open !== undefined && rightAt(open, person, rolesOf(powers, person)) !== undefined;
}
