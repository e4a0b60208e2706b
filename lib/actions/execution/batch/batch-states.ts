/** The states of an order batch. Persons cause the states up to `released`; evidence causes the later states. */
export const batchStates = [
  'drafted',
  'controls_failed',
  'controls_passed',
  'approved',
  'cancelled',
  'released',
  'executing',
  'confirmed',
  'partially_settled',
  'settled',
  'exception',
  'closed',
] as const;
export type BatchState = (typeof batchStates)[number];

export const batchEvents = ['pass', 'fail', 'approve', 'release', 'cancel', 'progress'] as const;
export type BatchEvent = (typeof batchEvents)[number];

type Pair = readonly [BatchState, BatchState];

const beforeRelease = ['drafted', 'controls_failed', 'controls_passed', 'approved'] as const;
/** The states of a batch after its release, in the order in which evidence leads through them. */
const afterRelease = [
  'released',
  'executing',
  'confirmed',
  'partially_settled',
  'settled',
  'closed',
] as const;

/** All allowed transitions. Every other pair is refused. The migrations contain the same pairs. */
export const batchTransitions: Readonly<Record<BatchEvent, readonly Pair[]>> = {
  pass: beforeRelease.map((from) => [from, 'controls_passed']),
  fail: beforeRelease.map((from) => [from, 'controls_failed']),
  approve: [['controls_passed', 'approved']],
  release: [['approved', 'released']],
  cancel: beforeRelease.map((from) => [from, 'cancelled']),
  progress: [
    ...afterRelease.flatMap((from, at) => afterRelease.slice(at + 1).map((to): Pair => [from, to])),
    ...afterRelease.flatMap((state): Pair[] => [
      [state, 'exception'],
      ['exception', state],
    ]),
  ],
};

export function isAllowed(event: BatchEvent, from: BatchState, to: BatchState): boolean {
  return batchTransitions[event].some(([before, after]) => before === from && after === to);
}

/** Whether a batch was released for execution. */
export function isReleased(state: BatchState): boolean {
  return state !== 'cancelled' && !(beforeRelease as readonly BatchState[]).includes(state);
}
