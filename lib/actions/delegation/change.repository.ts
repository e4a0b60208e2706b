import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { revalidate } from './approval.ts';
import { Delegation, DelegationApproval } from './delegation.entity.ts';
import { progressOf, rightAt } from './quorum.ts';
import { readStandings, rolesOf, standingOf } from './standing.repository.ts';
import { nextDelegationState, type DelegationEvent } from './states.ts';
import { suspendDelegation } from './support.repository.ts';

/** What a person does to a delegation on the operators' surface. To take power away one person is enough. */
export const personEvents = [
  'reject',
  'withdraw',
  'suspend',
  'revoke',
] as const satisfies readonly DelegationEvent[];
export type PersonEvent = (typeof personEvents)[number];

export type DelegationChange = { uid: string; event: PersonEvent; person: string; reason: string; now: Date };

export type ChangedDelegation =
  | { ok: true; delegation: Delegation; from: string }
  | { ok: false; code: 'delegation_unknown' }
  | {
      ok: false;
      code: 'transition_not_allowed' | 'approver_not_eligible' | 'not_of_the_drafters';
      delegation: Delegation;
    };

/**
 * Locks a delegation and changes it, in the caller's transaction. Whoever may vote at the open node can reject, and
 * that is final; who stands behind the draft can withdraw it. For operators: it looks into all workspaces.
 */
export async function changeDelegation(
  em: Em,
  { uid, event, person, reason, now }: DelegationChange,
): Promise<ChangedDelegation> {
  const delegation = await em.findOne(
    Delegation,
    { uid },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!delegation) return { ok: false, code: 'delegation_unknown' };
  const from = delegation.state;
  const next = nextDelegationState(from, event);
  if (!next) return { ok: false, code: 'transition_not_allowed', delegation };
  if (event === 'withdraw' && !delegation.creatorPersons.includes(person)) {
    return { ok: false, code: 'not_of_the_drafters', delegation };
  }
  if (event === 'reject' && !(await mayReject(em, delegation, person, now))) {
    return { ok: false, code: 'approver_not_eligible', delegation };
  }
  if (event === 'suspend') await suspendDelegation(em, delegation, reason, now);
  else em.assign(delegation, { state: next, endedAt: now, stateReason: reason });
  await em.flush();
  return { ok: true, delegation, from };
}

async function mayReject(em: Em, delegation: Delegation, person: string, now: Date): Promise<boolean> {
  const { workspaceUid: workspace, environment, nodes } = delegation;
  const standings = await readStandings(em, { workspace, environment }, now);
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
      standing: standingOf(standings, delegation, vote),
    })),
  );
  const { open } = progressOf(nodes, counted);
  return open !== undefined && rightAt(open, person, rolesOf(standings, person)) !== undefined;
}
