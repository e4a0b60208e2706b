import { defineEntity, p } from '@mikro-orm/core';
import type { ServiceClass } from '#lib/database/base.ts';

const WorkspaceSchema = defineEntity({
  name: 'Workspace',
  properties: {
    uid: p.text().primary(),
    name: p.text(),
    serviceClass: p.text().$type<ServiceClass>(),
    /** The region where the data is stored. */
    region: p.text(),
    /** The time zone, as an IANA name. Budgets follow the calendar days and months of this time zone. */
    timeZone: p.text(),
    financialActions: p.text().$type<'active' | 'frozen'>(),
    /** The person who froze financial actions. Only another person can allow financial actions again. */
    frozenByUid: p.text().nullable(),
    /** The scopes that the applications of the workspace may hold. */
    entitlements: p.array(),
    /** The proof of persons that the console accepts in production. */
    proof: p.text().$type<'any' | 'passkey'>().default('any'),
    createdAt: p.datetime(),
  },
});

/** A tenant. It has two environments: sandbox and production. */
export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
