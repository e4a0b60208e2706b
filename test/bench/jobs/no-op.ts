import Type from 'typebox';
import { defineRunRead } from '#api/run-operations.ts';
import { defineOperation } from '#api/services.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { runner, type Runner, type Runners } from '#workers/process/runner.ts';

/**
 * A run that computes nothing, so that only the overhead of a run is measured. It is not in the product's
 * catalog.
 */
export const noOpRun = defineRun({
  key: 'bench.no-op',
  prefix: 'tfr',
  queue: 'numerics',
  scope: 'quant:compute:run',
  resource: '/bench/no-op',
  model: 'svc_theme_factor_ridge_v1',
  request: Closed({}),
  input: Closed({ note: Type.Optional(Type.String()) }),
  summary: [],
  output: Closed({ result: Closed({ done: Type.Boolean() }) }),
  attachments: Closed({}),
  refusals: [],
  problems: [],
  timeoutMs: 60_000,
  attempts: 1,
  resolve: async () => ({ input: {} }),
});

export const createNoOp = defineOperation({
  key: 'bench.no_op.create',
  product: 'Quant',
  method: 'POST',
  path: '/bench/no-op',
  scope: 'quant:compute:run',
  summary: 'Runs nothing and seals it.',
  success: { status: 201, description: 'The run, sealed.', schema: SealedRun(noOpRun) },
  accepted: OpenRun(noOpRun),
  problems: ['run_cancelled', 'time_limit_exceeded', 'idempotency_key_reused'],
  async handle(call) {
    const { runs } = call.services;
    return runs.answer(noOpRun, call, await runs.submit(noOpRun, call, {}));
  },
});

export const readNoOp = defineRunRead(noOpRun, {
  key: 'bench.no_op.get',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Returns a run that computes nothing.',
  noun: 'run',
});

const noOp = runner(noOpRun, {
  load: async () => undefined,
  // The file imports only types, so a thread starts without loading other modules.
  compute: new URL('./thread.ts', import.meta.url),
});

export const noOpRunners: Runners = {
  [noOpRun.key]: async () => ({ default: noOp as Runner }),
};
