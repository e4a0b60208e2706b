import { LockMode } from '@mikro-orm/core';
import { defineCommand, type RefusalCode } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { firstAfter } from './recurrence.ts';
import { nextScheduleState, type ScheduleEvent, type ScheduleState } from './schedule-states.ts';
import { entryOf, recurrenceOf } from './schedule.ts';
import { WorkflowSchedule } from './workflow-schedule.entity.ts';

type ChangeVerdict = { ok: true; next: ScheduleState } | { ok: false; code: 'transition_not_allowed' };

const ops = {
  suspend: 'workflow.schedule_suspended',
  resume: 'workflow.schedule_resumed',
  remove: 'workflow.schedule_removed',
} as const;

/** Suspends, resumes or removes a schedule. Start times that passed while the schedule was suspended are skipped. */
export const changeSchedule = defineCommand<{ schedule: string; event: ScheduleEvent }>()({
  find: (em, { schedule }) => placeOfRecord(em, WorkflowSchedule, schedule),
  unknown: 'schedule_unknown',
  lock: (em, { schedule }) =>
    em.findOneOrFail(
      WorkflowSchedule,
      { uid: schedule },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    ),
  facts: async (_em, schedule) => schedule,
  decide({ state }, { event }): ChangeVerdict {
    const next = nextScheduleState(state, event);
    return next ? { ok: true, next } : { ok: false, code: 'transition_not_allowed' };
  },
  async write(_em, schedule, { next }, { input: { event }, now }) {
    schedule.state = next;
    if (event === 'resume') schedule.dueAt = schedule.lookAt = firstAfter(recurrenceOf(schedule), now);
    return { result: schedule };
  },
  entry: (schedule, { ok }, { event }) => (ok ? entryOf(ops[event], schedule) : undefined),
  refusals: {
    schedule_unknown: 'The schedule does not exist.',
    transition_not_allowed: 'The state of the schedule does not allow this change.',
  } satisfies Record<RefusalCode<ChangeVerdict> | 'schedule_unknown', string>,
});
