import type { Static, TObject, TSchema } from 'typebox';
import type { Prefix } from './prefix.ts';
import type { ProblemCode } from './problem.ts';
import type { Scope } from './scope.ts';

export type QueueName = 'numerics' | 'io';

/** What a run adds: at least `result`, whose hash is the run's `result_hash`. */
export type OutputSchema = TObject<{ result: TSchema }>;

/**
 * A kind of heavy work, as data. `defineRun` declares it with the function that resolves a request; the code that
 * computes it stands in `workers/<product>/<name>.ts`.
 */
export type RunKind<
  Request extends TObject = TObject,
  Input extends TObject = TObject,
  Output extends OutputSchema = OutputSchema,
  Attachments extends TObject = TObject,
  Code extends ProblemCode = ProblemCode,
> = {
  /** Stable for ever: queued records carry it. It leads to `workers/<product>/<name>.ts`. */
  readonly key: string;
  readonly prefix: Prefix;
  readonly queue: QueueName;
  /** The scope that an application needs to submit one. */
  readonly scope: Scope;
  /** Path of the resource that the run becomes, below `/api/v2`. */
  readonly resource: string;
  /** Path that it is submitted at, where that is not the resource's own: a run about another resource. */
  readonly submission?: string;
  /** The registered model that computes it. */
  readonly model: string;
  /** What is requested: the members of body, query and path of the operation, under one name each. */
  readonly request: Request;
  /** The resolved input: small, self-contained, no data. It is sealed. */
  readonly input: Input;
  /** Short scalars of the input that lists of runs show and filter by. Nothing else of the input is in a list. */
  readonly summary: readonly (keyof Static<Input> & string)[];
  /** The members that the run adds to the resource. All of them are sealed. */
  readonly output: Output;
  /** What is kept with the run and given on request; the seal covers its hashes. */
  readonly attachments: Attachments;
  /** The refusals that a request may end with. */
  readonly refusals: readonly ProblemCode[];
  /** The refusals that a run may end with. */
  readonly problems: readonly Code[];
  /** Wall-clock limit of one attempt, milliseconds. */
  readonly timeoutMs: number;
  /** The most attempts while something that it depends on is away: some 4 minutes for 20. Nothing else is tried again. */
  readonly attempts: number;
  /** A sealed run as the API answers it, for the docs. Without one an example is put together from the members. */
  readonly example?: Readonly<Record<string, unknown>>;
};

export type RequestOf<R extends RunKind> = Static<R['request']>;
export type InputOf<R extends RunKind> = Static<R['input']>;
export type OutputOf<R extends RunKind> = Static<R['output']>;
export type AttachmentsOf<R extends RunKind> = Static<R['attachments']>;
export type RefusalOf<R extends RunKind> = R['problems'][number];

/** The members of an input that lists of runs show. */
export function summaryOf(
  { summary }: Pick<RunKind, 'summary'>,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(summary.flatMap((name) => (name in input ? [[name, input[name]]] : [])));
}

/** The most bytes of a matrix that is kept with a run. */
export const MATRIX_BYTES_MAX = 16_777_216;

/**
 * What a computation ends with: the members it adds, or a refusal of one of the declared codes. A matrix is kept beside the
 * run as it is, at most `MATRIX_BYTES_MAX`; the seal covers it where the output tells its hash.
 */
export type Outcome<R extends RunKind> =
  | { ok: true; output: OutputOf<R>; attachments: AttachmentsOf<R>; matrix?: Uint8Array | undefined }
  | { ok: false; refusal: { code: RefusalOf<R>; detail: string; members?: Record<string, unknown> } };

/** Samples `first` to `first + count - 1` of a run that is divided among workers. */
export type Part = { first: number; count: number };

/** How a computation in a thread tells its progress and learns that it was cancelled. */
export type Control = { progress(fraction: number): void; cancelled(): boolean };
