import { sql } from 'kysely';
import type { Actor } from '#lib/audit/entry.ts';
import type { Clock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import {
  decideApproval,
  type ApprovalFacts,
  type ApprovalVerdict,
  type Intent,
  type VoidedVote,
} from './approval.ts';
import type { Answer } from '../control/ask-policies.repository.ts';
import { ApprovalIntent, Delegation, DelegationApproval } from './delegation.entity.ts';
import { outdatedAtActivation } from './ceiling.repository.ts';
import { uncovered } from './coverage.ts';
import { compareSides, personsOf, type Side } from './independence.ts';
import { nodeDeadline, reachability, withPresent } from './quorum.ts';
import { currentCreator, readStandings, rolesOf, standingOf, type Standings } from './standing.repository.ts';
import { heldAuthorities } from './support.ts';
import { recordConsequences } from './vote-consequences.repository.ts';

/** Whose vote it is: of the person that an application speaks for, or of one on the operators' surface. */
export type Voter =
  | { application: string; credential: string | null }
  | { application: null; person: string };

export type Question = { delegation: Delegation; identity: GovernedRecord; person: string };

export type CastRequest = {
  tenant: Tenant;
  uid: string;
  voter: Voter;
  awaited: 'draft' | 'suspended';
  /** Who calls, for the audit log. */
  actor: Actor;
  requestId?: string | undefined;
  /** Asked once the delegation is locked: what ends while the call waits has ended. */
  clock: Clock;
  /** The policies; asked when everything else allows it. */
  ask(question: Question, now: Date): Promise<Answer>;
};

type TimedRequest = CastRequest & { now: Date };

export type Cast =
  | { ok: false; code: 'not_found' }
  | { ok: false; code: 'policy_denied'; delegation: Delegation; answer: Answer; voided: VoidedVote[] }
  | (Extract<ApprovalVerdict, { ok: false }> & { delegation: Delegation })
  | {
      ok: true;
      delegation: Delegation;
      approval: DelegationApproval;
      isActivated: boolean;
      voided: VoidedVote[];
    };

/**
 * Casts a vote, in the caller's transaction. The delegation is locked before its votes are read: of two that complete
 * the quorum together, the second sees the first. A refusal keeps the votes that it found void; it stores none. The
 * caller tells the audit log of the vote; what follows from it is told here.
 */
export async function castVote(em: Em, given: CastRequest): Promise<Cast> {
  const { tenant, uid, voter, actor, requestId } = given;
  await lockControl(em, tenant.workspace, 'share');
  await lockDelegation(em, tenant, uid);
  const now = given.clock.now();
  const request = { ...given, now };
  const cause = { tenant, uid, actor, requestId, now };
  const delegation = await em.findOne(
    Delegation,
    { uid, workspaceUid: tenant.workspace, environment: tenant.environment },
    { filters: false, refresh: true },
  );
  if (!delegation) return { ok: false, code: 'not_found' };
  const standings = await readStandings(em, tenant, now);
  const votes = await em.find(
    DelegationApproval,
    { delegationUid: uid, state: 'counted' },
    { filters: false, refresh: true, orderBy: { uid: 'asc' } },
  );
  const identity = await em.findOneOrFail(
    GovernedRecord,
    { uid: delegation.identityUid },
    { filters: false },
  );
  const person = personOf(standings, voter);
  const facts = await factsOf(em, request, { delegation, identity, standings, votes, person });
  const verdict = decideApproval(facts);
  const { voided } = verdict;
  voidVotes(votes, voided, now);
  await em.flush();
  await recordConsequences(em, { ...cause, voided });
  if (!verdict.ok) {
    if (verdict.code === 'delegation_expired') {
      await sql`select expire_delegation(${uid}, ${now})`.execute(em.getKysely());
      await em.refresh(delegation);
      await recordConsequences(em, { ...cause, isExpired: delegation.state === 'expired' });
    }
    return { ...verdict, delegation };
  }
  const answer = await request.ask({ delegation, identity, person: person! }, now);
  if (answer.effect === 'deny') return { ok: false, code: 'policy_denied', delegation, answer, voided };
  const approval = record(em, request, { delegation, standings, person: person!, verdict, facts, answer });
  await em.flush();
  if (verdict.isComplete) {
    const superseded = await activate(em, delegation, now);
    await recordConsequences(em, { ...cause, superseded });
  }
  return { ok: true, delegation, approval, isActivated: verdict.isComplete, voided };
}

/** The decision of the policies that a vote was cast by, or refused. */
export function decisionOf(cast: Cast): string | undefined {
  if (cast.ok) return cast.approval.decisionUid ?? undefined;
  return cast.code === 'policy_denied' ? cast.answer.uid : undefined;
}

/**
 * Votes for delegations of one identity come one after the other: together they must stay below its ceiling. What is to
 * be replaced stays as it is, too; it is the older one, and older ones are locked first.
 */
async function lockDelegation(em: Em, { workspace, environment }: Tenant, uid: string): Promise<void> {
  const db = em.getKysely();
  const { rows } = await sql<{ identity_uid: string; replaces_uid: string | null }>`
    select identity_uid, replaces_uid from delegation
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}`.execute(db);
  if (!rows[0]) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${rows[0].identity_uid}, 0))`.execute(db);
  if (rows[0].replaces_uid) await sql`select lock_delegation(${rows[0].replaces_uid})`.execute(db);
  await sql`select lock_delegation(${uid})`.execute(db);
}

function personOf(standings: Standings, voter: Voter): string | undefined {
  if (voter.application === null) return voter.person;
  return standings.bindings.find(({ body }) => body.application_uid === voter.application)?.body.person_uid;
}

type Read = {
  delegation: Delegation;
  identity: GovernedRecord;
  standings: Standings;
  votes: DelegationApproval[];
  person: string | undefined;
};

async function factsOf(
  em: Em,
  { tenant, voter, awaited, now }: TimedRequest,
  { delegation, identity, standings, votes, person }: Read,
): Promise<ApprovalFacts & { creator: Side; approver: Side }> {
  const { nodes, terms } = delegation;
  const creator = currentCreator(standings, delegation);
  const graph = await em.findOne(GovernedRecord, { uid: delegation.graphUid }, { filters: false });
  const excluded = new Set(personsOf(creator));
  const deadline = nodeDeadline(nodes, votes, delegation.createdAt);
  const isOver =
    delegation.validUntil <= now ||
    (awaited === 'draft' &&
      (delegation.draftExpiresAt <= now || (deadline !== undefined && deadline <= now)));
  return {
    state: delegation.state,
    awaited,
    isDraftOver: isOver,
    riskTier: terms.risk_tier,
    isIdentityActive: identity.state === 'active',
    outdated: await outdatedAtActivation(em, tenant, delegation, identity.key, now),
    graph:
      graph?.state !== 'active'
        ? 'missing'
        : reachability(withPresent(nodes, standings.persons), standings.members, excluded).ok
          ? 'active'
          : 'unsatisfiable',
    nodes,
    voter:
      person === undefined
        ? null
        : { uid: person, isActive: standings.persons.has(person), roles: rolesOf(standings, person) },
    creator,
    approver: sideOfVoter(standings, voter),
    authorities:
      person === undefined ? [] : heldAuthorities(standings, person, (body) => uncovered(body, terms)),
    votes: votes.map((vote) => ({
      uid: vote.uid,
      node: vote.node,
      person: vote.personUid,
      standing: standingOf(standings, delegation, vote),
    })),
    intent:
      person === undefined || terms.risk_tier !== 'T2'
        ? null
        : await intentOf(em, delegation, { person, voter, now }),
  };
}

function sideOfVoter({ sides }: Standings, voter: Voter): Side {
  if (voter.application !== null) return sides.get(voter.application)!;
  return { application: '', principals: [], bound: [voter.person], issuers: [], others: [], binders: [] };
}

/** The newest intent of the person for this delegation that was not used; on the operators' surface the person is there. */
async function intentOf(
  em: Em,
  { uid, termsHash }: Delegation,
  { person, voter, now }: { person: string; voter: Voter; now: Date },
): Promise<Intent | null> {
  if (voter.application === null) return { uid: '', state: 'live', matches: true, node: null };
  const used = await em.find(
    DelegationApproval,
    { delegationUid: uid },
    { filters: false, fields: ['intentUid'] },
  );
  const found = await em.find(
    ApprovalIntent,
    { delegationUid: uid, personUid: person },
    { filters: false, orderBy: { uid: 'desc' } },
  );
  const intent = found.find((each) => used.every(({ intentUid }) => intentUid !== each.uid));
  if (!intent) return null;
  const matches = intent.termsHash === termsHash && intent.applicationUid === voter.application;
  const state = intent.expiresAt > now ? 'live' : 'expired';
  return { uid: intent.uid, state, matches, node: intent.node };
}

function voidVotes(votes: readonly DelegationApproval[], voided: readonly VoidedVote[], now: Date): void {
  for (const { uid, reason } of voided) {
    const vote = votes.find((each) => each.uid === uid)!;
    Object.assign(vote, { state: 'voided', voidReason: reason, voidedAt: now });
  }
}

function record(
  em: Em,
  { tenant, voter, now }: TimedRequest,
  cast: {
    delegation: Delegation;
    standings: Standings;
    person: string;
    verdict: Extract<ApprovalVerdict, { ok: true }>;
    facts: ApprovalFacts & { creator: Side; approver: Side };
    answer: Answer;
  },
): DelegationApproval {
  const { delegation, standings, person, verdict, facts, answer } = cast;
  const authority = standings.authorities.get(verdict.authority)!;
  const binding = standings.bindings.find(({ body }) => body.application_uid === voter.application);
  const isOperator = voter.application === null;
  return em.create(DelegationApproval, {
    uid: newUid(prefixes.approval),
    workspaceUid: tenant.workspace,
    environment: tenant.environment,
    delegationUid: delegation.uid,
    node: verdict.node,
    personUid: person,
    role: verdict.role,
    applicationUid: voter.application,
    credentialUid: isOperator ? null : voter.credential,
    bindingUid: isOperator ? null : binding!.uid,
    authorityUid: authority.uid,
    authorityVersion: authority.version,
    authorityHash: authority.bodyHash,
    intentUid: delegation.terms.risk_tier === 'T2' && !isOperator ? facts.intent!.uid : null,
    independence: compareSides(facts.creator, facts.approver, now),
    decisionUid: answer.uid,
    termsHash: delegation.termsHash,
    at: now,
    state: 'counted',
    voidReason: null,
    voidedAt: null,
  });
}

/**
 * The database asks for the quorum once more before it changes the state. Returns the delegation that this one took the
 * place of, if there was one in force.
 */
async function activate(em: Em, delegation: Delegation, now: Date): Promise<string | undefined> {
  if (delegation.state === 'suspended') {
    em.assign(delegation, { state: 'activated', stateReason: null });
    await em.flush();
    return undefined;
  }
  const before = await replacedBy(em, delegation);
  const { rows } = await sql<{ activated: boolean }>`
    select activate_delegation(${delegation.uid}, ${now}) as activated`.execute(em.getKysely());
  if (!rows[0]!.activated) throw new Error(`the delegation ${delegation.uid} could not be activated`);
  await em.refresh(delegation);
  if (!before || before.state === 'superseded') return undefined;
  const after = await replacedBy(em, delegation);
  return after?.state === 'superseded' ? after.uid : undefined;
}

async function replacedBy(em: Em, { replacesUid }: Delegation) {
  if (!replacesUid) return undefined;
  const { rows } = await sql<{ uid: string; state: string }>`
    select uid, state from delegation where uid = ${replacesUid}`.execute(em.getKysely());
  return rows[0];
}
