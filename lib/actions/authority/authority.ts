import { AuthorityBody, type Authority, authorityTiers } from './authority-body.ts';

import { prefixes } from '#lib/core/prefix.ts';

import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind, type BodyFault, type CheckFacts } from '#lib/governance/governed/kind.ts';
import { Counterparty } from '#lib/access/counterparty.entity.ts';
import { Person } from '#lib/access/person.entity.ts';
import { actionFaults } from './action.ts';
import { ceilingOf } from './ceiling.ts';
import { chainOf, firstFailing, isHeldBy, type AuthorityGround } from './chain.ts';
import { connectorKind } from './connector.ts';
import { excessFaults, limitFaults } from './limits.ts';
import { activePersons, fault, membersOf, personFaults, roleKind } from './role.ts';

/** The decisions that a person or a role may make, with limits. Nobody can grant more than their own authority. */
export const authorityKind = defineKind({
  kind: 'authority',
  prefix: prefixes.authority,
  schema: AuthorityBody,
  parties: async (em, { grantee }, { tenant, now }) =>
    grantee.kind === 'user'
      ? [grantee.person_uid]
      : ((await membersOf(em, tenant, now)).get(grantee.role) ?? []),
  async check(em, body, facts) {
    return [
      ...(await referenceFaults(em, body, facts.tenant)),
      ...limitFaults(body.limits, '/limits'),
      ...windowFaults(body, facts.now),
      ...(await grantFaults(em, body, facts)),
    ];
  },
});

/**
 * Returns the records on which the authorities of an environment depend now. `given` are the active authorities; if
 * omitted, they are read from the database.
 */
export async function readGround(
  em: Em,
  tenant: Tenant,
  now: Date,
  given?: readonly Authority[],
): Promise<AuthorityGround> {
  const persons = new Set(await activePersons(em, tenant));
  const authorities = given ?? (await inForce(em, authorityKind, tenant));
  return {
    now,
    persons,
    members: await membersOf(em, tenant, now, persons),
    inForce: new Map(authorities.map((each) => [each.key, each])),
    ceiling: await ceilingOf(em, tenant),
  };
}

async function referenceFaults(em: Em, body: AuthorityBody, tenant: Tenant): Promise<BodyFault[]> {
  const { grantee, actions, connectors, counterparties } = body;
  const faults =
    grantee.kind === 'user'
      ? await personFaults(em, tenant, grantee.person_uid, '/grantee/person_uid')
      : (await inForce(em, roleKind, tenant, grantee.role)).length
        ? []
        : [fault('/grantee/role', 'unknown_role', 'must be an active role')];
  faults.push(...(await actionFaults(em, tenant, actions, '/actions')));
  if (connectors !== 'any_registered') {
    const known = new Set((await inForce(em, connectorKind, tenant)).map(({ key }) => key));
    connectors.forEach((key, index) => {
      if (!known.has(key)) {
        faults.push(fault(`/connectors/${index}`, 'unknown_connector', 'must be an active connector'));
      }
    });
  }
  if (counterparties !== 'any_registered') {
    const found = await em.find(
      Counterparty,
      { workspaceUid: tenant.workspace, kind: 'counterparty', state: 'active', id: { $in: counterparties } },
      { filters: false },
    );
    const known = new Set(found.map(({ id }) => id));
    counterparties.forEach((id, index) => {
      if (!known.has(id)) {
        const message = 'must be a counterparty of the workspace';
        faults.push(fault(`/counterparties/${index}`, 'unknown_counterparty', message));
      }
    });
  }
  return faults;
}

function windowFaults({ valid_from, valid_until }: AuthorityBody, now: Date): BodyFault[] {
  const [from, until] = [new Date(valid_from), new Date(valid_until)];
  return from < until && until > now
    ? []
    : [fault('/valid_until', 'validity_window', 'must be in the future, and after valid_from')];
}

/**
 * Returns the faults of a grant. An authority cannot exceed the authority under which it is granted. An owner who
 * grants without an authority cannot exceed the ceiling.
 */
async function grantFaults(
  em: Em,
  body: AuthorityBody,
  { tenant, now, by, key }: CheckFacts,
): Promise<BodyFault[]> {
  if (body.granted_under === null) {
    const isOwner = await em.count(
      Person,
      { uid: by!, workspaceUid: tenant.workspace, roles: { $contains: ['owner'] } },
      { filters: false },
    );
    return [
      ...(isOwner
        ? []
        : [
            fault(
              '/granted_under',
              'grantor_without_authority',
              'must name the authority of the grantor. Only an owner can grant without an authority, up to the ceiling of the workspace',
            ),
          ]),
      ...excessFaults(
        body.limits,
        await ceilingOf(em, tenant),
        '/limits',
        'workspace_ceiling_exceeded',
        'the ceiling of the workspace',
      ),
    ];
  }
  const ground = await readGround(em, tenant, now);
  // The new version replaces the version in force under this key. An authority that was granted under the
  // replaced version must therefore not be part of the chain.
  const others = new Map([...ground.inForce].filter(([each]) => each !== key));
  const chain = chainOf(body.granted_under, { ...ground, inForce: others });
  if (!chain || !isHeldBy(chain[0]!, by, ground)) {
    return [
      fault('/granted_under', 'grantor_without_authority', 'must be an active authority of the grantor'),
    ];
  }
  return firstFailing(chain, (above) => [
    ...widenedMembers(body, above),
    ...excessFaults(
      body.limits,
      above.limits,
      '/limits',
      'authority_amplified',
      'the authority of the grantor',
    ),
  ]);
}

/** Returns a fault for each field in which an authority exceeds the authority above it. */
export function widenedMembers(body: AuthorityBody, above: AuthorityBody): BodyFault[] {
  const wider: (keyof AuthorityBody)[] = [];
  for (const set of ['actions', 'capabilities', 'connectors', 'counterparties'] as const) {
    if (!isWithin(body[set], above[set])) wider.push(set);
  }
  if (authorityTiers.indexOf(body.max_risk_tier) > authorityTiers.indexOf(above.max_risk_tier))
    wider.push('max_risk_tier');
  if (new Date(body.valid_from) < new Date(above.valid_from)) wider.push('valid_from');
  if (new Date(body.valid_until) > new Date(above.valid_until)) wider.push('valid_until');
  return wider.map((member) =>
    fault(`/${member}`, 'authority_amplified', 'must be within the authority of the grantor'),
  );
}

type Some = 'any_registered' | readonly (string | number)[];

function isWithin(part: Some, whole: Some): boolean {
  if (whole === 'any_registered') return true;
  return part !== 'any_registered' && part.every((each) => whole.includes(each));
}
