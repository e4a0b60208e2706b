import type { Control, InputOf, Outcome, OutputOf, Part, RunKind } from '#lib/core/run.ts';
import type { Em } from '#lib/database/base.ts';

/** The input of a run's computation: its resolved input, and the dataset revisions that it may read. */
export type RunInput<R extends RunKind> = {
  uid: string;
  input: InputOf<R>;
  datasetRevisions: Readonly<Record<string, number>>;
};

/** A run that was just sealed. */
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
  /** Reads the data of the computation, on the worker's main thread, in a transaction of the run's tenant. */
  load(em: Em, run: RunInput<R>): Promise<Data>;
  /** Writes further effects of the run, in the transaction that seals the run. */
  record?(em: Em, sealed: Sealed<R>): Promise<void>;
  /**
   * Divides a run among workers, or returns no parts for a run that a single worker computes. The same input
   * is always divided in the same way.
   */
  divide?(input: InputOf<R>): Part[];
  /** The file that exports `compute`. A thread loads the file on first use. */
  readonly compute: URL;
};

/** Binds a run to the code that executes it. Input and result have the types of the declaration. */
export function runner<R extends RunKind, Data>(
  run: R,
  parts: Omit<Runner<R, Data>, 'run'>,
): Runner<R, Data> {
  return { run, ...parts };
}

/** The fourth argument for a divided run: the part to compute, or the numbers of all parts to combine. */
export type Divided =
  | { part: Part; drawn?: undefined }
  | { part?: undefined; drawn: Float64Array<ArrayBuffer> };

/** The numbers of one part of a run, which are stored until all parts of the run are computed. */
export type PartOutcome = { ok: true; part: Uint8Array };

/**
 * A pure computation in a thread, from the input and the loaded data. Only a divided run gets a fourth
 * argument.
 */
export type Computation<R extends RunKind, Data> = (
  input: InputOf<R>,
  data: Data,
  control: Control,
  divided?: Divided,
) => Outcome<R> | PartOutcome;

/** The computation that belongs to a runner. It receives the data that the runner loads. */
export type ComputationOf<Of extends Runner> = Computation<Of['run'], Awaited<ReturnType<Of['load']>>>;

/** The kinds of work that a worker runs, by the key of their run. */
export type Runners = Readonly<Record<string, Runner>>;
