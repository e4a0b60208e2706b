import type { Control, Divide, InputOf, Part, RunKind } from '#lib/core/run.ts';
import { formOutcome, type FormedOutcome } from './formed-outcome.ts';
import type { Computation, Divided, PartOutcome } from './runner.ts';

/** Slots of integers in the memory that a thread shares with the worker's main thread. */
export const CANCELLED = 0;
export const PROGRESS = 1;
/** The processor time of the thread for its task: whole seconds, and the remaining microseconds. */
export const CPU_S = 2;
export const CPU_US = 3;
/** Progress is passed as an integer, in millionths. */
export const PROGRESS_SCALE = 1_000_000;

export type ThreadTask = {
  /** The URL of the file with the computation, as a registered runner states it. */
  compute: string;
  input: InputOf<RunKind>;
  data: unknown;
  /** The uid of a divided run, whose tasks in a thread share the objects of the input and the data. */
  run?: string | undefined;
  divided?: Divided | undefined;
  /** Given if the thread divides a round instead of computing. `before`: the numbers of the earlier rounds. */
  round?: { round: number; before: Float64Array } | undefined;
  shared: SharedArrayBuffer;
};

/** How the thread of a computation ends: with the outcome of a run, or the numbers of one part of a run. */
export type ThreadOutcome = FormedOutcome | PartOutcome;
/** How the thread of a division ends: with the parts of the round, or null if the run has no such round. */
export type RoundParts = { parts: Part[] | null };

/**
 * Entry of the numeric threads: runs one computation, or divides one round of a run. Refusals are returned as
 * values, because thrown errors lose their class when they leave the thread.
 */
export default async function runInThread(task: ThreadTask): Promise<ThreadOutcome | RoundParts> {
  const slots = new Int32Array(task.shared);
  const noteCpu = cpuNotes(slots);
  try {
    if (task.round) {
      const divide = await loadDivision(task.compute);
      return { parts: divide(task.input, task.round.round, task.round.before) };
    }
    const compute = await loadComputation(task.compute);
    const { input, data } = sharedOf(task);
    const outcome = compute(input, data, controlOf(slots, noteCpu), task.divided);
    return 'part' in outcome ? outcome : formOutcome(outcome);
  } finally {
    noteCpu();
  }
}

/** Whenever the progress grows by this share, the processor time is noted, in case the thread is terminated. */
const CPU_NOTED_EVERY = PROGRESS_SCALE / 200;

function controlOf(slots: Int32Array, noteCpu: () => void): Control {
  let notedAt = 0;
  return {
    progress(fraction) {
      const progress = Math.floor(fraction * PROGRESS_SCALE);
      Atomics.store(slots, PROGRESS, progress);
      if (progress - notedAt < CPU_NOTED_EVERY) return;
      notedAt = progress;
      noteCpu();
    },
    cancelled: () => Atomics.load(slots, CANCELLED) === 1,
  };
}

/** Returns a function that notes the processor time of this thread since now. */
function cpuNotes(slots: Int32Array): () => void {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    Atomics.store(slots, CPU_S, Math.floor((user + system) / 1_000_000));
    Atomics.store(slots, CPU_US, Math.round(user + system) % 1_000_000);
  };
}

type Shared = Pick<ThreadTask, 'input' | 'data'>;

/** The divided run of the last task of this thread. A collection of garbage may remove its objects. */
let last: { run: string; shared: WeakRef<Shared> } | undefined;

/**
 * Returns the input and the data of a task, which are the objects of the last task if both belong to the same divided
 * run. A computation can therefore prepare them once for all parts that a thread computes.
 */
function sharedOf({ run, input, data }: ThreadTask): Shared {
  const known = run !== undefined && last?.run === run ? last.shared.deref() : undefined;
  if (known) return known;
  const shared = { input, data };
  last = run === undefined ? undefined : { run, shared: new WeakRef(shared) };
  return shared;
}

/** Loads the computation from the file of a registered runner. */
export async function loadComputation(url: string): Promise<Computation<RunKind, unknown>> {
  const { compute } = (await import(url)) as { compute: Computation<RunKind, unknown> };
  return compute;
}

async function loadDivision(url: string): Promise<Divide<InputOf<RunKind>>> {
  const { divide } = (await import(url)) as { divide?: Divide<InputOf<RunKind>> };
  if (!divide) throw new Error(`${url} exports no function that divides later rounds`);
  return divide;
}
