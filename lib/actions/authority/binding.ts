import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce, type Governed } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { Application } from '#lib/access/application.entity.ts';
import { fault, personFaults } from './role.ts';

/** Days for which a binding is valid. Afterwards a new binding must be drafted. */
export const BINDING_DAYS = 90;

/**
 * The binding of an application to the person whose votes it casts. A binding attributes votes to the person, and
 * grants no rights.
 */
export const bindingKind = defineKind({
  kind: 'binding',
  prefix: prefixes.binding,
  schema: Closed({
    application_uid: Type.String({ maxLength: 40 }),
    person_uid: Type.String({ maxLength: 40 }),
    purpose: Type.Literal('approvals', { default: 'approvals' }),
    valid_until: InstantOf(`The end of the binding, at most ${BINDING_DAYS} days ahead.`),
  }),
  keyOf: ({ application_uid }) => application_uid,
  parties: async (_em, { person_uid }) => [person_uid],
  async check(em, { application_uid, person_uid, valid_until }, { tenant, now }) {
    const days = (new Date(valid_until).getTime() - now.getTime()) / 86_400_000;
    const application = await em.count(
      Application,
      { uid: application_uid, workspaceUid: tenant.workspace, environment: tenant.environment },
      { filters: false },
    );
    return [
      ...(application
        ? []
        : [fault('/application_uid', 'unknown_application', 'must be an application of this environment')]),
      ...(await personFaults(em, tenant, person_uid, '/person_uid')),
      ...(days > 0 && days <= BINDING_DAYS
        ? []
        : [
            fault(
              '/valid_until',
              'validity_window',
              `must be in the future, and at most ${BINDING_DAYS} days ahead`,
            ),
          ]),
    ];
  },
});

export type Binding = Governed<typeof bindingKind.schema>;

/** Returns the currently valid binding of an application. */
export async function bindingOf(
  em: Em,
  tenant: Tenant,
  application: string,
  now: Date,
): Promise<Binding | undefined> {
  const [binding] = await inForce(em, bindingKind, tenant, application);
  return binding && new Date(binding.body.valid_until) > now ? binding : undefined;
}
