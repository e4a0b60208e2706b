import type { OpenOf, RunPath, SealedOf } from './api.ts';
import { pause } from './pause.ts';
import { ApiProblem } from './problem.ts';
import type { Problem } from './schema.d.mts';

export type SealedOptions<Path extends RunPath> = {
  signal?: AbortSignal;
  /** Called with the run as it is whenever it was looked at and had not ended. */
  onProgress?(run: OpenOf<Path>): void;
};

/** A run that was submitted. */
export type Run<Path extends RunPath> = {
  readonly uid: string;
  /** Waits for the end. Throws the problem of a run that was refused or cancelled. */
  sealed(options?: SealedOptions<Path>): Promise<SealedOf<Path>>;
};

/** What a run of any kind shows. */
type AnyRun = { uid: string; state: string; problem?: Problem | null };

/** Reads the run, and waits on the server for its end, this many seconds. */
export type ReadRun = (waitS: number, signal: AbortSignal | undefined) => Promise<AnyRun>;

/** The longest wait of one request. */
const WAIT_S = 20;
/** With somebody to tell, the run is looked at more often. */
const WATCHED_WAIT_S = 1;
/** Between two looks, where the server does not make one wait: it does not while it shuts down. */
const PAUSE_MS = 200;

/** The handle of a run, from what the submission answered. The path says what the documents of its runs are like. */
export function createRun<Path extends RunPath>(submitted: AnyRun, read: ReadRun): Run<Path> {
  return {
    uid: submitted.uid,
    async sealed({ signal, onProgress } = {}) {
      let run = submitted;
      for (;;) {
        if (run.state === 'succeeded') return run as SealedOf<Path>;
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
