import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { Obligation } from '../obligation.entity.ts';
import type { Answer } from '../control/ask-policies.repository.ts';
import {
  amountRefusal,
  isHeld,
  standingRefusal,
  type AuthorizeFacts,
  type AuthorizeRefusal,
  type Envelope,
} from './authorize.ts';
import { Delegation } from './delegation.entity.ts';
import { Reservation } from './reservation.entity.ts';
import { draw, holdWindows, readWindows } from './windows.repository.ts';
import { LEASE_HOURS, windowsAt, type ReservationState, type Window, type WindowUse } from './windows.ts';

export type AuthorizeRequest = {
  tenant: Tenant;
  uid: string;
  envelope: Envelope;
  /** The machine's own word for the action; the same word again is the same action. */
  reference: string;
  actor: Actor;
  /** Asked once the delegation is held: what ends while the call waits has ended. */
  clock: Clock;
  ask(
    question: {
      delegation: Delegation;
      identity: Pick<GovernedRecord, 'uid' | 'activeAt'>;
      use: Record<Window, WindowUse>;
      obligation: AuthorizeFacts['obligation'];
    },
    now: Date,
  ): Promise<Answer>;
};

type TimedRequest = AuthorizeRequest & { now: Date };

export type Authorized =
  | { ok: true; reservation: Reservation | null; isRepeated: boolean; decision: Answer | null }
  | { ok: false; code: 'delegation_unknown' }
  | ({ ok: false } & AuthorizeRefusal)
  | { ok: false; code: 'reference_reused' }
  | { ok: false; code: 'reservation_ended'; state: ReservationState; lease_until: string }
  | { ok: false; code: 'policy_denied'; answer: Answer };

/**
 * Asks whether a machine may do something now and reserves the amount, in the caller's transaction. The delegation is
 * held as it is meanwhile, so that whoever takes it away wins over what is not authorized yet. A delegation in dry_run
 * is evaluated and reserves nothing. The same reference again is answered by its reservation, while that is held and the
 * delegation still covers it. Every answer is an entry of the audit log.
 */
export async function authorize(em: Em, given: AuthorizeRequest): Promise<Authorized> {
  const { tenant, uid, envelope, reference, actor } = given;
  await lockControl(em, tenant.workspace, 'share');
  const delegation = await holdDelegation(em, given);
  if (!delegation) return { ok: false, code: 'delegation_unknown' };
  const now = given.clock.now();
  const request = { ...given, now };
  const facts = await readFacts(em, request, delegation);
  const outcome = facts.isKnown
    ? await repeat(em, request, delegation, facts)
    : await decide(em, request, delegation, facts);
  await appendAudit(
    em,
    {
      at: now,
      op: 'delegation.authorized',
      actor,
      subject: { type: 'delegation', uid, version: 1 },
      refused: outcome.ok ? undefined : outcome.code,
      decision: decisionUid(outcome),
      payloadHash: canonicalHash(envelope),
      details: { reference, ...reservationIn(outcome) },
    },
    tenant,
  );
  return outcome;
}

/** What was reserved now, or before. */
function reservationIn(outcome: Authorized): Record<string, unknown> {
  if (!outcome.ok) return {};
  const uid = outcome.reservation?.uid ?? null;
  return outcome.isRepeated ? { repeats: uid } : { reservation_uid: uid };
}

/** The delegation, held as it is, and the reference, held alone: the same action twice at once is decided once. */
async function holdDelegation(
  em: Em,
  { tenant, uid, reference }: AuthorizeRequest,
): Promise<Delegation | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select delegation.* from delegation
    where uid = ${uid} and workspace_uid = ${tenant.workspace} and environment = ${tenant.environment}
      and pg_advisory_xact_lock(hashtextextended(${`${uid} ${reference}`}, 0)) is not null
    for share`.execute(em.getKysely());
  return rows[0] && em.map(Delegation, rows[0]);
}

type Facts = {
  /** Whether there is a reservation of this reference. */
  isKnown: boolean;
  identity: { uid: string; state: string; activeAt: Date };
  isFrozen: boolean;
  /** Whether the authorities that approved it stand. */
  isSupported: boolean;
  /** Whether what its terms name is in force. */
  isCurrent: boolean;
  at: Record<Window, string>;
};

type FactsRow = {
  known: boolean;
  identity_state: string;
  identity_active: string;
  frozen: boolean;
  supported: boolean;
  current: boolean;
};

/** What the decision rests on, in one reading after the locks. */
async function readFacts(
  em: Em,
  { tenant, uid, reference, now }: TimedRequest,
  { identityUid, terms }: Delegation,
): Promise<Facts> {
  const { rows } = await sql<FactsRow>`
    select i.state as identity_state, i.active_at as identity_active, w.financial_actions = 'frozen' as frozen,
      exists (select from reservation where delegation_uid = ${uid} and reference = ${reference}) as known,
      support_ends(${uid}, ${now}) > ${now} as supported, terms_stand(${uid}) as current
    from governed_record i cross join workspace w
    where i.uid = ${identityUid} and w.uid = ${tenant.workspace}`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the identity ${identityUid} of the delegation ${uid} is not there`);
  return {
    isKnown: row.known,
    identity: { uid: identityUid, state: row.identity_state, activeAt: new Date(row.identity_active) },
    isFrozen: row.frozen,
    isSupported: row.supported,
    isCurrent: row.current,
    at: windowsAt(now, terms.time_zone),
  };
}

async function repeat(
  em: Em,
  request: TimedRequest,
  delegation: Delegation,
  facts: Facts,
): Promise<Authorized> {
  const { uid, reference, envelope, now } = request;
  const known = await em.findOneOrFail(
    Reservation,
    { delegationUid: uid, reference },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
  if (known.envelopeHash !== canonicalHash(envelope)) return { ok: false, code: 'reference_reused' };
  const refusal = standingRefusal(await standingOf(em, request, delegation, facts), envelope);
  if (refusal) return { ok: false, ...refusal };
  if (!isHeld(known, now)) {
    const { state, leaseUntil } = known;
    return { ok: false, code: 'reservation_ended', state, lease_until: leaseUntil.toISOString() };
  }
  return { ok: true, reservation: known, isRepeated: true, decision: null };
}

async function standingOf(
  em: Em,
  { tenant, envelope, now }: TimedRequest,
  { state, terms, activatedAt }: Delegation,
  { identity, isFrozen, isSupported, isCurrent }: Facts,
): Promise<Omit<AuthorizeFacts, 'use'>> {
  return {
    state,
    terms,
    activatedAt: activatedAt ?? null,
    now,
    isIdentityActive: identity.state === 'active',
    isSupported,
    isCurrent,
    isFrozen,
    obligation: await obligationOf(em, tenant, envelope.obligation_uid),
  };
}

function decisionUid(outcome: Authorized): string | undefined {
  if (outcome.ok) return outcome.decision?.uid;
  return 'answer' in outcome ? outcome.answer.uid : undefined;
}

async function decide(
  em: Em,
  request: TimedRequest,
  delegation: Delegation,
  facts: Facts,
): Promise<Authorized> {
  const { tenant, envelope, reference, now, ask } = request;
  const { identity, at } = facts;
  const { uid, terms } = delegation;
  const standing = await standingOf(em, request, delegation, facts);
  const unfit = standingRefusal(standing, envelope);
  if (unfit) return { ok: false, ...unfit };
  const isDry = terms.execution_mode === 'dry_run';
  // held before the policies are asked: what they are told of the use is so until it is drawn
  const use = await (isDry ? readWindows : holdWindows)(em, delegation, at);
  const refusal = amountRefusal({ terms, use }, envelope);
  if (refusal) return { ok: false, ...refusal };
  const answer = await ask({ delegation, identity, use, obligation: standing.obligation }, now);
  if (answer.effect === 'deny') return { ok: false, code: 'policy_denied', answer };
  if (isDry) return { ok: true, reservation: null, isRepeated: false, decision: answer };
  const amount = BigInt(envelope.amount_minor);
  await draw(em, delegation, at, amount);
  const reservation = em.create(
    Reservation,
    {
      uid: newUid(prefixes.reservation),
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      delegationUid: uid,
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
  await em.insert(reservation);
  return { ok: true, reservation, isRepeated: false, decision: answer };
}

/** The obligation that an envelope names, which stays as it is until the transaction ends. */
async function obligationOf(
  em: Em,
  tenant: Tenant,
  uid: string | null,
): Promise<AuthorizeFacts['obligation']> {
  if (uid === null) return null;
  const found = await em.findOne(
    Obligation,
    { uid, workspaceUid: tenant.workspace, environment: tenant.environment },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
  if (!found) return 'unknown';
  const { governanceState: state, counterpartyId: counterparty_id, currency, content } = found;
  return { state, type: content.obligation_type, counterparty_id, currency };
}
