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
    /** IANA name of the time zone of the cron fields. */
    timeZone: p.text(),
    state: p.text().$type<ScheduleState>(),
    /** The person responsible for the starts, who may not approve their steps. */
    setByUid: p.text(),
    setAt: p.datetime(),
    /** The next start time. */
    dueAt: p.datetime(),
    /** The next time of a check; later than `dueAt` after a failure. */
    lookAt: p.datetime(),
    lastDueAt: p.datetime().nullable(),
    lastOutcome: p.text().$type<StartOutcome>().nullable(),
    /** How many start times before the last one were missed. */
    lastMissed: p.integer(),
    lastAdmissionUid: p.text().nullable(),
    lastRunUid: p.text().nullable(),
  },
});

/** A schedule of a workflow, until someone suspends or removes it. */
export class WorkflowSchedule extends WorkflowScheduleSchema.class {}
WorkflowScheduleSchema.setClass(WorkflowSchedule);
