import Type, { type TSchema } from 'typebox';
import type { RunKind } from '#lib/core/run.ts';
import {
  Closed,
  Instant,
  InstantOf,
  Nullable,
  ProblemSchema,
  RequestId,
  Sha256,
  Sha256Of,
  Uid,
} from '#lib/core/schema.ts';
import { SealSchema } from '#lib/core/seal.ts';
import { jobExample, runExamples } from './run.example.ts';
import { runStates } from './run.ts';

const State = Type.Enum([...runStates], {
  description: 'The state of the run. `succeeded`, `failed` and `cancelled` are final.',
});
const Progress = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'The share of the work that is done, from 0 to 1.',
  examples: [0.4],
});
const Attempts = Type.Integer({
  minimum: 0,
  description: 'The number of times that a worker started the run.',
  examples: [1],
});
const Model = Closed(
  {
    key: Type.String({
      pattern: '^[a-z0-9_]+$',
      description: 'The key of the model.',
      examples: ['svc_theme_factor_ridge_v1'],
    }),
    version: Type.String({ minLength: 1, description: 'The version of the model.', examples: ['1.0.0'] }),
  },
  { title: 'ModelVersion', description: 'The registered model that computes the run.' },
);
const InputHash = Sha256Of('SHA-256 of the RFC 8785 form of the input.');
const ResultHash = Sha256Of('SHA-256 of the RFC 8785 form of `result`.');
const MaybeProblem = Nullable(ProblemSchema, 'The problem that ended the run; null if no error occurred.');

const times = {
  created_at: InstantOf('When the run was submitted.'),
  started_at: Nullable(Instant, 'When a worker first started the run; null if it has not started.'),
  finished_at: Nullable(Instant, 'When the run ended; null if it has not ended.'),
};

/** Returns the members that every run has in JSON, wherever it is shown. */
function recordMembers(job: RunKind) {
  return {
    uid: Uid(job.prefix, 'The id of the run. The job of the run has the same id.'),
    kind: Type.Literal(job.key, { description: 'The kind of the run.' }),
    progress: Progress,
    attempts: Attempts,
    model: Model,
    input_hash: InputHash,
    request_id: RequestId('The id of the request that submitted the run.'),
    ...times,
  };
}

/** Returns the schema of the sealed resource of a run, with the requested attachments. */
export function SealedRun(job: RunKind) {
  const attachments = Object.entries(job.attachments.properties as Record<string, TSchema>);
  return Closed(
    {
      ...recordMembers(job),
      input: job.input,
      state: Type.Literal('succeeded', { description: 'The state of the run.' }),
      ...(job.output.properties as Record<string, TSchema>),
      attachment_hashes: Type.Record(Type.String(), Sha256, {
        description: 'SHA-256 of the RFC 8785 form of each attachment of the result.',
      }),
      result_hash: ResultHash,
      seal: SealSchema,
      ...Object.fromEntries(attachments.map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    { title: `Sealed${titleOf(job)}`, description: 'A sealed run.', ...runExamples(job).sealed },
  );
}

/** Returns the schema of a run that has not ended, or that ended without a result. */
export function OpenRun(job: RunKind) {
  return Closed(
    {
      ...recordMembers(job),
      input: job.input,
      state: Type.Enum(['queued', 'running', 'failed', 'cancelled'], {
        description: 'The state of the run.',
      }),
      problem: MaybeProblem,
    },
    { title: `Open${titleOf(job)}`, description: 'A run without a result.', ...runExamples(job).open },
  );
}

/** Returns the schema of a run as a caller reads it: sealed or open. */
export function RunResource(job: RunKind) {
  return Type.Union([SealedRun(job), OpenRun(job)], {
    title: titleOf(job),
    description: 'A run in any state.',
    ...runExamples(job).sealed,
  });
}

/**
 * Returns the schema of a run in a list: its record, and those members of the input that the kind of the run declares
 * for lists.
 */
export function RunSummary(job: RunKind) {
  const input = job.input.properties as Record<string, TSchema>;
  return Closed(
    {
      ...recordMembers(job),
      ...Object.fromEntries(job.summary.map((name) => [name, input[name]!])),
      state: State,
      result_hash: Nullable(
        ResultHash,
        'SHA-256 of the RFC 8785 form of the result; null if the run has no result.',
      ),
      problem: MaybeProblem,
    },
    {
      title: `${titleOf(job)}Summary`,
      description: 'A run without its input and result. To get these, read the run by its uid.',
      ...runExamples(job).summary,
    },
  );
}

/** Returns the title of the schema of a run. Example: `investment.theme-factors` becomes `ThemeFactorsRun`. */
function titleOf({ key }: RunKind): string {
  const words = key.split('.').at(-1)!.split('-');
  return `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}Run`;
}

/** Schema of a run of any kind, shown as a compute job. */
export const JobRecord = Closed(
  {
    uid: Type.String({
      pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'The id of the job. The run of the job has the same id.',
      examples: ['tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    kind: Type.String({
      pattern: '^[a-z-]+[.][a-z-]+$',
      description: 'The kind of the run.',
      examples: ['investment.theme-factors'],
    }),
    state: State,
    progress: Progress,
    attempts: Attempts,
    model: Model,
    input_hash: InputHash,
    result: Nullable(
      Closed({
        href: Type.String({ pattern: '^/api/', description: 'The path of the sealed resource.' }),
        hash: ResultHash,
      }),
      'The result; null if there is none.',
    ),
    problem: MaybeProblem,
    request_id: RequestId('The id of the request that submitted the run.'),
    ...times,
    waited_ms: Nullable(
      Type.Integer({ minimum: 0 }),
      'Milliseconds from submission to the first start; null if the run has not started.',
    ),
    ran_ms: Nullable(
      Type.Integer({ minimum: 0 }),
      'Milliseconds from the first start to the end; null if the run has not ended.',
    ),
  },
  { title: 'Job', description: 'A compute job: the record of a run of any kind.', examples: [jobExample] },
);
