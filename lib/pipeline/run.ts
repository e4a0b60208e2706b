export const runStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunState = (typeof runStates)[number];

export type RunEvent = 'start' | 'succeed' | 'fail' | 'cancel';

/**
 * The verdict on an event of a run. `unchanged` means that the event has already had its effect, so a second delivery
 * changes nothing.
 */
export type RunVerdict = { ok: true; next: RunState } | { ok: true; next: 'unchanged' } | { ok: false };

const moves: Record<RunState, Partial<Record<RunEvent, RunState | 'unchanged'>>> = {
  queued: { start: 'running', cancel: 'cancelled', fail: 'failed' },
  running: { start: 'running', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  succeeded: { succeed: 'unchanged' },
  failed: { fail: 'unchanged' },
  cancelled: { cancel: 'unchanged' },
};

/**
 * Decides whether an event is allowed in a state, and returns the next state. A running run may start again, because a
 * worker can die. A run in a terminal state never changes.
 */
export function decideRun(state: RunState, event: RunEvent): RunVerdict {
  const next = moves[state][event];
  return next === undefined ? { ok: false } : { ok: true, next };
}

/** Returns the states in which an event has an effect, and the state that results. */
export function movesOf(event: RunEvent): { from: RunState[]; to: RunState } {
  const steps = runStates.flatMap((state) => {
    const verdict = decideRun(state, event);
    return verdict.ok && verdict.next !== 'unchanged' ? [{ state, next: verdict.next }] : [];
  });
  return { from: steps.map(({ state }) => state), to: steps[0]!.next };
}

export function isTerminal(state: RunState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled';
}
