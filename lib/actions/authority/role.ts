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

/** A role whose members may approve. Having one confers nothing without an authority. */
export const roleKind = defineKind({
  kind: 'role',
  prefix: prefixes.role,
  about: 'roles of who may approve',
  schema: Closed({ description: Type.Optional(Line(500, 'What it is for.', 'Approves delegations.')) }),
});

const KEY_CHARACTERS_MAX = 64;

/** One for each pair: where the names are too long for a key, the hash of the role stands for it. */
function membershipKey(role: string, person: string): string {
  const key = `${role}.${person}`;
  return key.length <= KEY_CHARACTERS_MAX ? key : `${canonicalHash(role).slice(0, 32)}.${person}`;
}

/** That a person has a role. It takes two persons, neither of them the member. */
export const membershipKind = defineKind({
  kind: 'membership',
  prefix: prefixes.membership,
  about: 'who has which role',
  schema: Closed({
    role: KeyWord,
    person_uid: Type.String({ maxLength: 40 }),
    valid_until: Type.Optional(InstantOf('When it ends by itself.')),
  }),
  keyOf: ({ role, person_uid }) => membershipKey(role, person_uid),
  parties: async (_em, { person_uid }) => [person_uid],
  async check(em, { role, person_uid }, { tenant }) {
    const [known] = await inForce(em, roleKind, tenant, role);
    return [
      ...(known ? [] : [fault('/role', 'unknown_role', 'must be a role in force')]),
      ...(await personFaults(em, tenant, person_uid, '/person_uid')),
    ];
  },
});

/** Faults of a reference to a person: it has to be an active one of the workspace. */
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
 * Who has a role now: active persons whose membership is in force, as the role is. By role key; persons in the order of
 * their uids.
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
  const found = await em.find(
    Person,
    { workspaceUid: tenant.workspace, state: 'active' },
    { filters: false, fields: ['uid'], orderBy: { uid: 'asc' } },
  );
  return found.map(({ uid }) => uid);
}
