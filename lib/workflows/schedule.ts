import type { Entry } from '#lib/governance/command.ts';
import { EVERY_SECONDS, isCron, isTimeZone, readEvery, type Recurrence } from './recurrence.ts';
import type { WorkflowSchedule } from './workflow-schedule.entity.ts';

/** When a schedule starts its workflow: so long apart, or by five fields of cron in a time zone. */
export type Timing = { cron?: string | undefined; every?: string | undefined };

/** Reads a timing, or says what is wrong with it. */
export function readRecurrence(
  { cron, every }: Timing,
  timeZone: string,
): { ok: true; recurrence: Recurrence } | { ok: false; detail: string } {
  if ((cron === undefined) === (every === undefined)) {
    return { ok: false, detail: 'A schedule takes either an interval (every) or fields of cron.' };
  }
  if (!isTimeZone(timeZone)) return { ok: false, detail: `The time zone ${timeZone} does not exist.` };
  if (cron !== undefined) {
    if (isCron(cron)) return { ok: true, recurrence: { cron, timeZone } };
    const detail = 'Cron takes five fields of digits and * , - / that match at some time.';
    return { ok: false, detail };
  }
  const seconds = readEvery(every!);
  if (seconds !== undefined) return { ok: true, recurrence: { every: seconds } };
  const days = EVERY_SECONDS.max / 86_400;
  return { ok: false, detail: `An interval is 1m to ${days}d, in m, h, d or w.` };
}

export function recurrenceOf({
  everySeconds,
  cron,
  timeZone,
}: Pick<WorkflowSchedule, 'everySeconds' | 'cron' | 'timeZone'>): Recurrence {
  return everySeconds == null ? { cron: cron!, timeZone } : { every: everySeconds };
}

/** The audit entry of a change of a schedule. */
export function entryOf(op: `workflow.${string}`, { uid, workflowKey: workflow }: WorkflowSchedule): Entry {
  return { op, subject: { type: 'workflow_schedule', uid }, details: { workflow } };
}
