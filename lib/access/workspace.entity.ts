import { defineEntity, p } from '@mikro-orm/core';
import type { ServiceClass } from '#lib/database/base.ts';

const WorkspaceSchema = defineEntity({
  name: 'Workspace',
  properties: {
    uid: p.text().primary(),
    name: p.text(),
    serviceClass: p.text().$type<ServiceClass>(),
    /** Where its data are kept. */
    region: p.text(),
    /** IANA name; calendar days and months of budgets are those of this zone. */
    timeZone: p.text(),
    financialActions: p.text().$type<'active' | 'frozen'>(),
    /** Who stopped financial actions; another person lets them go on. */
    frozenByUid: p.text().nullable(),
    /** Scopes that the workspace's applications may hold. */
    entitlements: p.array(),
    createdAt: p.datetime(),
  },
});

/** A tenant. It has two environments, sandbox and production. */
export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
