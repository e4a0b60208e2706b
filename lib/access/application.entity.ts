import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ApplicationStatus } from './application.ts';

const ApplicationSchema = defineEntity({
  name: 'Application',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    name: p.text(),
    scopes: p.array(),
    status: p.text().$type<ApplicationStatus>(),
    ownerUid: p.text(),
    /** Who answers for what it does; the owner where nobody else is named. */
    accountableUid: p.text().nullable(),
    createdAt: p.datetime(),
  },
});

/** What a credential identifies: a program of one workspace in one environment, with an accountable person. */
export class Application extends ApplicationSchema.class {}
ApplicationSchema.setClass(Application);
