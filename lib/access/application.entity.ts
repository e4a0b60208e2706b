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
    /** The person who is responsible for the application; the owner if null. */
    accountableUid: p.text().nullable(),
    /** Whether it is the console's own application, which has no credentials. */
    builtIn: p.boolean(),
    createdAt: p.datetime(),
  },
});

/** A program of one workspace in one environment, with a responsible person. Credentials identify an application. */
export class Application extends ApplicationSchema.class {}
ApplicationSchema.setClass(Application);
