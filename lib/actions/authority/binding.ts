import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce, type Governed } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { Application } from '#lib/access/application.entity.ts';
import { fault, personFaults } from './role.ts';

/** A binding is made anew after so many days. */
export const BINDING_DAYS = 90;

/** That an application speaks for a person when it approves. It attributes, and confers nothing else. */
export const bindingKind = defineKind({
  kind: 'binding',
  prefix: prefixes.binding,
  about: 'which application carries the approvals of which person',
  schema: Closed({
    application_uid: Type.String({ maxLength: 40 }),
    person_uid: Type.String({ maxLength: 40 }),
    purpose: Type.Literal('approvals', { default: 'approvals' }),
    valid_until: InstantOf(`When it ends; at most ${BINDING_DAYS} days ahead.`),
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
        : [fault('/valid_until', 'validity_window', `must be to come, and within ${BINDING_DAYS} days`)]),
    ];
  },
});

export type Binding = Governed<typeof bindingKind.schema>;

/** The binding of an application that counts now. */
export async function bindingOf(
  em: Em,
  tenant: Tenant,
  application: string,
  now: Date,
): Promise<Binding | undefined> {
  const [binding] = await inForce(em, bindingKind, tenant, application);
  return binding && new Date(binding.body.valid_until) > now ? binding : undefined;
}
