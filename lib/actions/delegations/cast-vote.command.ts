import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { defer, type Em, type Tenant } from '#lib/database/base.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { defineCommand, personOf, type Circumstances, type Entry } from '#lib/governance/command.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { controlLock } from '#lib/governance/governed/control-lock.query.ts';
import type { Answer } from '../authority/ask-policies.query.ts';
import { decideApproval, type ApprovalVerdict, type VoidedVote } from './approval.ts';
import { Delegation, DelegationApproval } from './delegation.entity.ts';
import { assessIndependence } from './independence.ts';
import { readVoteFacts, type VoteFacts, type Voter } from './vote-facts.query.ts';
import type { VoteProof } from './vote-proof.ts';
import { voteRefusals } from './vote-refusals.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

export type Question = { delegation: Delegation; identity: GovernedRecord; person: string };

export type VoteInput = {
  uid: string;
  /** The application that casts the vote of the person it is bound to; null for a person who votes themselves. */
  carrier: { application: string; credential: string | null } | null;
  /** The proof of a person who votes in the console. */
  proof?: VoteProof;
  /** The hash of the terms that the person saw; omitted if the caller shows no terms. */
  seenTerms?: string;
  awaited: 'draft' | 'suspended';
  /** Evaluates the policies. Called last, after all other rules have allowed the vote. */
  ask(em: Em, tenant: Tenant): (question: Question, now: Date) => Promise<Answer>;
};

/** The facts of the decision; undefined if the delegation does not exist in the workspace and environment. */
type Facts =
  | (VoteFacts & { ruling: ApprovalVerdict; answer: Answer | undefined; lacksPasskey: boolean })
  | undefined;

export type VoteVerdict =
  | (ApprovalVerdict & { delegation: Delegation; answer?: Answer | undefined })
  | {
      ok: false;
      code: 'policy_denied';
      delegation: Delegation;
      answer: Answer;
      voided: VoidedVote[];
      failed?: undefined;
      outdated?: undefined;
    }
  | {
      ok: false;
      code: 'terms_changed' | 'passkey_required';
      delegation: Delegation;
      voided: VoidedVote[];
      failed?: undefined;
      outdated?: undefined;
    }
  | { ok: false; code: 'delegation_unknown'; delegation?: undefined };

type Vote = { approval: DelegationApproval; isActivated: boolean };

/**
 * Casts a vote for a draft or a suspended delegation. Activates the delegation when all nodes of the graph
 * have their quorum. The delegation is locked before its votes are read, so that the second of two
 * simultaneous votes sees the first vote. Votes that are found void stay void even if this vote is refused.
 */
export const castVote = defineCommand<VoteInput>()({
  find: (em, { uid }) => placeOfRecord(em, Delegation, uid),
  unknown: 'delegation_unknown',
  async lock(em, { uid }, place) {
    await defer(em, controlLock(place.workspace, 'share'));
    return lockDelegation(em, place, uid);
  },
  async facts(em, delegation, input, at): Promise<Facts> {
    const { awaited, ask } = input;
    const { place, now } = at;
    if (!delegation) return undefined;
    const read = await readVoteFacts(em, delegation, {
      tenant: place,
      voter: voterOf(input, at),
      awaited,
      now,
    });
    const ruling = decideApproval(read.facts);
    const { identity, person } = read;
    const answer = ruling.ok
      ? await ask(em, place)({ delegation, identity, person: person! }, now)
      : undefined;
    return { ...read, ruling, answer, lacksPasskey: await lacksRequiredPasskey(em, input, place) };
  },
  decide(facts, { seenTerms }): VoteVerdict {
    if (!facts) return { ok: false, code: 'delegation_unknown' };
    const { ruling, answer, delegation, lacksPasskey } = facts;
    if (lacksPasskey) return { ok: false, code: 'passkey_required', delegation, voided: ruling.voided };
    if (seenTerms !== undefined && seenTerms !== delegation.termsHash)
      return { ok: false, code: 'terms_changed', delegation, voided: ruling.voided };
    if (answer?.effect !== 'deny') return { ...ruling, delegation, answer };
    return { ok: false, code: 'policy_denied', delegation, answer, voided: ruling.voided };
  },
  async write(em, facts, verdict, at) {
    const { now } = at;
    const { uid } = at.input;
    voidVotes(facts!.votes, verdict.voided, now);
    await em.flush();
    const approval = await createVote(em, facts!, verdict, {
      voter: voterOf(at.input, at),
      proof: at.input.proof,
      now,
    });
    const superseded = verdict.isComplete ? await activate(em, verdict.delegation, now) : undefined;
    return {
      result: { approval, isActivated: verdict.isComplete } satisfies Vote,
      consequences: [...voidedEntries(uid, verdict.voided), ...supersededEntries(uid, superseded)],
    };
  },
  async writeRefusal(em, facts, verdict, { input: { uid }, now }) {
    if (verdict.code === 'delegation_unknown') return undefined;
    voidVotes(facts!.votes, verdict.voided, now);
    await em.flush();
    if (verdict.code !== 'delegation_expired') return voidedEntries(uid, verdict.voided);
    await sql`select expire_delegation(${uid}, ${now})`.execute(em.getKysely());
    await em.refresh(verdict.delegation);
    if (verdict.delegation.state !== 'expired') return [];
    return [{ op: 'delegation.expired', subject: subjectOf(uid) }];
  },
  entry(facts, verdict, { uid, awaited, proof }, vote) {
    if (!facts) return undefined;
    const decision = facts.answer?.uid;
    const base = { op: opOf(awaited, vote), subject: subjectOf(uid), decision };
    if (!verdict.ok || !vote) return base;
    const { uid: approval_uid, node, personUid: person_uid } = vote.approval;
    return {
      ...base,
      payloadHash: facts.delegation.termsHash,
      details: {
        approval_uid,
        node,
        person_uid,
        ...(proof?.kind === 'passkey' && { proof_hash: canonicalHash(proof) }),
      },
    };
  },
  refusals: voteRefusals,
});

/** Whether a person votes without a passkey in the production of a workspace that requires passkeys. */
async function lacksRequiredPasskey(em: Em, { carrier, proof }: VoteInput, place: Tenant): Promise<boolean> {
  if (carrier !== null || place.environment !== 'production' || proof?.kind === 'passkey') return false;
  const workspace = await em.findOneOrFail(Workspace, { uid: place.workspace }, { filters: false });
  return workspace.proof === 'passkey';
}

function voterOf({ carrier }: VoteInput, at: Pick<Circumstances, 'actor'>): Voter {
  return carrier ?? { application: null, person: personOf(at) };
}

function opOf(awaited: VoteInput['awaited'], vote: Vote | undefined): Entry['op'] {
  if (awaited === 'suspended')
    return vote?.isActivated ? 'delegation.resumed' : 'delegation.resumption_voted';
  if (!vote) return 'delegation.approval_refused';
  return vote.isActivated ? 'delegation.activated' : 'delegation.approval_recorded';
}

function subjectOf(uid: string): Entry['subject'] {
  return { type: 'delegation', uid, version: 1 };
}

function voidedEntries(uid: string, voided: readonly VoidedVote[]): Entry[] {
  return voided.map(({ uid: approval_uid, reason }) => ({
    op: 'delegation.vote_voided',
    subject: subjectOf(uid),
    details: { approval_uid, reason },
  }));
}

function supersededEntries(uid: string, superseded: string | undefined): Entry[] {
  if (superseded === undefined) return [];
  return [{ op: 'delegation.superseded', subject: subjectOf(superseded), details: { replaced_by: uid } }];
}

/**
 * Locks the delegation and, before it, the delegation that it replaces. Also locks the machine identity, so
 * that votes for different delegations of one identity are decided one after another. Otherwise, these
 * delegations together could exceed the ceiling of the identity.
 */
async function lockDelegation(
  em: Em,
  { workspace, environment }: Tenant,
  uid: string,
): Promise<Delegation | undefined> {
  const db = em.getKysely();
  const { rows } = await sql<{ identity_uid: string; replaces_uid: string | null }>`
    select identity_uid, replaces_uid from delegation
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}`.execute(db);
  if (!rows[0]) return undefined;
  const { identity_uid: identity, replaces_uid: replaced } = rows[0];
  await defer(em, sql`select pg_advisory_xact_lock(hashtextextended(${identity}, 0))`);
  if (replaced) await defer(em, sql`select lock_delegation(${replaced})`);
  await defer(em, sql`select lock_delegation(${uid})`);
  return readDelegation(em, uid);
}

/** Reads a delegation again, as it is now. */
async function readDelegation(em: Em, uid: string): Promise<Delegation> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from delegation where uid = ${uid}`.execute(em.getKysely());
  return em.map(Delegation, rows[0]!);
}

function voidVotes(votes: readonly DelegationApproval[], voided: readonly VoidedVote[], now: Date): void {
  for (const { uid, reason } of voided) {
    const vote = votes.find((each) => each.uid === uid)!;
    Object.assign(vote, { state: 'voided', voidReason: reason, voidedAt: now });
  }
}

async function createVote(
  em: Em,
  { delegation, facts, powers, person, answer }: NonNullable<Facts>,
  { node, role, authority: authorityUid }: Extract<ApprovalVerdict, { ok: true }>,
  { voter, proof, now }: { voter: Voter; proof: VoteProof | undefined; now: Date },
): Promise<DelegationApproval> {
  const authority = powers.authorities.get(authorityUid)!;
  const binding = powers.bindings.find(({ body }) => body.application_uid === voter.application);
  const isOperator = voter.application === null;
  const vote = em.create(
    DelegationApproval,
    {
      uid: newUid(prefixes.approval),
      workspaceUid: delegation.workspaceUid,
      environment: delegation.environment,
      delegationUid: delegation.uid,
      node,
      personUid: person!,
      role,
      applicationUid: voter.application,
      credentialUid: isOperator ? null : voter.credential,
      bindingUid: isOperator ? null : binding!.uid,
      authorityUid: authority.uid,
      authorityVersion: authority.version,
      authorityHash: authority.bodyHash,
      intentUid: delegation.terms.risk_tier === 'T2' && !isOperator ? facts.intent!.uid : null,
      independence: assessIndependence(facts.creator, facts.approver, now),
      decisionUid: answer!.uid,
      termsHash: delegation.termsHash,
      proof: proof ?? null,
      at: now,
      state: 'counted',
      voidReason: null,
      voidedAt: null,
    },
    { persist: false },
  );
  await defer(
    em,
    sql`
      insert into delegation_approval (uid, workspace_uid, environment, delegation_uid, node, person_uid, role,
        application_uid, credential_uid, binding_uid, authority_uid, authority_version, authority_hash, intent_uid,
        independence, decision_uid, terms_hash, proof, at, state)
      values (${vote.uid}, ${vote.workspaceUid}, ${vote.environment}, ${vote.delegationUid}, ${vote.node},
        ${vote.personUid}, ${vote.role ?? null}, ${vote.applicationUid ?? null}, ${vote.credentialUid ?? null},
        ${vote.bindingUid ?? null}, ${vote.authorityUid}, ${vote.authorityVersion}, ${vote.authorityHash},
        ${vote.intentUid ?? null}, ${JSON.stringify(vote.independence)}::jsonb, ${vote.decisionUid ?? null},
        ${vote.termsHash}, ${vote.proof ? JSON.stringify(vote.proof) : null}::jsonb, ${vote.at}, 'counted')`,
  );
  return vote;
}

/**
 * Activates a delegation. The database checks the quorum again before it changes the state. Returns the uid of the
 * active delegation that the activated delegation replaced, if there was such a delegation.
 */
async function activate(em: Em, delegation: Delegation, now: Date): Promise<string | undefined> {
  if (delegation.state === 'suspended') {
    em.assign(delegation, { state: 'activated', stateReason: null });
    await em.flush();
    return undefined;
  }
  const before = await replacedBy(em, delegation);
  await defer(em, sql`select activate_delegation(${delegation.uid}, ${now})`);
  const { state } = await readDelegation(em, delegation.uid);
  if (state !== 'activated') throw new Error(`the delegation ${delegation.uid} could not be activated`);
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
