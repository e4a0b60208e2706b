export const scheduleStates = ['active', 'suspended', 'removed'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

/** The outcome of a start time: a run, a denial, or no start because the previous run has not ended. */
export type StartOutcome = 'started' | 'denied' | 'still_open';

const moves = {
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  remove: { from: ['active', 'suspended'], to: 'removed' },
} as const satisfies Record<string, { from: readonly ScheduleState[]; to: ScheduleState }>;

export type ScheduleEvent = keyof typeof moves;

/** Returns the state of a schedule after an event; undefined if the event is not allowed. */
export function nextScheduleState(state: ScheduleState, event: ScheduleEvent): ScheduleState | undefined {
  const { from, to } = moves[event];
  return (from as readonly ScheduleState[]).includes(state) ? to : undefined;
}
