import type { Control, InputOf, RunKind, Outcome, OutputOf, Part } from '#lib/core/run.ts';
import type { Em } from '#lib/database/base.ts';

/** What a run is about: its resolved input, and the revisions of the datasets that it may read. */
export type RunInput<J extends RunKind> = {
  uid: string;
  input: InputOf<J>;
  datasetRevisions: Readonly<Record<string, number>>;
};

/** Reads what a job needs, on the worker's main thread, inside a transaction of the run's tenant. */
export type Loader<J extends RunKind, Data> = (em: Em, run: RunInput<J>) => Promise<Data>;

/** Computes in a thread: pure, with what was loaded, and with all numbers of its parts where the run was divided. */
export type Computation<J extends RunKind, Data> = (
  input: InputOf<J>,
  data: Data,
  control: Control,
  drawn?: Float64Array,
) => Outcome<J>;

/** How a run is divided; nothing of one that a single worker computes. The same input is always divided alike. */
export type Divider<J extends RunKind> = (input: InputOf<J>) => Part[];

/** Computes one part of a run in a thread, or ends it as the whole would end. */
export type PartComputation<J extends RunKind, Data> = (
  input: InputOf<J>,
  data: Data,
  part: Part,
  control: Control,
) => { ok: true; matrix: Uint8Array } | Extract<Outcome<J>, { ok: false }>;

/** What a run has just sealed. */
export type Sealed<J extends RunKind> = {
  uid: string;
  input: InputOf<J>;
  output: OutputOf<J>;
  sealHash: string;
  now: Date;
};

/** Writes what else follows from a seal, in the transaction that seals. */
export type Recorder<J extends RunKind> = (em: Em, sealed: Sealed<J>) => Promise<void>;

/** The kinds of work that a worker runs, by the key of their job. */
export type Kinds = Readonly<
  Record<
    string,
    {
      job: RunKind;
      load: Loader<RunKind, unknown>;
      record?: Recorder<RunKind> | undefined;
      parts?: Divider<RunKind> | undefined;
    }
  >
>;
