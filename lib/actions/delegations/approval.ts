import type { FailedAtom } from './coverage.ts';
import { dependence, type IndependenceRefusal, type ApplicationPersons } from './independence.ts';
import { progressOf, rightAt, type PinnedNode } from './quorum.ts';
import type { DelegationState } from './states.ts';
import type { RiskTier } from './terms.ts';

/** A vote that was cast, and what has become since of what it stood on. */
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

/** An authority of the voter, dead or alive, and what it does not cover. */
export type HeldAuthority = { uid: string; isLive: boolean; failed: FailedAtom[] };

export type AuthorityRefusal = 'authority_missing' | 'authority_inactive' | 'authority_insufficient';

/** What the voter declared: whether it is about these terms through this application, and for which node; null for any. */
export type Intent = { uid: string; state: 'live' | 'expired'; matches: boolean; node: number | null };

export type ApprovalFacts = {
  state: DelegationState;
  /** A draft is approved; what was suspended is resumed by the whole graph again. */
  awaited: 'draft' | 'suspended';
  isDraftOver: boolean;
  riskTier: RiskTier;
  isIdentityActive: boolean;
  /** What in the terms is not there any more: connector, counterparty, currency, identity ceiling. */
  outdated: readonly string[];
  graph: 'active' | 'missing' | 'unsatisfiable';
  nodes: readonly PinnedNode[];
  /** For whom the calling application speaks; null without a binding that counts. */
  voter: { uid: string; isActive: boolean; roles: readonly string[] } | null;
  creator: ApplicationPersons;
  approver: ApplicationPersons;
  authorities: readonly HeldAuthority[];
  votes: readonly CastVote[];
  /** Looked for where the tier asks for one. */
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
  /** Votes that hold no longer, whatever becomes of this one. */
  voided: VoidedVote[];
} & (
  | { ok: true; node: number; role: string | null; authority: string; isComplete: boolean }
  | { ok: false; code: ApprovalRefusal; failed?: FailedAtom[]; outdated?: readonly string[] }
);

/**
 * Votes are asked again each time, not remembered: one whose binding, role, authority or independence is gone no
 * longer counts, and with it go all votes of later nodes.
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
 * Whether an application's call casts the vote of the person it speaks for, and whether that completes the graph. A
 * credential never approves: it only carries the vote of a person who has a standing of their own. Policies are asked
 * after this, when everything else allows it.
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

/** The authority that covers all, or why none does: of several the one that comes nearest. */
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
