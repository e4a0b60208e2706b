export const scheduleStates = ['active', 'suspended', 'removed'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

/** What became of a time that has come: a run, a denial, or nothing since the run before is not over. */
export type StartOutcome = 'started' | 'denied' | 'still_open';

const moves = {
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  remove: { from: ['active', 'suspended'], to: 'removed' },
} as const satisfies Record<string, { from: readonly ScheduleState[]; to: ScheduleState }>;

export type ScheduleEvent = keyof typeof moves;

/** The state after an event; undefined where it cannot happen. */
export function nextScheduleState(state: ScheduleState, event: ScheduleEvent): ScheduleState | undefined {
  const { from, to } = moves[event];
  return (from as readonly ScheduleState[]).includes(state) ? to : undefined;
}
