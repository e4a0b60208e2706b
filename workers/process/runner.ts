import type {
  AttachmentsOf,
  Control,
  Divide,
  InputOf,
  Outcome,
  OutputOf,
  Part,
  Rounds,
  RunKind,
} from '#lib/core/run.ts';
import type { Em } from '#lib/database/base.ts';

/** The input of a run's computation: its model, its resolved input, and the dataset revisions that it may read. */
export type RunInput<R extends RunKind> = {
  uid: string;
  modelKey: string;
  input: InputOf<R>;
  datasetRevisions: Readonly<Record<string, number>>;
};

/** A run that was just sealed. */
export type Sealed<R extends RunKind> = {
  uid: string;
  input: InputOf<R>;
  output: OutputOf<R>;
  /** Reads the attachments from their stored form. */
  attachments(): AttachmentsOf<R>;
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
   * Returns the parts of a round of a run, as `Divide` describes. The worker's main thread divides round 0, from the
   * input alone, so the division must take well below 50 ms. A thread divides the later rounds of a run, with the
   * function `divide` that the file of `compute` exports, which is this function.
   */
  divide?(...of: Parameters<Divide<InputOf<R>>>): ReturnType<Divide<InputOf<R>>>;
  /** The rounds of a run. Left out if a run has one round. */
  readonly rounds?: Rounds<InputOf<R>>;
  /**
   * Whether a run is large enough to be divided. Default: a run is divided if `divide` returns parts for round
   * 0. A run that is not divided is computed by one worker.
   */
  isDivided?(input: InputOf<R>): boolean;
  /**
   * Whether the code of this release computed a sealed input. A replay that differs distinguishes a changed engine from a
   * changed result. Left out if every release computes the same result, because the model of the run has a version.
   */
  hasSameEngine?(input: InputOf<R>): boolean;
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

/**
 * The fourth argument for a divided run: either the part to compute and the numbers of all earlier rounds, or the
 * numbers of all parts, which the computation combines. Threads share the memory of these numbers, so a computation
 * must not change them. The same applies to the loaded data.
 */
export type Divided =
  | { part: Part; before: Float64Array; drawn?: undefined }
  | { part?: undefined; before?: undefined; drawn: Float64Array };

/** The numbers of one part of a run, as bytes, which are stored until the run ends. */
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

/** Loads the code of a kind of work, which is the default export of its file. */
export type LoadRunner<R extends RunKind = RunKind> = () => Promise<{ default: Runner<R> }>;

/** The kinds of work that a worker runs, by the key of their run. */
export type Runners = Readonly<Record<string, LoadRunner>>;
