import type { FailedAtom } from './coverage.ts';
import { dependence, type IndependenceRefusal, type ApplicationPersons } from './independence.ts';
import { progressOf, rightAt, type PinnedNode } from './quorum.ts';
import type { DelegationState } from './states.ts';
import type { RiskTier } from './terms.ts';

/** A vote. `support` is `holds` if the vote is still valid, otherwise the reason why the vote is void. */
export type CastVote = {
  uid: string;
  node: number;
  person: string;
  support: 'holds' | VoidReason;
};

export const voidReasons = [
  'binding_ended',
  'role_lost',
  'person_not_active',
  'authority_ended',
  'authority_insufficient',
  'not_independent',
  'earlier_node_reopened',
  'delegation_suspended',
] as const;
export type VoidReason = (typeof voidReasons)[number];

export type VoidedVote = { uid: string; reason: VoidReason };

/** An authority of the voter, active or not, and the terms that it does not cover. */
export type HeldAuthority = { uid: string; isLive: boolean; failed: FailedAtom[] };

export type AuthorityRefusal = 'authority_missing' | 'authority_inactive' | 'authority_insufficient';

/**
 * The intent that the voter declared. `matches` states whether the intent is for these terms and this application.
 * `node` is the node that the intent is for; null for any node.
 */
export type Intent = { uid: string; state: 'live' | 'expired'; matches: boolean; node: number | null };

export type ApprovalFacts = {
  state: DelegationState;
  /**
   * The state that the delegation must have for this vote: `draft` for a first approval, `suspended` for a
   * full re-approval.
   */
  awaited: 'draft' | 'suspended';
  isDraftOver: boolean;
  riskTier: RiskTier;
  isIdentityActive: boolean;
  /** The terms that are no longer valid: connector, counterparty, currency or identity ceiling. */
  outdated: readonly string[];
  graph: 'active' | 'missing' | 'unsatisfiable';
  nodes: readonly PinnedNode[];
  /**
   * The person whom the calling application is bound to, or a person who votes themselves; null without a valid
   * binding.
   */
  voter: { uid: string; isActive: boolean; roles: readonly string[] } | null;
  creator: ApplicationPersons;
  approver: ApplicationPersons;
  authorities: readonly HeldAuthority[];
  votes: readonly CastVote[];
  /** The intent that the voter declared. It is read only if the risk tier requires an intent. */
  intent: Intent | null;
};

export type ApprovalRefusal =
  | 'delegation_not_draft'
  | 'delegation_not_suspended'
  | 'delegation_expired'
  | 'identity_not_active'
  | 'terms_no_longer_valid'
  | 'approval_graph_missing'
  | 'approval_graph_unsatisfiable'
  | 'approver_not_bound'
  | IndependenceRefusal
  | 'approver_not_a_person'
  | AuthorityRefusal
  | 'approval_already_recorded'
  | 'approval_node_not_open'
  | 'approver_not_eligible'
  | 'approval_intent_required'
  | 'approval_intent_expired'
  | 'approval_intent_mismatch';

export type ApprovalVerdict = {
  /** Earlier votes that are no longer valid. They are marked as void even if the vote being cast is refused. */
  voided: VoidedVote[];
} & (
  | { ok: true; node: number; role: string | null; authority: string; isComplete: boolean }
  | { ok: false; code: ApprovalRefusal; failed?: FailedAtom[]; outdated?: readonly string[] }
);

/**
 * Returns the votes that are still valid, and the votes that are void. A vote is void if its `support` is not `holds`.
 * If a node therefore no longer has its quorum, all votes at later nodes are void too.
 */
export function revalidate(
  nodes: readonly PinnedNode[],
  votes: readonly CastVote[],
): { counted: CastVote[]; voided: VoidedVote[] } {
  const voided: VoidedVote[] = [];
  let counted: CastVote[] = [];
  for (const vote of votes) {
    if (vote.support === 'holds') counted.push(vote);
    else voided.push({ uid: vote.uid, reason: vote.support });
  }
  for (const { position, quorum } of nodes) {
    const isMet = counted.filter(({ node }) => node === position).length >= quorum;
    if (isMet) continue;
    const later = counted.filter(({ node }) => node > position);
    voided.push(...later.map(({ uid }) => ({ uid, reason: 'earlier_node_reopened' as const })));
    counted = counted.filter(({ node }) => node <= position);
  }
  return { counted, voided };
}

/**
 * Decides whether the vote of a person is accepted, and whether it completes the graph. The credential of an
 * application cannot approve: it only casts the vote of the person it is bound to, who must have the authority to
 * approve. The policies are evaluated later, after all these rules have allowed the vote.
 */
export function decideApproval(facts: ApprovalFacts): ApprovalVerdict {
  if (facts.state !== facts.awaited) {
    return {
      ok: false,
      code: facts.awaited === 'draft' ? 'delegation_not_draft' : 'delegation_not_suspended',
      voided: [],
    };
  }
  if (facts.isDraftOver) return { ok: false, code: 'delegation_expired', voided: [] };
  const { counted, voided } = revalidate(facts.nodes, facts.votes);
  const refuse = (
    code: ApprovalRefusal,
    more: { failed?: FailedAtom[]; outdated?: readonly string[] } = {},
  ) => ({ ok: false as const, code, voided, ...more });
  if (!facts.isIdentityActive) return refuse('identity_not_active');
  if (facts.outdated.length) return refuse('terms_no_longer_valid', { outdated: facts.outdated });
  if (facts.graph !== 'active') {
    return refuse(facts.graph === 'missing' ? 'approval_graph_missing' : 'approval_graph_unsatisfiable');
  }
  const same = dependence(facts.creator, facts.approver);
  if (same === 'sod_same_application') return refuse(same);
  const { voter } = facts;
  if (!voter) return refuse('approver_not_bound');
  if (same) return refuse(same);
  if (!voter.isActive) return refuse('approver_not_a_person');
  const authority = coveringAuthority(facts.authorities);
  if ('code' in authority)
    return refuse(authority.code, authority.failed ? { failed: authority.failed } : {});
  if (counted.some(({ person }) => person === voter.uid)) return refuse('approval_already_recorded');
  const { open } = progressOf(facts.nodes, counted);
  const right = open && rightAt(open, voter.uid, voter.roles);
  if (!open || !right) {
    const isLater = facts.nodes.some(
      (node) => node.position > (open?.position ?? 0) && rightAt(node, voter.uid, voter.roles),
    );
    return refuse(isLater ? 'approval_node_not_open' : 'approver_not_eligible');
  }
  if (facts.riskTier === 'T2') {
    if (!facts.intent) return refuse('approval_intent_required');
    if (facts.intent.state === 'expired') return refuse('approval_intent_expired');
    const isForNode = facts.intent.node === null || facts.intent.node === open.position;
    if (!facts.intent.matches || !isForNode) return refuse('approval_intent_mismatch');
  }
  const isComplete = !progressOf(facts.nodes, [...counted, { node: open.position }]).open;
  return { ok: true, voided, node: open.position, role: right.role, authority: authority.uid, isComplete };
}

/**
 * Returns the authority that covers all terms, or the reason why no authority covers them. With several active
 * authorities, the reason comes from the one with the fewest uncovered terms.
 */
export function coveringAuthority(
  authorities: readonly HeldAuthority[],
): { uid: string } | { code: AuthorityRefusal; failed?: FailedAtom[] } {
  if (!authorities.length) return { code: 'authority_missing' };
  const live = authorities.filter(({ isLive }) => isLive);
  if (!live.length) return { code: 'authority_inactive' };
  const covering = live.find(({ failed }) => !failed.length);
  if (covering) return { uid: covering.uid };
  const nearest = live.reduce((best, each) => (each.failed.length < best.failed.length ? each : best));
  return { code: 'authority_insufficient', failed: nearest.failed };
}
