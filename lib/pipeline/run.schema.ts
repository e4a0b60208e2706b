import Type, { type TSchema } from 'typebox';
import type { Job } from '#lib/core/job.ts';
import { Closed, Instant, Nullable, ProblemSchema, Sha256, Uid } from '#lib/core/schema.ts';
import { SealSchema } from '#lib/core/seal.ts';
import { runStates } from './run.ts';

const State = Type.Enum([...runStates], { description: 'Where the run is. The last three are final.' });
const Progress = Type.Number({ minimum: 0, maximum: 1, description: 'Share of the work done.' });
const Attempts = Type.Integer({ minimum: 0, description: 'How often a worker has started it.' });
const Model = Closed(
  { key: Type.String(), version: Type.String() },
  { description: 'The registered model that computes the run.' },
);

/** The members that a run of any kind shows on the wire. */
function recordMembers(job: Job) {
  return {
    uid: Uid(job.prefix, 'The run, which is also the job.'),
    kind: Type.Literal(job.key),
    progress: Progress,
    attempts: Attempts,
    model: Model,
    input: job.input,
    input_hash: Sha256,
    request_id: Type.String({ description: 'The request that submitted it.' }),
    created_at: Instant,
    started_at: Nullable(Instant),
    finished_at: Nullable(Instant),
  };
}

/** The finished, sealed resource. Attachments are there when they were asked for. */
export function SealedRun(job: Job) {
  const attachments = Object.entries(job.attachments.properties as Record<string, TSchema>);
  return Closed(
    {
      ...recordMembers(job),
      state: Type.Literal('succeeded'),
      ...(job.output.properties as Record<string, TSchema>),
      attachment_hashes: Type.Record(Type.String(), Sha256, {
        description: 'SHA-256 of the RFC 8785 form of what is kept beside the result.',
      }),
      result_hash: Sha256,
      seal: SealSchema,
      ...Object.fromEntries(attachments.map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    { description: 'A sealed run.' },
  );
}

/** A run that has not ended, or that ended without a result. */
export function OpenRun(job: Job) {
  return Closed(
    {
      ...recordMembers(job),
      state: Type.Enum(['queued', 'running', 'failed', 'cancelled'], { description: 'Where the run is.' }),
      problem: Nullable(ProblemSchema),
    },
    { description: 'A run without a result.' },
  );
}

/** Either of the two, as a reader gets it. */
export function RunResource(job: Job) {
  return Type.Union([SealedRun(job), OpenRun(job)]);
}

/** A run in a list: everything but the result. */
export function RunSummary(job: Job) {
  return Closed({
    ...recordMembers(job),
    state: State,
    result_hash: Nullable(Sha256),
    problem: Nullable(ProblemSchema),
  });
}

/** A run of any kind, as a compute job. */
export const JobRecord = Closed({
  uid: Type.String({
    description: 'The job, which is also the run.',
    examples: ['tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
  }),
  kind: Type.String({ description: 'The kind of work.', examples: ['investment.theme-factors'] }),
  state: State,
  progress: Progress,
  attempts: Attempts,
  model: Model,
  input_hash: Sha256,
  result: Nullable(
    Closed({
      href: Type.String({ description: 'Where the sealed resource is read.' }),
      hash: Sha256,
    }),
  ),
  problem: Nullable(ProblemSchema),
  request_id: Type.String({ description: 'The request that submitted it.' }),
  created_at: Instant,
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  waited_ms: Nullable(Type.Integer({ minimum: 0, description: 'From submission to the first start.' })),
  ran_ms: Nullable(Type.Integer({ minimum: 0, description: 'From the first start to the end.' })),
});
