export const runStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunState = (typeof runStates)[number];

export type RunEvent = 'start' | 'succeed' | 'fail' | 'cancel';

/** The verdict on an event. `unchanged` means that the event has no effect left, so a second delivery is harmless. */
export type RunVerdict = { ok: true; next: RunState } | { ok: true; next: 'unchanged' } | { ok: false };

const moves: Record<RunState, Partial<Record<RunEvent, RunState | 'unchanged'>>> = {
  queued: { start: 'running', cancel: 'cancelled', fail: 'failed' },
  running: { start: 'running', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  succeeded: { succeed: 'unchanged' },
  failed: { fail: 'unchanged' },
  cancelled: { cancel: 'unchanged' },
};

/**
 * Decides whether an event is allowed in a state, and the next state. A running run may start again, because
 * a worker can die. Nothing leaves a terminal state.
 */
export function decideRun(state: RunState, event: RunEvent): RunVerdict {
  const next = moves[state][event];
  return next === undefined ? { ok: false } : { ok: true, next };
}

/** The states in which an event has an effect, and its resulting state. */
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
