import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { admitRun } from './admit-run.command.ts';
import { dueBy } from './recurrence.ts';
import { isOver } from './run-states.ts';
import { recurrenceOf } from './schedule.ts';
import type { StartOutcome } from './schedule-states.ts';
import { startRun } from './start-run.command.ts';
import { WorkflowRun } from './workflow-run.entity.ts';
import { WorkflowSchedule } from './workflow-schedule.entity.ts';

export type DueSchedule = Tenant & { schedule: string };

/** Returns the due schedules of all tenants, longest overdue first. */
export async function dueSchedules(
  em: Em,
  { now, limit }: { now: Date; limit: number },
): Promise<DueSchedule[]> {
  const { rows } = await sql<DueSchedule>`
    select uid as schedule, workspace_uid as workspace, environment from workflow_schedule
    where state = 'active' and look_at <= ${now} order by look_at, uid limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Requests the start of a due schedule of the current tenant, in the caller's transaction. A concurrent or repeated
 * call finds nothing due: the schedule is locked, and its next start time is written together with the decision and the
 * run.
 */
export async function startDue(em: Em, uid: string, now: Date): Promise<StartOutcome | null> {
  const due = await em.findOne(
    WorkflowSchedule,
    { uid },
    { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, refresh: true },
  );
  if (!due || due.state !== 'active' || due.dueAt > now) return null;
  const { latest, missed, next } = dueBy(recurrenceOf(due), due.dueAt, now);
  em.assign(due, { dueAt: next, lookAt: next, lastDueAt: latest, lastMissed: missed });
  due.lastOutcome = (await isStillOpen(em, due)) ? 'still_open' : await start(em, due, now);
  await em.flush();
  return due.lastOutcome;
}

/**
 * Postpones the next check of a schedule of the current tenant, because its start failed. The start time stays
 * unchanged.
 */
export async function postponeStart(em: Em, uid: string, lookAt: Date): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    update workflow_schedule set look_at = ${lookAt}
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} and look_at < ${lookAt}
  `.execute(em.getKysely());
}

async function isStillOpen(em: Em, { lastRunUid: uid }: WorkflowSchedule): Promise<boolean> {
  const run = uid == null ? null : await em.findOne(WorkflowRun, { uid }, { refresh: true });
  return run !== null && !isOver(run.state);
}

async function start(em: Em, due: WorkflowSchedule, now: Date): Promise<StartOutcome> {
  const place = tenantOf(em);
  const request = { actor: { kind: 'system' as const }, place, clock: { now: () => now } };
  const requested = {
    ...place,
    key: due.workflowKey,
    application: due.applicationUid,
    parameters: due.parameters,
    scheduledBy: due.setByUid,
  };
  const admitted = await governWithin(em, admitRun, requested, request);
  if (!('admission' in admitted)) throw new Error(`the start of schedule ${due.uid} could not be requested`);
  const { admission, version, parameters } = admitted;
  due.lastAdmissionUid = admission.uid;
  if (!admitted.ok) return 'denied';
  const run = { admission: admission.uid, version: version.uid, parameters };
  const started = await governWithin(em, startRun, run, request);
  if (!started.ok) throw new Error(started.detail);
  due.lastRunUid = started.result.uid;
  return 'started';
}
