import { sql } from 'kysely';
import { readRows, type Em, type Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { authorityKind, readGround } from '../authority/authority.ts';
import type { Authority } from '../authority/authority-body.ts';
import { bindingKind, type Binding } from '../authority/binding.ts';
import type { CastVote } from './approval.ts';
import type { Delegation, DelegationApproval } from './delegation.entity.ts';
import { dependence, type ApplicationPersons } from './independence.ts';
import { listApplicationPersons } from './application-persons.query.ts';
import { supportOf, type Powers } from './support.ts';

/**
 * The roles, authorities and application bindings of all persons in an environment at an instant. They are read once
 * per decision, in the transaction of the decision.
 */
export type ApprovalPowers = Powers<Authority> & {
  bindings: readonly Binding[];
  applications: ReadonlyMap<string, ApplicationPersons>;
};

export async function readApprovalPowers(em: Em, tenant: Tenant, now: Date): Promise<ApprovalPowers> {
  const bindings = await inForce(em, bindingKind, tenant);
  return {
    ...(await readPowers(em, tenant, now)),
    bindings: bindings.filter(({ body }) => new Date(body.valid_until) > now),
    applications: new Map(
      (await listApplicationPersons(em, tenant, now, { bindings })).map((side) => [side.application, side]),
    ),
  };
}

export async function readPowers(em: Em, tenant: Tenant, now: Date): Promise<Powers<Authority>> {
  const found = await readRows(
    em,
    GovernedRecord,
    sql`
      select * from governed_record
      where workspace_uid = ${tenant.workspace} and environment = ${tenant.environment}
        and kind = ${authorityKind.kind} and state in ('active', 'suspended', 'ended')
      order by uid`,
  );
  const authorities = found as unknown as Authority[];
  const active = authorities.filter(({ state }) => state === 'active');
  return {
    ...(await readGround(em, tenant, now, active)),
    authorities: new Map(authorities.map((each) => [each.uid, each])),
  };
}

/** Returns the roles of a person. */
export function rolesOf({ members }: ApprovalPowers, person: string): string[] {
  return [...members].filter(([, persons]) => persons.includes(person)).map(([role]) => role);
}

/**
 * Returns `holds` if a vote is still valid, otherwise the reason why it is void. The voter must be active, must still
 * have the role of the vote, and the voter's authority must still cover the terms. If an application cast the vote, its
 * binding must also still name the voter, and its persons must be independent of the drafter.
 */
export function supportOfVote(
  powers: ApprovalPowers,
  delegation: Delegation,
  vote: DelegationApproval,
): CastVote['support'] {
  const { persons, bindings, applications } = powers;
  const { personUid: person, applicationUid: application } = vote;
  if (!persons.has(person)) return 'person_not_active';
  if (application !== null && application !== undefined) {
    const binding = bindings.find(({ uid }) => uid === vote.bindingUid);
    if (binding?.body.person_uid !== person) return 'binding_ended';
    const side = applications.get(application);
    if (!side || dependence(currentCreator(powers, delegation), side)) return 'not_independent';
  }
  return supportOf(powers, delegation.terms, vote);
}

/** Returns the persons related to the drafting application, both at the time of the draft and now. */
export function currentCreator(
  { applications }: ApprovalPowers,
  { creator }: Delegation,
): ApplicationPersons {
  const present = applications.get(creator.application);
  if (!present) return creator;
  const join = (then: readonly string[], now: readonly string[]) => [...new Set([...then, ...now])];
  return {
    application: creator.application,
    principals: join(creator.principals, present.principals),
    bound: join(creator.bound, present.bound),
    issuers: join(creator.issuers, present.issuers),
    others: creator.others,
    binders: [],
  };
}
