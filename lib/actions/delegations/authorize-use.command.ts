import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { defer, type Em, type Tenant } from '#lib/database/base.ts';
import { defineCommand, type Entry, type RefusalCode } from '#lib/governance/command.ts';
import { controlLock } from '#lib/governance/governed/control-lock.query.ts';
import type { Answer } from '../authority/ask-policies.query.ts';
import { amountRefusal, decideUse, validityRefusal } from './authorize.ts';
import type { UseFacts, UseVerdict } from './authorize.ts';
import { Delegation } from './delegation.entity.ts';
import { placeOfDelegation } from './delegation.query.ts';
import { askForUse } from './questions.query.ts';
import { Reservation } from './reservation.entity.ts';
import { readReservation, readUseContext, type Use } from './use-facts.query.ts';
import { reserveAmount, lockWindows, readWindows } from './windows.write.ts';
import { LEASE_HOURS, windowsAt } from './windows.ts';

/** The facts of the decision; undefined if the delegation does not exist in the workspace and environment. */
type Facts = { rule: UseFacts; delegation: Delegation; reservation: Reservation | null } | undefined;

type Verdict = UseVerdict | { ok: false; code: 'delegation_unknown' };

/**
 * The reservation, which is null for `dry_run`, and the decision of the policies, which is null for a
 * repeated reference.
 */
type Authorized = { reservation: Reservation | null; decision: Answer | null };

/**
 * Decides whether a machine may execute an action now, and reserves the amount. The delegation is locked
 * during the decision, so a suspension or revocation applies to every later authorization. For a delegation
 * in `dry_run`, the decision is made but nothing is reserved. Every answer is recorded in the audit log.
 */
export const authorizeUse = defineCommand<Use>()({
  find: (em, { uid }) => placeOfDelegation(em, uid),
  unknown: 'delegation_unknown',
  async lock(em, use, place) {
    await defer(em, controlLock(place.workspace, 'share'));
    return holdDelegation(em, use, place);
  },
  async facts(em, delegation, input, { place, now }): Promise<Facts> {
    if (!delegation) return undefined;
    const { envelope } = input;
    const { facts, identity, isKnown, policies } = await readUseContext(em, delegation, {
      input,
      place,
      now,
    });
    const reservation = isKnown ? await readReservation(em, input) : null;
    const known = reservation && {
      state: reservation.state,
      leaseUntil: reservation.leaseUntil,
      isSame: reservation.envelopeHash === canonicalHash(envelope),
    };
    const read = { delegation, reservation };
    if (known || validityRefusal(facts, envelope)) return { ...read, rule: { facts, known } };
    const { terms } = delegation;
    // Unless the mode is `dry_run`, the budgets are locked before the policies are evaluated, so that the usage in the
    // policy input does not change until the amount is reserved.
    const readUse = terms.execution_mode === 'dry_run' ? readWindows : lockWindows;
    const use = await readUse(em, delegation, windowsAt(now, terms.time_zone));
    if (amountRefusal({ terms, use }, envelope)) return { ...read, rule: { facts, known, use } };
    const question = { delegation, identity, use, obligation: facts.obligation };
    const answer = await askForUse(em, place, { envelope, policies })(question, now);
    return { ...read, rule: { facts, known, use, answer } };
  },
  decide: (facts, { envelope }): Verdict =>
    facts ? decideUse(facts.rule, envelope) : { ok: false, code: 'delegation_unknown' },
  async write(em, facts, { isRepeated }, { input, place, now }) {
    const { delegation, reservation, rule } = facts!;
    const decision = rule.answer ?? null;
    const isReserved = !isRepeated && delegation.terms.execution_mode !== 'dry_run';
    const result: Authorized = {
      reservation: isReserved
        ? await reserve(em, { delegation, input, place, answer: decision!, now })
        : reservation,
      decision,
    };
    return { result };
  },
  entry(facts, verdict, { uid, envelope, reference }, authorized?: Authorized): Entry | undefined {
    if (!facts) return undefined;
    const reserved = authorized && { uid: authorized.reservation?.uid ?? null };
    const isRepeated = verdict.ok && verdict.isRepeated;
    return {
      op: 'delegation.authorized',
      subject: { type: 'delegation', uid, version: 1 },
      decision: facts.rule.answer?.uid,
      payloadHash: canonicalHash(envelope),
      details: {
        reference,
        ...(reserved && (isRepeated ? { repeats: reserved.uid } : { reservation_uid: reserved.uid })),
      },
    };
  },
  refusals: {
    delegation_unknown: 'The delegation does not exist.',
    delegation_not_active: 'The delegation is not active.',
    delegation_not_in_time: 'The delegation is not valid at this time.',
    identity_not_active: 'The machine identity is suspended or retired.',
    delegation_not_supported: 'An authority that supports an approval of the delegation is no longer active.',
    terms_no_longer_valid: 'The terms of the delegation refer to records that are no longer active.',
    financial_actions_frozen: 'The financial actions of the workspace are frozen.',
    outside_delegation: 'The action is outside the terms of the delegation.',
    obligation_not_actionable: 'The state of the obligation does not allow any action.',
    amount_not_positive: 'The amount must be at least 1.',
    per_action_exceeded: 'The amount is above the budget per action.',
    budget_exceeded: 'The amount is above the remaining budget of the day or the month.',
    reference_reused: 'The reference was used before for another action.',
    reservation_ended: 'The reservation of this reference has ended.',
    policy_denied: 'The policies deny the action.',
  } satisfies Record<RefusalCode<Verdict>, string>,
});

/**
 * Locks the delegation in share mode and the reference of the action exclusively. Simultaneous requests for the same
 * action are therefore decided one after another.
 */
async function holdDelegation(
  em: Em,
  { uid, reference }: Use,
  { workspace, environment }: Tenant,
): Promise<Delegation | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select delegation.* from delegation
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
      and pg_advisory_xact_lock(hashtextextended(${`${uid} ${reference}`}, 0)) is not null
    for share`.execute(em.getKysely());
  return rows[0] && em.map(Delegation, rows[0]);
}

type Reserving = { delegation: Delegation; input: Use; place: Tenant; answer: Answer; now: Date };

/** Reserves the amount of the envelope from the budgets of the day and the month. */
async function reserve(em: Em, { delegation, input, place, answer, now }: Reserving): Promise<Reservation> {
  const { reference, envelope } = input;
  const at = windowsAt(now, delegation.terms.time_zone);
  const amount = BigInt(envelope.amount_minor);
  await reserveAmount(em, delegation, at, amount);
  const reservation = em.create(
    Reservation,
    {
      uid: newUid(prefixes.reservation),
      workspaceUid: place.workspace,
      environment: place.environment,
      delegationUid: delegation.uid,
      reference,
      state: 'reserved',
      envelope,
      envelopeHash: canonicalHash(envelope),
      amount,
      settled: null,
      ...at,
      decisionUid: answer.uid,
      createdAt: now,
      leaseUntil: new Date(now.getTime() + LEASE_HOURS * 3_600_000),
      endedAt: null,
      exception: null,
      offered: null,
      evidence: null,
    },
    { persist: false },
  );
  await defer(
    em,
    sql`
      insert into reservation (uid, workspace_uid, environment, delegation_uid, reference, state, envelope,
        envelope_hash, amount, day, month, decision_uid, created_at, lease_until)
      values (${reservation.uid}, ${place.workspace}, ${place.environment}, ${delegation.uid}, ${reference},
        'reserved', ${JSON.stringify(envelope)}::jsonb, ${reservation.envelopeHash}, ${amount}, ${at.day}, ${at.month},
        ${answer.uid}, ${now}, ${reservation.leaseUntil})`,
  );
  return reservation;
}
