import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { ceilingOf } from './ceiling.ts';
import { excessFaults, limitFaults, Limits, within, type Limit } from './limits.ts';
import { fault, KeyWord, personFaults } from './role.ts';

/** A machine that can receive delegations, and the person who is responsible for it. */
export const identityKind = defineKind({
  kind: 'identity',
  prefix: prefixes.machineIdentity,
  schema: Closed({
    owner_uid: Type.String({ maxLength: 40 }),
    description: Type.Optional(
      Line(500, 'The purpose of the machine, 1 to 500 characters.', 'Runs the payables.'),
    ),
  }),
  parties: async (_em, { owner_uid }) => [owner_uid],
  check: async (em, { owner_uid }, { tenant }) => personFaults(em, tenant, owner_uid, '/owner_uid'),
});

/** The upper limits of the sum of all delegations of one machine identity. */
export const identityCeilingKind = defineKind({
  kind: 'identity_ceiling',
  prefix: prefixes.identityCeiling,
  schema: Closed({ identity: KeyWord, limits: Limits }),
  keyOf: ({ identity }) => identity,
  async check(em, { identity, limits }, { tenant }) {
    const [known] = await inForce(em, identityKind, tenant, identity);
    const ceiling = await ceilingOf(em, tenant);
    return [
      ...(known ? [] : [fault('/identity', 'unknown_identity', 'must be an active machine identity')]),
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

/**
 * Returns the limits of an identity, within the ceiling of the workspace. Returns an empty list if no limits were set;
 * the identity then cannot receive a delegation.
 */
export async function identityLimits(em: Em, tenant: Tenant, identity: string): Promise<Limit[]> {
  const [ceiling] = await inForce(em, identityCeilingKind, tenant, identity);
  return ceiling ? within(ceiling.body.limits, await ceilingOf(em, tenant)) : [];
}
