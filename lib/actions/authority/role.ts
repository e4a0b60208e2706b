import { sql } from 'kysely';
import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { Closed, Line, InstantOf } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind, type BodyFault } from '#lib/governance/governed/kind.ts';
import { Person } from '#lib/access/person.entity.ts';

export const KeyWord = Type.String({
  pattern: '^[a-z][a-z0-9_.-]{0,63}$',
  description: 'The key of a record.',
  examples: ['delegation_approver'],
});

/** A role whose members may approve. A member without an authority can approve nothing. */
export const roleKind = defineKind({
  kind: 'role',
  prefix: prefixes.role,
  schema: Closed({
    description: Type.Optional(
      Line(500, 'The purpose of the role, 1 to 500 characters.', 'Approves delegations.'),
    ),
  }),
});

const KEY_CHARACTERS_MAX = 64;

/**
 * Returns the key of a membership, unique per role and person. If both names together are too long for a key, a part of
 * the role's hash replaces the role.
 */
function membershipKey(role: string, person: string): string {
  const key = `${role}.${person}`;
  return key.length <= KEY_CHARACTERS_MAX ? key : `${canonicalHash(role).slice(0, 32)}.${person}`;
}

/** The membership of a person in a role. A membership becomes active only with the consent of two other persons. */
export const membershipKind = defineKind({
  kind: 'membership',
  prefix: prefixes.membership,
  schema: Closed({
    role: KeyWord,
    person_uid: Type.String({ maxLength: 40 }),
    valid_until: Type.Optional(InstantOf('The time at which the membership ends automatically.')),
  }),
  keyOf: ({ role, person_uid }) => membershipKey(role, person_uid),
  parties: async (_em, { person_uid }) => [person_uid],
  async check(em, { role, person_uid }, { tenant }) {
    const [known] = await inForce(em, roleKind, tenant, role);
    return [
      ...(known ? [] : [fault('/role', 'unknown_role', 'must be an active role')]),
      ...(await personFaults(em, tenant, person_uid, '/person_uid')),
    ];
  },
});

/** Returns the faults of a reference to a person, who must be an active person of the workspace. */
export async function personFaults(
  em: Em,
  tenant: Tenant,
  uid: string,
  pointer: string,
): Promise<BodyFault[]> {
  const known = await em.count(
    Person,
    { uid, workspaceUid: tenant.workspace, state: 'active' },
    { filters: false },
  );
  return known ? [] : [fault(pointer, 'unknown_person', 'must be an active person of the workspace')];
}

export function fault(pointer: string, code: string, message: string): BodyFault {
  return { pointer, code, message };
}

/**
 * Returns the members of each role now, by the key of the role: active persons with an active membership in
 * an active role, sorted by uid.
 */
export async function membersOf(
  em: Em,
  tenant: Tenant,
  now: Date,
  persons?: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const memberships = await inForce(em, membershipKind, tenant);
  const roles = new Set((await inForce(em, roleKind, tenant)).map(({ key }) => key));
  const active = persons ?? new Set(await activePersons(em, tenant));
  const members = new Map<string, string[]>();
  for (const { body } of memberships) {
    const isOver = body.valid_until !== undefined && new Date(body.valid_until) <= now;
    if (isOver || !roles.has(body.role) || !active.has(body.person_uid)) continue;
    members.set(body.role, [...(members.get(body.role) ?? []), body.person_uid].sort());
  }
  return members;
}

export async function activePersons(em: Em, tenant: Tenant): Promise<string[]> {
  await em.tryFlush(Person, {});
  const { rows } = await sql<{ uid: string }>`
    select uid from person where workspace_uid = ${tenant.workspace} and state = 'active' order by uid`.execute(
    em.getKysely(),
  );
  return rows.map(({ uid }) => uid);
}
