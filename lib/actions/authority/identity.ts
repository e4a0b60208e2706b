import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { ceilingOf } from './ceiling.ts';
import { excessFaults, limitFaults, Limits, within, type Limit } from './limits.ts';
import { fault, KeyWord, personFaults } from './role.ts';

/** A machine that may be given a delegation, with the person who answers for it. */
export const identityKind = defineKind({
  kind: 'identity',
  prefix: prefixes.machineIdentity,
  about: 'machine identities, each with the person who answers for it',
  schema: Closed({
    owner_uid: Type.String({ maxLength: 40 }),
    description: Type.Optional(Line(500, 'What it does.', 'Runs the payables.')),
  }),
  parties: async (_em, { owner_uid }) => [owner_uid],
  check: async (em, { owner_uid }, { tenant }) => personFaults(em, tenant, owner_uid, '/owner_uid'),
});

/** The most that all delegations of a machine identity may cover together. */
export const identityCeilingKind = defineKind({
  kind: 'identity_ceiling',
  prefix: prefixes.identityCeiling,
  about: 'the most that the delegations of a machine identity may cover',
  schema: Closed({ identity: KeyWord, limits: Limits }),
  keyOf: ({ identity }) => identity,
  async check(em, { identity, limits }, { tenant }) {
    const [known] = await inForce(em, identityKind, tenant, identity);
    const ceiling = await ceilingOf(em, tenant);
    return [
      ...(known ? [] : [fault('/identity', 'unknown_identity', 'must be a machine identity in force')]),
      ...limitFaults(limits, '/limits'),
      ...excessFaults(
        limits,
        ceiling,
        '/limits',
        'workspace_ceiling_exceeded',
        'the ceiling of the workspace',
      ),
    ];
  },
});

/** The limits of an identity, within the workspace's ceiling; none where nothing was set, and then it can be given nothing. */
export async function identityLimits(em: Em, tenant: Tenant, identity: string): Promise<Limit[]> {
  const [ceiling] = await inForce(em, identityCeilingKind, tenant, identity);
  return ceiling ? within(ceiling.body.limits, await ceilingOf(em, tenant)) : [];
}
