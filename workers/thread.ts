import type { Control, InputOf, RunKind, Outcome, Part } from '#lib/core/run.ts';
import type { RunKey } from '#lib/runs.ts';
import { computations } from './computations.ts';
import type { Computation, PartComputation } from './runner.ts';

/** Slots of the memory that a thread shares with the worker's main thread. */
export const CANCELLED = 0;
export const PROGRESS = 1;
/** Progress crosses as an integer, in millionths. */
export const PROGRESS_SCALE = 1_000_000;

/** Of a run that is divided: the part that is wanted, or all numbers of its parts, which are to be put together. */
export type DividedTask = { part?: Part | undefined; drawn?: Float64Array<ArrayBuffer> | undefined };

export type ThreadTask = DividedTask & {
  key: string;
  input: InputOf<RunKind>;
  data: unknown;
  shared: SharedArrayBuffer;
};

/** Entry of the numerics threads: runs one computation. Refusals come back as values; errors lose their class. */
export default async function runInThread(task: ThreadTask): Promise<Outcome<RunKind>> {
  const slots = new Int32Array(task.shared);
  const control: Control = {
    progress: (fraction) => Atomics.store(slots, PROGRESS, Math.floor(fraction * PROGRESS_SCALE)),
    cancelled: () => Atomics.load(slots, CANCELLED) === 1,
  };
  const { compute, computePart } = await computations[task.key as RunKey]();
  if (!task.part)
    return (compute as Computation<RunKind, unknown>)(task.input, task.data, control, task.drawn);
  const found = (computePart as PartComputation<RunKind, unknown>)(task.input, task.data, task.part, control);
  // A part has no result of its own.
  return found.ok ? { ...found, output: { result: null }, attachments: {} } : found;
}
