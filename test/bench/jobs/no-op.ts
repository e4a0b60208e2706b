import Type from 'typebox';
import { defineOperation } from '#api/services.ts';
import { defineRun } from '#lib/core/run.ts';
import { Closed } from '#lib/core/schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import type { Kinds } from '#workers/runner.ts';

/** A job that computes nothing: what is left is the way of a run through Assay. It is in no catalog of the product. */
export const noOpJob = defineRun({
  key: 'bench.no-op',
  prefix: 'tfr',
  queue: 'numerics',
  resource: '/bench/no-op',
  model: 'svc_theme_factor_ridge_v1',
  input: Closed({}),
  summary: [],
  output: Closed({ result: Closed({ done: Type.Boolean() }) }),
  attachments: Closed({}),
  problems: [],
  timeoutMs: 60_000,
  attempts: 1,
});

export const createNoOp = defineOperation({
  key: 'bench.no_op.create',
  product: 'Quant',
  method: 'POST',
  path: '/bench/no-op',
  scope: 'quant:compute:run',
  summary: 'Runs nothing and seals it.',
  success: { status: 201, description: 'The run, sealed.', schema: SealedRun(noOpJob) },
  accepted: OpenRun(noOpJob),
  problems: ['run_cancelled', 'time_limit_exceeded', 'idempotency_key_reused'],
  async handle(call) {
    const { runs } = call.services;
    const prepared = { input: {} };
    return runs.answer(noOpJob, call, await runs.submit(noOpJob, call, async () => prepared));
  },
});

export const noOpKinds: Kinds = { [noOpJob.key]: { job: noOpJob, load: async () => undefined } };
