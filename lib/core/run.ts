import type { Static, TObject, TSchema } from 'typebox';
import type { Prefix } from './prefix.ts';
import type { ProblemCode } from './problem.ts';
import type { Scope } from './scope.ts';

export type QueueName = 'numerics' | 'io';

/** The members that a run adds to its resource: at least `result`, whose hash is the `result_hash` of the run. */
export type OutputSchema = TObject<{ result: TSchema }>;

/**
 * The declaration of a kind of run. `defineRun` declares it together with the function that resolves a
 * request. The code of the computation is in `workers/<product>/<name>.ts`.
 */
export type RunKind<
  Request extends TObject = TObject,
  Input extends TObject = TObject,
  Output extends OutputSchema = OutputSchema,
  Attachments extends TObject = TObject,
  Code extends ProblemCode = ProblemCode,
> = {
  /**
   * The key of the kind of run. It never changes, because queued records contain it. The key names the module
   * `workers/<product>/<name>.ts`.
   */
  readonly key: string;
  readonly prefix: Prefix;
  readonly queue: QueueName;
  /** The scope that an application needs to submit the run. */
  readonly scope: Scope;
  /** The path of the run's resource, below `/api/v2`. */
  readonly resource: string;
  /** The path of the submission. It is given only if it differs from the path of the run's resource. */
  readonly submission?: string;
  /** Whether the scheduler alone submits the run. It then has no submitting operation. Default: false. */
  readonly isScheduled?: true;
  /** The registered model that computes the run. */
  readonly model: string;
  /** The requested members of body, query and path of the operation, each with a unique name. */
  readonly request: Request;
  /** The resolved input: small, self-contained, without data. The seal covers it. */
  readonly input: Input;
  /**
   * The members of the input that lists of runs show, and by which these lists can be filtered. Their values are short
   * scalars. Lists contain no other part of the input.
   */
  readonly summary: readonly (keyof Static<Input> & string)[];
  /** The members that the run adds to its resource. All of them are sealed. */
  readonly output: Output;
  /** Those figures of the sealed members that are shown in lists of sealed runs, at most `HEADLINES_MAX`. */
  readonly headline?: readonly Headline[];
  /**
   * Content that is stored with the run and returned on request. The seal covers the hashes of this content.
   */
  readonly attachments: Attachments;
  /** The codes with which a request can be refused before its run is created. */
  readonly refusals: readonly ProblemCode[];
  /** The codes of the problems with which a run may end. */
  readonly problems: readonly Code[];
  /** Time limit of one attempt, in milliseconds of wall-clock time. */
  readonly timeoutMs: number;
  /**
   * The largest number of attempts while a dependency is unavailable. 20 attempts last about 4 minutes. No other
   * failure is retried.
   */
  readonly attempts: number;
  /**
   * An example of a sealed run, as the API returns it, for the docs. By default, an example is built from the members.
   */
  readonly example?: Readonly<Record<string, unknown>>;
};

export type RequestOf<R extends RunKind> = Static<R['request']>;
export type InputOf<R extends RunKind> = Static<R['input']>;
export type OutputOf<R extends RunKind> = Static<R['output']>;
export type AttachmentsOf<R extends RunKind> = Static<R['attachments']>;
export type RefusalOf<R extends RunKind> = R['problems'][number];

/** The largest number of a run's figures that are shown in lists. */
export const HEADLINES_MAX = 3;

/**
 * A figure that is shown in lists of runs. `pointer` is a JSON pointer (RFC 6901) from the sealed members to a number
 * or text.
 */
export type Headline = { readonly name: string; readonly unit: string; readonly pointer: string };

/** The members of an input that lists of runs show. */
export function summaryOf(
  { summary }: Pick<RunKind, 'summary'>,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(summary.flatMap((name) => (name in input ? [[name, input[name]]] : [])));
}

/** The largest matrix that is stored with a run, in bytes. */
export const MATRIX_BYTES_MAX = 16_777_216;

/**
 * The outcome of a computation: the members that it adds to the resource, or a refusal with one of the declared codes.
 * A matrix of at most `MATRIX_BYTES_MAX` bytes is stored with the run unchanged. `parts` stores the numbers of all
 * parts of a divided run, in order, as the matrix. The seal covers the matrix if the output contains its hash.
 */
export type Outcome<R extends RunKind> =
  | {
      ok: true;
      output: OutputOf<R>;
      attachments: AttachmentsOf<R>;
      matrix?: Uint8Array | 'parts' | undefined;
    }
  | { ok: false; refusal: { code: RefusalOf<R>; detail: string; members?: Record<string, unknown> } };

/**
 * Samples `first` to `first + count - 1` of a run that is divided among workers. The samples are numbered across the
 * rounds of the run: the first sample of a round follows the last sample of the previous round.
 */
export type Part = { round: number; first: number; count: number };

/**
 * Returns the parts of a round in order, or null if the run has no such round. `before` contains the numbers of all
 * earlier rounds, sample by sample; it must not be changed. All samples of one round contain equally many numbers.
 * The function is pure: the rounds of an input are always the same. The parts of a round may differ between releases,
 * because no number depends on how a round is divided. Rounds are numbered from 0.
 */
export type Divide<Input> = (input: Input, round: number, before: Float64Array) => Part[] | null;

/** The rounds of a kind of run whose parts depend on the numbers of earlier parts. */
export type Rounds<Input> = {
  /** The largest number of rounds. No further round is requested after it. */
  most: number;
  /** The expected number of samples in all rounds. The progress of the run is a share of it. */
  samples(input: Input): number;
};

/** The interface by which a computation in a thread reports progress and detects its cancellation. */
export type Control = { progress(fraction: number): void; cancelled(): boolean };
