import { sql } from 'kysely';
import { readRows, type Em, type Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { recordsByUid, withRecords } from '#lib/governance/governed/records-once.query.ts';
import { actionKind } from '../authority/action.ts';
import { bindingKind } from '../authority/binding.ts';
import { ceilingKind } from '../authority/ceiling.ts';
import { connectorKind } from '../authority/connector.ts';
import { identityCeilingKind } from '../authority/identity.ts';
import { membershipKind, roleKind } from '../authority/role.ts';
import type { ApprovalFacts, Intent } from './approval.ts';
import { outdatedAtActivation } from './ceiling.query.ts';
import { uncovered } from './coverage.ts';
import { ApprovalIntent, DelegationApproval, type Delegation } from './delegation.entity.ts';
import { personsOf, type ApplicationPersons } from './independence.ts';
import { nodeDeadline, reachability, withPresent } from './quorum.ts';
import {
  currentCreator,
  readApprovalPowers,
  rolesOf,
  supportOfVote,
  type ApprovalPowers,
} from './approval-powers.query.ts';
import { heldAuthorities } from './support.ts';

/** The voter: the person whom an application is bound to, or a person who votes themselves. */
export type Voter =
  | { application: string; credential: string | null }
  | { application: null; person: string };

/** The facts on which the decision about a vote depends, and the records from which these facts were read. */
export type VoteFacts = {
  facts: ApprovalFacts & { creator: ApplicationPersons; approver: ApplicationPersons };
  delegation: Delegation;
  identity: GovernedRecord;
  powers: ApprovalPowers;
  votes: DelegationApproval[];
  person: string | undefined;
};

type Question = {
  tenant: Tenant;
  voter: Voter;
  awaited: 'draft' | 'suspended';
  now: Date;
  /** The powers of all persons, if they were read in the same transaction before. A decision reads them itself. */
  powers?: ApprovalPowers;
};

/** Reads the facts on which the decision about a vote for a locked delegation depends. */
export async function readVoteFacts(em: Em, delegation: Delegation, question: Question): Promise<VoteFacts> {
  const { identityUid, graphUid, terms } = delegation;
  const records = await recordsByUid(em, [identityUid, graphUid]);
  const identity = records.get(identityUid);
  if (!identity) throw new Error(`the identity ${identityUid} does not exist`);
  const keys = [
    { kind: actionKind, key: terms.action },
    { kind: connectorKind, key: terms.connector },
    { kind: identityCeilingKind, key: identity.key },
  ];
  return withRecords(em, question.tenant, { kinds: powerKinds, keys }, async () => {
    const powers = question.powers ?? (await readApprovalPowers(em, question.tenant, question.now));
    const votes = await readCountedVotes(em, delegation.uid);
    const person = personOf(powers, question.voter);
    const read = { delegation, identity, powers, votes, person };
    return { ...read, facts: await factsOf(em, question, read, records.get(graphUid)) };
  });
}

/** The kinds of the records that determine the powers of all persons, except their authorities. */
const powerKinds = [bindingKind, roleKind, membershipKind, ceilingKind];

function readCountedVotes(em: Em, delegation: string): Promise<DelegationApproval[]> {
  return readRows(
    em,
    DelegationApproval,
    sql`select * from delegation_approval where delegation_uid = ${delegation} and state = 'counted' order by uid`,
  );
}

function personOf(powers: ApprovalPowers, voter: Voter): string | undefined {
  if (voter.application === null) return voter.person;
  return powers.bindings.find(({ body }) => body.application_uid === voter.application)?.body.person_uid;
}

async function factsOf(
  em: Em,
  { tenant, voter, awaited, now }: Question,
  { delegation, identity, powers, votes, person }: Omit<VoteFacts, 'facts'>,
  graph: GovernedRecord | undefined,
): Promise<ApprovalFacts & { creator: ApplicationPersons; approver: ApplicationPersons }> {
  const { nodes, terms } = delegation;
  const creator = currentCreator(powers, delegation);
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
        : reachability(withPresent(nodes, powers.persons), powers.members, excluded).ok
          ? 'active'
          : 'unsatisfiable',
    nodes,
    voter:
      person === undefined
        ? null
        : { uid: person, isActive: powers.persons.has(person), roles: rolesOf(powers, person) },
    creator,
    approver: personsOfVoter(powers, voter),
    authorities:
      person === undefined ? [] : heldAuthorities(powers, person, (body) => uncovered(body, terms)),
    votes: votes.map((vote) => ({
      uid: vote.uid,
      node: vote.node,
      person: vote.personUid,
      support: supportOfVote(powers, delegation, vote),
    })),
    intent:
      person === undefined || terms.risk_tier !== 'T2'
        ? null
        : await intentOf(em, delegation, { person, voter, now }),
  };
}

function personsOfVoter({ applications }: ApprovalPowers, voter: Voter): ApplicationPersons {
  if (voter.application !== null) return applications.get(voter.application)!;
  return { application: '', principals: [], bound: [voter.person], issuers: [], others: [], binders: [] };
}

/**
 * Returns the newest unused intent of the person for this delegation. A person who votes without an application needs
 * no intent.
 */
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
