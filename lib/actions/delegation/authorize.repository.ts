import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { Obligation } from '../obligation.entity.ts';
import type { Answer } from '../control/ask-policies.repository.ts';
import { authorizeRefusal, type AuthorizeRefusal, type Envelope } from './authorize.ts';
import { Delegation } from './delegation.entity.ts';
import { DelegationWindow, Reservation } from './reservation.entity.ts';
import { LEASE_HOURS, windowsAt, type Window, type WindowUse } from './windows.ts';

export type AuthorizeRequest = {
  tenant: Tenant;
  uid: string;
  envelope: Envelope;
  /** The machine's own word for the action; the same word again is the same action. */
  reference: string;
  actor: Actor;
  now: Date;
  ask(question: {
    delegation: Delegation;
    identity: GovernedRecord;
    use: Record<Window, WindowUse>;
  }): Promise<Answer>;
};

export type Authorized =
  | { ok: true; reservation: Reservation | null; isRepeated: boolean; decision: Answer | null }
  | { ok: false; code: 'delegation_unknown' }
  | ({ ok: false } & AuthorizeRefusal)
  | { ok: false; code: 'reference_reused' }
  | { ok: false; code: 'policy_denied'; answer: Answer };

/**
 * Asks whether a machine may do something now and reserves the amount, in the caller's transaction. The delegation is
 * held as it is meanwhile, so that whoever takes it away wins over what is not authorized yet. A delegation in dry_run
 * is evaluated and reserves nothing. Every answer is an entry of the audit log.
 */
export async function authorize(em: Em, request: AuthorizeRequest): Promise<Authorized> {
  const { tenant, uid, envelope, reference, actor, now } = request;
  await lockControl(em, tenant.workspace, 'share');
  const delegation = await em.findOne(
    Delegation,
    { uid, workspaceUid: tenant.workspace, environment: tenant.environment },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
  if (!delegation) return { ok: false, code: 'delegation_unknown' };
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${uid} ${reference}`}, 0))`.execute(
    em.getKysely(),
  );
  const known = await em.findOne(Reservation, { delegationUid: uid, reference }, { filters: false });
  if (known) return repeated(known, envelope);
  const identity = await em.findOneOrFail(
    GovernedRecord,
    { uid: delegation.identityUid },
    { filters: false },
  );
  const outcome = await decide(em, request, delegation, identity);
  const refused = outcome.ok ? undefined : outcome.code;
  await em.flush();
  await appendAudit(
    em,
    {
      at: now,
      op: 'delegation.authorized',
      actor,
      subject: { type: 'delegation', uid, version: 1 },
      refused,
      decision: decisionUid(outcome),
      payloadHash: canonicalHash(envelope),
      details: { reference, ...(outcome.ok ? { reservation_uid: outcome.reservation?.uid ?? null } : {}) },
    },
    tenant,
  );
  return outcome;
}

function repeated(known: Reservation, envelope: Envelope): Authorized {
  if (known.envelopeHash !== canonicalHash(envelope)) return { ok: false, code: 'reference_reused' };
  return { ok: true, reservation: known, isRepeated: true, decision: null };
}

function decisionUid(outcome: Authorized): string | undefined {
  if (outcome.ok) return outcome.decision?.uid;
  return 'answer' in outcome ? outcome.answer.uid : undefined;
}

async function decide(
  em: Em,
  { tenant, envelope, reference, now, ask }: AuthorizeRequest,
  delegation: Delegation,
  identity: GovernedRecord,
): Promise<Authorized> {
  const { uid, terms } = delegation;
  const { day, month } = windowsAt(now, terms.time_zone);
  const use = await usedIn(em, uid, { day, month });
  const { financialActions } = await em.findOneOrFail(Workspace, { uid: tenant.workspace });
  const refusal = authorizeRefusal(
    {
      state: delegation.state,
      terms,
      activatedAt: delegation.activatedAt ?? null,
      now,
      isIdentityActive: identity.state === 'active',
      isFrozen: financialActions === 'frozen',
      obligation: await obligationState(em, tenant, envelope.obligation_uid),
      use,
    },
    envelope,
  );
  if (refusal) return { ok: false, ...refusal };
  const answer = await ask({ delegation, identity, use });
  if (answer.effect === 'deny') return { ok: false, code: 'policy_denied', answer };
  if (terms.execution_mode === 'dry_run')
    return { ok: true, reservation: null, isRepeated: false, decision: answer };
  const amount = BigInt(envelope.amount_minor);
  const full = await draw(em, delegation, { day, month }, amount);
  if (full) return { ok: false, ...budgetExceeded(full, delegation, await usedIn(em, uid, { day, month })) };
  const reservation = em.create(Reservation, {
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
    day,
    month,
    decisionUid: answer.uid,
    createdAt: now,
    leaseUntil: new Date(now.getTime() + LEASE_HOURS * 3_600_000),
    endedAt: null,
    exception: null,
  });
  return { ok: true, reservation, isRepeated: false, decision: answer };
}

async function draw(
  em: Em,
  { uid, terms: { budgets } }: Delegation,
  at: Record<Window, string>,
  amount: bigint,
): Promise<Window | null> {
  const { rows } = await sql<{ full: Window | null }>`
    select draw_budget(${uid}, ${at.day}, ${at.month}, ${amount}, ${budgets.per_day_minor}, ${budgets.per_month_minor})
      as full`.execute(em.getKysely());
  return rows[0]!.full;
}

function budgetExceeded(window: Window, { terms }: Delegation, use: Record<Window, WindowUse>) {
  const cap = window === 'day' ? terms.budgets.per_day_minor : terms.budgets.per_month_minor;
  const remaining_minor = cap - Number(use[window].reserved + use[window].settled);
  return { code: 'budget_exceeded' as const, window, bound_minor: cap, remaining_minor };
}

async function usedIn(em: Em, uid: string, at: Record<Window, string>): Promise<Record<Window, WindowUse>> {
  const found = await em.find(
    DelegationWindow,
    { delegationUid: uid, key: { $in: [at.day, at.month] } },
    { filters: false, refresh: true },
  );
  const of = (kind: Window): WindowUse => {
    const row = found.find((each) => each.kind === kind);
    return { reserved: row?.reserved ?? 0n, settled: row?.settled ?? 0n };
  };
  return { day: of('day'), month: of('month') };
}

async function obligationState(em: Em, tenant: Tenant, uid: string | null): Promise<string | null> {
  if (uid === null) return null;
  const found = await em.findOne(
    Obligation,
    { uid, workspaceUid: tenant.workspace, environment: tenant.environment },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
  return found?.governanceState ?? 'unknown';
}
