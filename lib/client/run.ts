import type { OpenOf, RunPath, SealedOf } from './api.ts';
import { pause } from './pause.ts';
import { ApiProblem } from './problem.ts';
import type { Problem } from './schema.d.mts';

export type SealedOptions<Path extends RunPath> = {
  signal?: AbortSignal;
  /** Receives the run after each check that finds it unfinished. */
  onProgress?(run: OpenOf<Path>): void;
};

/** The handle of a submitted run. */
export type Run<Path extends RunPath> = {
  readonly uid: string;
  /**
   * Waits until the run has ended, and returns the sealed run. Throws the problem of a run that failed or was
   * cancelled.
   */
  sealed(options?: SealedOptions<Path>): Promise<SealedOf<Path>>;
};

/** The members that a run of any kind has. A signed evidence pack is a sealed run without a state. */
type AnyRun = { uid: string; state?: string; problem?: Problem | null };

/** Reads the run. The server delays its answer until the run ends, but at most for `waitS` seconds. */
export type ReadRun = (waitS: number, signal: AbortSignal | undefined) => Promise<AnyRun>;

/** The longest wait of one request, in seconds. */
const WAIT_S = 20;
/**
 * The longest wait of one request with a progress callback, in seconds. It is shorter, so that the callback is called
 * more often.
 */
const WATCHED_WAIT_S = 1;
/**
 * The pause between two checks, in milliseconds, if the server answers without waiting, for example during its
 * shutdown.
 */
const PAUSE_MS = 200;

/** Creates the handle of a run from the answer to its submission. The path determines the types of the run. */
export function createRun<Path extends RunPath>(submitted: AnyRun, read: ReadRun): Run<Path> {
  return {
    uid: submitted.uid,
    async sealed({ signal, onProgress } = {}) {
      let run = submitted;
      for (;;) {
        if (run.state === undefined || run.state === 'succeeded') return run as SealedOf<Path>;
        if (run.problem) throw new ApiProblem(run.problem);
        if (run.state === 'cancelled') throw cancelled(run.uid);
        onProgress?.(run as OpenOf<Path>);
        await pause(PAUSE_MS, signal);
        run = await read(onProgress ? WATCHED_WAIT_S : WAIT_S, signal);
      }
    },
  };
}

function cancelled(uid: string): ApiProblem {
  return new ApiProblem({ code: 'run_cancelled', status: 409, detail: `The run ${uid} was cancelled.` });
}
