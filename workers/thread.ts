import type { Control, InputOf, Job, Outcome } from '#lib/core/job.ts';
import type { JobKey } from '#lib/jobs.ts';
import { computations } from './computations.ts';
import type { Computation } from './runner.ts';

/** Slots of the memory that a thread shares with the worker's main thread. */
export const CANCELLED = 0;
export const PROGRESS = 1;
/** Progress crosses as an integer, in millionths. */
export const PROGRESS_SCALE = 1_000_000;

export type ThreadTask = { key: string; input: InputOf<Job>; data: unknown; shared: SharedArrayBuffer };

/** Entry of the numerics threads: runs one computation. Refusals come back as values; errors lose their class. */
export default async function runInThread(task: ThreadTask): Promise<Outcome<Job>> {
  const slots = new Int32Array(task.shared);
  const control: Control = {
    progress: (fraction) => Atomics.store(slots, PROGRESS, Math.floor(fraction * PROGRESS_SCALE)),
    cancelled: () => Atomics.load(slots, CANCELLED) === 1,
  };
  const { compute } = await computations[task.key as JobKey]();
  return (compute as Computation<Job, unknown>)(task.input, task.data, control);
}
