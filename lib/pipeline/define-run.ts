import type { Static, TObject } from 'typebox';
import type { ProblemCode } from '#lib/core/problem.ts';
import type { OutputSchema, RunKind } from '#lib/core/run.ts';
import type { Em } from '#lib/database/base.ts';

/** The resolution of a request: the input to seal, and the data that the run may read. */
export type Resolved<Input> = {
  input: Input;
  /** The revisions of the datasets that the run may read, by dataset id. Omitted if the run reads no dataset. */
  datasetRevisions?: Record<string, number>;
};

/**
 * The time of a submission, the application that submits, and the scopes of its credential. Without scopes, the scopes
 * of the application apply.
 */
export type SubmittedBy = {
  now: Date;
  application?: string | undefined;
  scopes?: readonly string[] | undefined;
};

/** A kind of heavy work, with the function that resolves its requests. All adapters use this declaration. */
export type Run<
  Request extends TObject = TObject,
  Input extends TObject = TObject,
  Output extends OutputSchema = OutputSchema,
  Attachments extends TObject = TObject,
  Code extends ProblemCode = ProblemCode,
> = RunKind<Request, Input, Output, Attachments, Code> & {
  /** How the run uses the data that it reads. The data entitlements must permit this use. Default: `derive`. */
  dataAction?: 'derive' | 'train';
  /**
   * Returns the resolution of a request: every default is filled in, and the data that the run may read is fixed.
   * Called in the transaction that writes the record. Throws a `Problem` with one of the declared refusals, or
   * `validation_failed` with the faults.
   */
  resolve(em: Em, request: Static<Request>, at: SubmittedBy): Promise<Resolved<Static<Input>>>;
};

/** Declares a run. TypeScript infers the types of its members from one another. */
export function defineRun<
  const Key extends string,
  Request extends TObject,
  Input extends TObject,
  Output extends OutputSchema,
  Attachments extends TObject,
  const Code extends ProblemCode,
>(run: Run<Request, Input, Output, Attachments, Code> & { readonly key: Key }) {
  return run;
}
