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
    /** The person who is responsible for the starts. This person may not approve steps of the started runs. */
    setByUid: p.text(),
    setAt: p.datetime(),
    /** The next start time. */
    dueAt: p.datetime(),
    /** The next time at which the schedule is checked. After a failure, this time is later than `dueAt`. */
    lookAt: p.datetime(),
    lastDueAt: p.datetime().nullable(),
    lastOutcome: p.text().$type<StartOutcome>().nullable(),
    /** The number of missed start times before the latest start. */
    lastMissed: p.integer(),
    lastAdmissionUid: p.text().nullable(),
    lastRunUid: p.text().nullable(),
  },
});

/** A schedule of starts of a workflow. It applies until a person suspends or removes it. */
export class WorkflowSchedule extends WorkflowScheduleSchema.class {}
WorkflowScheduleSchema.setClass(WorkflowSchedule);
