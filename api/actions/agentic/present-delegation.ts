import type { Static } from 'typebox';
import type { DelegationApproval } from '#lib/actions/delegations/delegation.entity.ts';
import type { DelegationDetails } from '#lib/actions/delegations/delegation.query.ts';
import { progressOf } from '#lib/actions/delegations/quorum.ts';
import { windowsAt, type Window } from '#lib/actions/delegations/windows.ts';
import type { Delegation } from './delegation.schema.ts';

/**
 * Returns a delegation as the API returns it, with its identity, its votes and the usage of its budgets at an instant.
 */
export function presentDelegation(details: DelegationDetails, now: Date): Static<typeof Delegation> {
  const { delegation: record, identity, votes } = details;
  const { identity_uid: _, budgets, ...terms } = record.terms;
  const { per_action_minor, per_day_minor, per_month_minor } = budgets;
  const { open, progress } = progressOf(
    record.nodes,
    votes.filter(({ state }) => state === 'counted'),
  );
  const isActive = record.state === 'activated';
  return {
    uid: record.uid,
    version: 1,
    state: record.state,
    state_reason: record.stateReason ?? null,
    identity: {
      uid: identity.uid,
      name: identity.name,
      kind: 'machine',
      state: identity.state === 'active' || identity.state === 'suspended' ? identity.state : 'retired',
    },
    ...terms,
    budgets: { per_action_minor, per_day_minor, per_month_minor },
    usage: usageOf(details, now),
    reason: record.reason ?? null,
    replaces: record.replacesUid ?? null,
    terms_hash: record.termsHash,
    approval: {
      required: true,
      graph: { uid: record.graphUid, version: record.graphVersion, hash: record.graphHash },
      open_node: open?.position ?? null,
      progress,
      approvals: votes.map(presentVote),
    },
    draft_expires_at: record.draftExpiresAt.toISOString(),
    activated_at: record.activatedAt?.toISOString() ?? null,
    execution_authority: {
      granted: isActive,
      reason: isActive ? null : record.state === 'draft' ? 'awaiting_independent_approval' : record.state,
      within: isActive ? 'delegation' : null,
      terms_hash: isActive ? record.termsHash : null,
    },
    created_at: record.createdAt.toISOString(),
    created_by: { application_uid: record.createdByUid },
  };
}

function presentVote(vote: DelegationApproval) {
  return {
    uid: vote.uid,
    node: vote.node,
    state: vote.state,
    void_reason: vote.voidReason ?? null,
    voter: { person_uid: vote.personUid, role: vote.role ?? null, binding_uid: vote.bindingUid ?? null },
    application_uid: vote.applicationUid ?? null,
    authority: { uid: vote.authorityUid, version: vote.authorityVersion, hash: vote.authorityHash },
    intent_uid: vote.intentUid ?? null,
    independence: vote.independence,
    policy_decision_uid: vote.decisionUid ?? null,
    terms_hash: vote.termsHash,
    at: vote.at.toISOString(),
  };
}

function usageOf({ delegation: { terms }, windows }: DelegationDetails, now: Date) {
  const at = windowsAt(now, terms.time_zone);
  const use = (kind: Window, cap: number) => {
    const row = windows.find((each) => each.kind === kind);
    const [used, reserved] = [Number(row?.settled ?? 0n), Number(row?.reserved ?? 0n)];
    return {
      window: at[kind],
      used_minor: used,
      reserved_minor: reserved,
      remaining_minor: cap - used - reserved,
    };
  };
  return {
    day: use('day', terms.budgets.per_day_minor),
    month: use('month', terms.budgets.per_month_minor),
  };
}
