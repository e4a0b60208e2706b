import { tenantOf, type Em } from '#lib/database/base.ts';
import { namesOfPersons } from '#lib/access/person-names.query.ts';
import { readApprovalPowers, type ApprovalPowers } from './approval-powers.query.ts';
import { decideApproval, type ApprovalRefusal } from './approval.ts';
import { Delegation, DelegationApproval } from './delegation.entity.ts';
import { eligibleAt, nodeDeadline, progressOf } from './quorum.ts';
import type { DelegationState } from './states.ts';
import { readVoteFacts } from './vote-facts.query.ts';
import { voteRefusals } from './vote-refusals.ts';

export type NamedPerson = { uid: string; name: string };

/** A node of the approval graph of a delegation: the persons who may vote, and the votes that count. */
export type NodeView = {
  position: number;
  key: string;
  quorum: number;
  met: number;
  roles: readonly string[];
  eligible: NamedPerson[];
  voters: NamedPerson[];
};

/**
 * Whether a person can vote for a delegation now, with the node of the vote, or with the reason why the person cannot
 * vote.
 */
export type OwnVote =
  | { ok: true; node: number; isComplete: boolean }
  | { ok: false; code: ApprovalRefusal; detail: string };

/** The approval of a delegation, as one person sees it. */
export type ApprovalView = {
  delegation: Delegation;
  nodes: NodeView[];
  /** The position of the node that waits for votes; null if no node is open. */
  openNode: number | null;
  /** The persons related to the draft, who cannot vote. */
  drafters: NamedPerson[];
  votes: (DelegationApproval & { personName: string })[];
  /** The time at which the draft ends if the open node has no quorum by then. */
  deadline: Date;
  /** Null unless the delegation waits for votes. */
  own: OwnVote | null;
};

/** Reads the approval of a delegation of the caller's tenant; null if the delegation does not exist. */
export async function readApproval(
  em: Em,
  uid: string,
  person: string,
  now: Date,
): Promise<ApprovalView | null> {
  const delegation = await em.findOne(Delegation, { uid });
  if (!delegation) return null;
  return viewOf(em, delegation, { person, now, powers: await readApprovalPowers(em, tenantOf(em), now) });
}

/**
 * Returns the approvals of the delegations that wait for votes in the caller's tenant, oldest first, at most `limit`.
 * Each approval is returned as one person sees it.
 */
export async function delegationsAwaitingVotes(
  em: Em,
  person: string,
  now: Date,
  limit: number,
): Promise<ApprovalView[]> {
  const waiting = await em.find(
    Delegation,
    { state: { $in: ['draft', 'suspended'] satisfies DelegationState[] }, validUntil: { $gt: now } },
    { orderBy: { uid: 'asc' }, limit },
  );
  const powers = await readApprovalPowers(em, tenantOf(em), now);
  const views: ApprovalView[] = [];
  for (const each of waiting) {
    if (each.state === 'draft' && each.draftExpiresAt <= now) continue;
    views.push(await viewOf(em, each, { person, now, powers }));
  }
  return views;
}

type Seen = { person: string; now: Date; powers: ApprovalPowers };

async function viewOf(em: Em, delegation: Delegation, seen: Seen): Promise<ApprovalView> {
  const votes = await em.find(
    DelegationApproval,
    { delegationUid: delegation.uid },
    { orderBy: { uid: 'asc' } },
  );
  const counted = votes.filter(({ state }) => state === 'counted');
  const { nodes } = delegation;
  const { open, progress } = progressOf(nodes, counted);
  const eligible = nodes.map((node) => eligibleAt(node, seen.powers.members));
  const names = await namesOfPersons(em, [
    ...eligible.flat(),
    ...delegation.creatorPersons,
    ...votes.map(({ personUid }) => personUid),
  ]);
  const named = (uid: string): NamedPerson => ({ uid, name: names.get(uid) ?? uid });
  return {
    delegation,
    nodes: nodes.map(({ position, key, quorum, roles }, index) => ({
      position,
      key,
      quorum,
      met: progress[index]!.met,
      roles,
      eligible: eligible[index]!.map(named),
      voters: counted.filter(({ node }) => node === position).map(({ personUid }) => named(personUid)),
    })),
    openNode: open?.position ?? null,
    drafters: delegation.creatorPersons.map(named),
    votes: votes.map((vote) => Object.assign(vote, { personName: named(vote.personUid).name })),
    deadline: nodeDeadline(nodes, counted, delegation.createdAt) ?? delegation.draftExpiresAt,
    own: await ownVote(em, delegation, seen),
  };
}

async function ownVote(
  em: Em,
  delegation: Delegation,
  { person, now, powers }: Seen,
): Promise<OwnVote | null> {
  const { state } = delegation;
  if (state !== 'draft' && state !== 'suspended') return null;
  const voter = { application: null, person };
  const { facts } = await readVoteFacts(em, delegation, {
    tenant: tenantOf(em),
    voter,
    awaited: state,
    now,
    powers,
  });
  const verdict = decideApproval(facts);
  if (verdict.ok) return { ok: true, node: verdict.node, isComplete: verdict.isComplete };
  return { ok: false, code: verdict.code, detail: voteRefusals[verdict.code] };
}
