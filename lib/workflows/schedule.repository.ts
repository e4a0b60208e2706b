import { LockMode } from '@mikro-orm/core';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { ParameterValues } from './parameters.ts';
import { firstAfter, type Recurrence } from './recurrence.ts';
import { nextScheduleState, type ScheduleEvent } from './schedule-states.ts';
import { WorkflowSchedule } from './workflow-schedule.entity.ts';

export type Plan = {
  key: string;
  application: string;
  parameters: ParameterValues;
  recurrence: Recurrence;
  timeZone: string;
  by: string;
  now: Date;
};

/** Has a workflow of the em's tenant started by the clock, in the name of a person. It gives no power: every start is asked for. */
export async function schedule(em: Em, plan: Plan): Promise<WorkflowSchedule> {
  const { workspace, environment } = tenantOf(em);
  const { key, application, parameters, recurrence, timeZone, by, now } = plan;
  const dueAt = firstAfter(recurrence, now);
  const made = em.create(WorkflowSchedule, {
    uid: newUid(prefixes.workflowSchedule),
    workspaceUid: workspace,
    environment,
    workflowKey: key,
    applicationUid: application,
    parameters,
    everySeconds: 'every' in recurrence ? recurrence.every : null,
    cron: 'cron' in recurrence ? recurrence.cron : null,
    timeZone,
    state: 'active',
    setByUid: by,
    setAt: now,
    dueAt,
    lookAt: dueAt,
    lastDueAt: null,
    lastOutcome: null,
    lastMissed: 0,
    lastAdmissionUid: null,
    lastRunUid: null,
  });
  await em.flush();
  await tell(em, made, { op: 'workflow.scheduled', by, now });
  return made;
}

export type ChangedSchedule =
  | { ok: true; schedule: WorkflowSchedule }
  | { ok: false; code: 'transition_not_allowed' };

const told = {
  suspend: 'workflow.schedule_suspended',
  resume: 'workflow.schedule_resumed',
  remove: 'workflow.schedule_removed',
} as const;

/** Suspends, resumes or removes a schedule of the em's tenant. What came while it was suspended is not made up for. */
export async function changeSchedule(
  em: Em,
  uid: string,
  { event, by, now }: { event: ScheduleEvent; by: string; now: Date },
): Promise<ChangedSchedule> {
  const found = await em.findOneOrFail(
    WorkflowSchedule,
    { uid },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  const state = nextScheduleState(found.state, event);
  if (!state) return { ok: false, code: 'transition_not_allowed' };
  found.state = state;
  if (event === 'resume') found.dueAt = found.lookAt = firstAfter(recurrenceOf(found), now);
  await em.flush();
  await tell(em, found, { op: told[event], by, now });
  return { ok: true, schedule: found };
}

export function recurrenceOf({ everySeconds, cron, timeZone }: WorkflowSchedule): Recurrence {
  return everySeconds == null ? { cron: cron!, timeZone } : { every: everySeconds };
}

async function tell(
  em: Em,
  { uid, workflowKey: workflow }: WorkflowSchedule,
  { op, by, now }: { op: `workflow.${string}`; by: string; now: Date },
): Promise<void> {
  const actor = { kind: 'person', uid: by } as const;
  await appendAudit(em, {
    at: now,
    op,
    actor,
    subject: { type: 'workflow_schedule', uid },
    details: { workflow },
  });
}
