import type { StepState, WorkflowRunState } from './run-states.ts';

/** The facts about a step that determine the progress of its run. */
export type StepFacts = {
  key: string;
  state: StepState;
  /** The keys of the steps that must have succeeded before this step begins. */
  needs: readonly string[];
  /** The time before which the step is not retried; null if the step may be retried at any time. */
  notBefore: Date | null;
};

export type RunProgress =
  | { state: Extract<WorkflowRunState, 'succeeded' | 'failed' | 'timed_out'> }
  | { state: Extract<WorkflowRunState, 'running' | 'waiting_approval'>; ready: string[] };

/**
 * Decides the state of a workflow run, and which of its steps may begin. The run fails if a step has failed or was
 * cancelled, and times out if its time limit is exceeded, even if other steps are open. The run waits for a person if
 * no other work is in progress.
 */
export function progressOf(
  steps: readonly StepFacts[],
  { now, deadline }: { now: Date; deadline: Date },
): RunProgress {
  if (steps.some(({ state }) => state === 'failed' || state === 'cancelled')) return { state: 'failed' };
  if (steps.every(({ state }) => state === 'succeeded')) return { state: 'succeeded' };
  if (now >= deadline) return { state: 'timed_out' };
  const done = new Set(steps.filter(({ state }) => state === 'succeeded').map(({ key }) => key));
  const open = steps.filter(
    ({ state, needs }) => state === 'pending' && needs.every((need) => done.has(need)),
  );
  const ready = open.filter(({ notBefore }) => notBefore === null || notBefore <= now).map(({ key }) => key);
  const isMoving = open.length > 0 || steps.some(({ state }) => state === 'running');
  return { state: isMoving ? 'running' : 'waiting_approval', ready };
}
