import { Piscina } from 'piscina';
import { Problem } from '#lib/core/problem.ts';
import { FairTurns } from '#lib/limits/fair-turns.ts';

/** The maximum number of computations that wait for the thread, over all workspaces. */
const WAITING_MAX = 16;
/** The maximum number of computations of one workspace that wait for the thread. */
const SHARE_MAX = WAITING_MAX / 4;
/** The time limit of a computation in milliseconds, including its time in the queue. */
const DEADLINE_MS = 20_000;
/** The maximum heap of the thread in MiB. If a computation needs more, only this computation fails. */
const MEMORY_MB = 1_024;
const RETRY_AFTER_S = '2';

const turns = new FairTurns({ waitingMax: WAITING_MAX, shareMax: SHARE_MAX });
let pool: Piscina | undefined;

/** The workspace that a computation belongs to, and the signal that ends it early. */
export type ComputingCall = { workspace: string; signal?: AbortSignal };

/**
 * Runs the default export of a file in a thread, so that a long computation does not delay other requests. The export
 * must be a pure function of one argument, which is copied to the thread. The workspaces take turns. Refuses with 429 if
 * too many computations of the workspace or of all workspaces wait, and with 422 if a computation exceeds its time limit.
 */
export async function computeInThread<Input, Output>(
  file: URL,
  input: Input,
  { workspace, signal }: ComputingCall,
): Promise<Output> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const turn = turns.take(workspace, ended);
  if ('bound' in turn) throw tooMany(turn);
  let endTurn: (() => void) | undefined;
  try {
    endTurn = await turn.begun;
    pool ??= openPool();
    return (await pool.run(input, { filename: file.href, signal: ended })) as Output;
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new Problem('too_large', `The computation did not end within ${DEADLINE_MS / 1_000} s.`);
  } finally {
    endTurn?.();
  }
}

function tooMany({ bound, of }: { bound: number; of: 'caller' | 'all' }): Problem {
  const [whose, name] =
    of === 'caller' ? ['of the workspace', 'workspace'] : ['of all workspaces', 'process'];
  return new Problem(
    'too_many_waiting',
    `${bound} computations ${whose} are already waiting, which is the maximum. Try again later.`,
    {
      headers: { 'Retry-After': RETRY_AFTER_S },
      members: { bound: `computations_of_${name}`, limit: bound },
    },
  );
}

function openPool(): Piscina {
  const opened = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // A thread that fails outside a computation emits this event. Without a listener, the event would end the
  // whole process.
  opened.on('error', () => undefined);
  return opened;
}

/** Ends the thread and cancels its computations. */
export async function closeComputing(): Promise<void> {
  await pool?.destroy();
  pool = undefined;
}
