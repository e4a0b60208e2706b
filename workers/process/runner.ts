import type { Control, InputOf, Outcome, OutputOf, Part, RunKind } from '#lib/core/run.ts';
import type { Em } from '#lib/database/base.ts';

/** What a run is about: its resolved input, and the revisions of the datasets that it may read. */
export type RunInput<R extends RunKind> = {
  uid: string;
  input: InputOf<R>;
  datasetRevisions: Readonly<Record<string, number>>;
};

/** What a run has just sealed. */
export type Sealed<R extends RunKind> = {
  uid: string;
  input: InputOf<R>;
  output: OutputOf<R>;
  sealHash: string;
  now: Date;
};

/** How a worker runs one kind of work. */
export type Runner<R extends RunKind = RunKind, Data = unknown> = {
  readonly run: R;
  /** Reads what the computation needs, on the worker's main thread, inside a transaction of the run's tenant. */
  load(em: Em, run: RunInput<R>): Promise<Data>;
  /** Writes what else follows from a seal, in the transaction that seals. */
  record?(em: Em, sealed: Sealed<R>): Promise<void>;
  /** How a run is divided among workers; nothing of one that a single worker computes. The same input is always divided alike. */
  divide?(input: InputOf<R>): Part[];
  /** The file that exports `compute`. A thread loads it on first use. */
  readonly compute: URL;
};

/** Ties a run to the code that runs it; the types of its parts are those of the declaration. */
export function runner<R extends RunKind, Data>(
  run: R,
  parts: Omit<Runner<R, Data>, 'run'>,
): Runner<R, Data> {
  return { run, ...parts };
}

/** Of a run that is divided: the part that is wanted, or the numbers of all parts, which are to be put together. */
export type Divided =
  | { part: Part; drawn?: undefined }
  | { part?: undefined; drawn: Float64Array<ArrayBuffer> };

/** The numbers of one part of a run, which are kept until all parts are there. */
export type PartOutcome = { ok: true; part: Uint8Array };

/** Computes in a thread: pure, with what was loaded. Only of a run that is divided there is a fourth argument. */
export type Computation<R extends RunKind, Data> = (
  input: InputOf<R>,
  data: Data,
  control: Control,
  divided?: Divided,
) => Outcome<R> | PartOutcome;

/** The computation of a runner: it is given what the runner loads. */
export type ComputationOf<Of extends Runner> = Computation<Of['run'], Awaited<ReturnType<Of['load']>>>;

/** The kinds of work that a worker runs, by the key of their run. */
export type Runners = Readonly<Record<string, Runner>>;
