import type { Static } from 'typebox';
import type { Em } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { DelegationApproval, type Delegation as Record } from '#lib/actions/delegation/delegation.entity.ts';
import { DelegationWindow } from '#lib/actions/delegation/reservation.entity.ts';
import { progressOf } from '#lib/actions/delegation/quorum.ts';
import { windowsAt, type Window } from '#lib/actions/delegation/windows.ts';
import type { Delegation } from './delegation.schema.ts';

/** A delegation with its identity, its votes and what is used of it, as it is told. */
export async function presentDelegation(
  em: Em,
  record: Record,
  now: Date,
): Promise<Static<typeof Delegation>> {
  const identity = await em.findOneOrFail(GovernedRecord, { uid: record.identityUid }, { filters: false });
  const votes = await em.find(DelegationApproval, { delegationUid: record.uid }, { orderBy: { uid: 'asc' } });
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
    usage: await usageOf(em, record, now),
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

async function usageOf(em: Em, { uid, terms }: Record, now: Date) {
  const at = windowsAt(now, terms.time_zone);
  const found = await em.find(DelegationWindow, { delegationUid: uid, key: { $in: [at.day, at.month] } });
  const use = (kind: Window, cap: number) => {
    const row = found.find((each) => each.kind === kind);
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
