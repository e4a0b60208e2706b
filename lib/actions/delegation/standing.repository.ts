import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { inForce } from '#lib/governance/governed/governed-record.repository.ts';
import { authorityKind, isGrantee, isInTime, type Authority } from '../control/authority.ts';
import { bindingKind, type Binding } from '../control/binding.ts';
import { activePersons, membersOf } from '../control/role.ts';
import type { CastVote, HeldAuthority } from './approval.ts';
import { uncovered } from './coverage.ts';
import type { Delegation, DelegationApproval } from './delegation.entity.ts';
import { dependence, type Side } from './independence.ts';
import { sidesOf } from './side.repository.ts';

/** Who has which authority in an environment at an instant. */
export type Powers = {
  now: Date;
  persons: ReadonlySet<string>;
  members: ReadonlyMap<string, readonly string[]>;
  /** By uid: authorities that persons have or had. */
  authorities: ReadonlyMap<string, Authority>;
};

/** Who may decide what in an environment at an instant: read once for a decision, in the transaction that takes it. */
export type Standings = Powers & {
  bindings: readonly Binding[];
  sides: ReadonlyMap<string, Side>;
};

export async function readStandings(em: Em, tenant: Tenant, now: Date): Promise<Standings> {
  const bindings = await inForce(em, bindingKind, tenant);
  return {
    ...(await readPowers(em, tenant, now)),
    bindings: bindings.filter(({ body }) => new Date(body.valid_until) > now),
    sides: new Map((await sidesOf(em, tenant, now, { bindings })).map((side) => [side.application, side])),
  };
}

export async function readPowers(em: Em, tenant: Tenant, now: Date): Promise<Powers> {
  const authorities = await em.find(
    GovernedRecord,
    {
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      kind: authorityKind.kind,
      state: { $in: ['active', 'suspended', 'ended'] },
    },
    { filters: false, refresh: true },
  );
  const persons = new Set(await activePersons(em, tenant));
  return {
    now,
    persons,
    members: await membersOf(em, tenant, now, persons),
    authorities: new Map(authorities.map((each) => [each.uid, each as unknown as Authority])),
  };
}

/** The roles of a person. */
export function rolesOf({ members }: Standings, person: string): string[] {
  return [...members].filter(([, persons]) => persons.includes(person)).map(([role]) => role);
}

/** All authorities that a person has or had, and what of a delegation each does not cover. */
export function heldAuthorities(
  standings: Standings,
  person: string,
  { terms }: Delegation,
): HeldAuthority[] {
  return [...standings.authorities.values()]
    .filter(({ body }) => isGrantee(body, person, standings.members))
    .map((each) => ({
      uid: each.uid,
      isLive: each.state === 'active' && isInTime(each.body, standings.now),
      failed: uncovered(each.body, terms),
    }));
}

/** What has become of what a vote stood on. */
export function standingOf(
  standings: Standings,
  delegation: Delegation,
  vote: DelegationApproval,
): CastVote['standing'] {
  const { persons, members, bindings, sides } = standings;
  const { personUid: person, applicationUid: application, role } = vote;
  if (!persons.has(person)) return 'person_not_active';
  if (application !== null && application !== undefined) {
    const binding = bindings.find(({ uid }) => uid === vote.bindingUid);
    if (binding?.body.person_uid !== person) return 'binding_ended';
    const side = sides.get(application);
    if (!side || dependence(currentCreator(standings, delegation), side)) return 'not_independent';
  }
  if (role && !(members.get(role) ?? []).includes(person)) return 'role_lost';
  return authorityStanding(standings, delegation, vote);
}

/** Whether the authority that a vote stood on, or the version that followed it, still covers the delegation. */
export function authorityStanding(
  { authorities, members, now }: Powers,
  { terms }: Delegation,
  { authorityUid, personUid }: DelegationApproval,
): 'holds' | 'authority_ended' | 'authority_insufficient' {
  const stood = authorities.get(authorityUid);
  const live = [...authorities.values()].find(
    ({ key, state, body }) => key === stood?.key && state === 'active' && isInTime(body, now),
  );
  if (!live || !isGrantee(live.body, personUid, members)) return 'authority_ended';
  return uncovered(live.body, terms).length ? 'authority_insufficient' : 'holds';
}

/** The drafting side: who stood behind it when it drafted, and who does now. */
export function currentCreator({ sides }: Standings, { creator }: Delegation): Side {
  const present = sides.get(creator.application);
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
