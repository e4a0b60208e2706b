export const workflowRunStates = [
  'queued',
  'running',
  'waiting_approval',
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
] as const;
export type WorkflowRunState = (typeof workflowRunStates)[number];

export const stepStates = [
  'pending',
  'running',
  'waiting_approval',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type StepState = (typeof stepStates)[number];

export function isOver(state: WorkflowRunState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled' || state === 'timed_out';
}

export function isStepOver(state: StepState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled';
}
