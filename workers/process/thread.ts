import type { Control, InputOf, Outcome, RunKind } from '#lib/core/run.ts';
import type { Computation, Divided, PartOutcome } from './runner.ts';

/** Slots in the memory that a thread shares with the worker's main thread. */
export const CANCELLED = 0;
export const PROGRESS = 1;
/** Progress is passed as an integer, in millionths. */
export const PROGRESS_SCALE = 1_000_000;

export type ThreadTask = {
  /** The URL of the file with the computation, as a registered runner states it. */
  compute: string;
  input: InputOf<RunKind>;
  data: unknown;
  divided?: Divided | undefined;
  shared: SharedArrayBuffer;
};

/** How a thread ends: with the outcome of a run, or the numbers of one part of a run. */
export type ThreadOutcome = Outcome<RunKind> | PartOutcome;

/**
 * Entry of the numeric threads: runs one computation. Refusals are returned as values, because thrown errors
 * lose their class when they leave the thread.
 */
export default async function runInThread(task: ThreadTask): Promise<ThreadOutcome> {
  const slots = new Int32Array(task.shared);
  const control: Control = {
    progress: (fraction) => Atomics.store(slots, PROGRESS, Math.floor(fraction * PROGRESS_SCALE)),
    cancelled: () => Atomics.load(slots, CANCELLED) === 1,
  };
  const compute = await loadComputation(task.compute);
  return compute(task.input, task.data, control, task.divided);
}

/** Loads the computation from the file of a registered runner. */
export async function loadComputation(url: string): Promise<Computation<RunKind, unknown>> {
  const { compute } = (await import(url)) as { compute: Computation<RunKind, unknown> };
  return compute;
}
