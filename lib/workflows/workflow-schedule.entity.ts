import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ParameterValues } from './parameters.ts';
import type { ScheduleState, StartOutcome } from './schedule-states.ts';

const WorkflowScheduleSchema = defineEntity({
  name: 'WorkflowSchedule',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    workflowKey: p.text(),
    applicationUid: p.text(),
    parameters: p.json<ParameterValues>(),
    everySeconds: p.integer().nullable(),
    cron: p.text().nullable(),
    /** IANA name; the fields of cron are of its clock. */
    timeZone: p.text(),
    state: p.text().$type<ScheduleState>(),
    /** Who answers for the starts, and approves no step of them. */
    setByUid: p.text(),
    setAt: p.datetime(),
    /** The next time that something is started. */
    dueAt: p.datetime(),
    /** Not looked at before this; later than `dueAt` after a failure. */
    lookAt: p.datetime(),
    lastDueAt: p.datetime().nullable(),
    lastOutcome: p.text().$type<StartOutcome>().nullable(),
    /** How many times before the last one nothing was started at, since nobody looked. */
    lastMissed: p.integer(),
    lastAdmissionUid: p.text().nullable(),
    lastRunUid: p.text().nullable(),
  },
});

/** A workflow that is started by the clock, until somebody suspends or removes it. */
export class WorkflowSchedule extends WorkflowScheduleSchema.class {}
WorkflowScheduleSchema.setClass(WorkflowSchedule);
