import type { Em, Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { authorityKind, readGround } from '../authority/authority.ts';
import type { Authority } from '../authority/authority-body.ts';
import { bindingKind, type Binding } from '../authority/binding.ts';
import type { CastVote } from './approval.ts';
import type { Delegation, DelegationApproval } from './delegation.entity.ts';
import { dependence, type Side } from './independence.ts';
import { sidesOf } from './side.query.ts';
import { supportOf, type Powers } from './support.ts';

/** Who may decide what in an environment at an instant: read once for a decision, in the transaction that takes it. */
export type Standings = Powers<Authority> & {
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

export async function readPowers(em: Em, tenant: Tenant, now: Date): Promise<Powers<Authority>> {
  const found = await em.find(
    GovernedRecord,
    {
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      kind: authorityKind.kind,
      state: { $in: ['active', 'suspended', 'ended'] },
    },
    { filters: false, refresh: true, orderBy: { uid: 'asc' } },
  );
  const authorities = found as unknown as Authority[];
  const active = authorities.filter(({ state }) => state === 'active');
  return {
    ...(await readGround(em, tenant, now, active)),
    authorities: new Map(authorities.map((each) => [each.uid, each])),
  };
}

/** The roles of a person. */
export function rolesOf({ members }: Standings, person: string): string[] {
  return [...members].filter(([, persons]) => persons.includes(person)).map(([role]) => role);
}

/** What has become of what a vote stood on. */
export function standingOf(
  standings: Standings,
  delegation: Delegation,
  vote: DelegationApproval,
): CastVote['standing'] {
  const { persons, bindings, sides } = standings;
  const { personUid: person, applicationUid: application } = vote;
  if (!persons.has(person)) return 'person_not_active';
  if (application !== null && application !== undefined) {
    const binding = bindings.find(({ uid }) => uid === vote.bindingUid);
    if (binding?.body.person_uid !== person) return 'binding_ended';
    const side = sides.get(application);
    if (!side || dependence(currentCreator(standings, delegation), side)) return 'not_independent';
  }
  return supportOf(standings, delegation.terms, vote);
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
