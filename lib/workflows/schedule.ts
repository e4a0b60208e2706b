import type { Entry } from '#lib/governance/command.ts';
import { EVERY_SECONDS, isCron, isTimeZone, readEvery, type Recurrence } from './recurrence.ts';
import type { WorkflowSchedule } from './workflow-schedule.entity.ts';

/** The timing of a schedule: an interval, or five cron fields in a time zone. */
export type Timing = { cron?: string | undefined; every?: string | undefined };

/** Parses a timing into a recurrence, or returns its fault. */
export function readRecurrence(
  { cron, every }: Timing,
  timeZone: string,
): { ok: true; recurrence: Recurrence } | { ok: false; detail: string } {
  if ((cron === undefined) === (every === undefined)) {
    return { ok: false, detail: 'A schedule takes either an interval (every) or cron fields.' };
  }
  if (!isTimeZone(timeZone)) return { ok: false, detail: `The time zone ${timeZone} does not exist.` };
  if (cron !== undefined) {
    if (isCron(cron)) return { ok: true, recurrence: { cron, timeZone } };
    const detail = 'A cron schedule has five fields of digits and * , - /. It must match at least one time.';
    return { ok: false, detail };
  }
  const seconds = readEvery(every!);
  if (seconds !== undefined) return { ok: true, recurrence: { every: seconds } };
  const days = EVERY_SECONDS.max / 86_400;
  return { ok: false, detail: `An interval must be from 1m to ${days}d, with the unit m, h, d or w.` };
}

export function recurrenceOf({
  everySeconds,
  cron,
  timeZone,
}: Pick<WorkflowSchedule, 'everySeconds' | 'cron' | 'timeZone'>): Recurrence {
  return everySeconds == null ? { cron: cron!, timeZone } : { every: everySeconds };
}

/** Returns the audit entry of a schedule change. */
export function entryOf(op: `workflow.${string}`, { uid, workflowKey: workflow }: WorkflowSchedule): Entry {
  return { op, subject: { type: 'workflow_schedule', uid }, details: { workflow } };
}
