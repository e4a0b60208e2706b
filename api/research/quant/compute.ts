import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import type { Static } from 'typebox';
import { Problem } from '#lib/core/problem.ts';
import { cancelRun } from '#lib/pipeline/cancel-run.command.ts';
import { isRunKey, runs } from '#lib/runs.ts';
import { findRunRecord, listRuns, type RunRecord } from '#lib/pipeline/run-record.query.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { JobRecord } from '#lib/pipeline/run.schema.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { listReply } from '../../http/page.ts';
import { presentProblem } from '../../runs.ts';
import { defineOperation } from '../../services.ts';

const kinds = Object.keys(runs);

export const listComputeJobs = defineOperation({
  key: 'quant.compute.jobs.list',
  product: 'Quant',
  method: 'GET',
  path: '/quant/compute/jobs',
  scope: 'quant:compute:read',
  summary: 'Lists the compute jobs of the workspace, newest first.',
  description:
    'Returns jobs of every kind and state in the environment of the credential. Filters narrow the list.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(Type.Enum(kinds, { description: 'Returns only jobs of this kind.' })),
    state: Type.Optional(Type.Enum([...runStates], { description: 'Returns only jobs in this state.' })),
  }),
  success: { status: 200, description: 'A page of jobs.', schema: ListOf(JobRecord) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { kind, state } = query;
    return listReply(services, query, {
      list: '/quant/compute/jobs',
      filters: { kind: kind ?? null, state: state ?? null },
      rows: (em, page) => listRuns(em, { kind, state, ...page }),
      present: presentJob,
    });
  },
});

export const getComputeJob = defineOperation({
  key: 'quant.compute.jobs.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/compute/jobs/{uid}',
  scope: 'quant:compute:read',
  summary: 'Returns the record of a job, and optionally waits until it ends.',
  description:
    'The record contains the progress of the job, and the location of its result once there is one.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The job.', schema: JobRecord },
  problems: ['not_found'],
  async handle({ services, caller, signal, params, query, fail }) {
    const limitMs = (query.wait ?? 0) * 1_000;
    const found = await services.runs.waitForRecord({ caller, signal }, params.uid, limitMs);
    if (!found) fail('not_found', 'There is no such job.');
    return { status: 200, body: presentJob(found!) };
  },
});

export const cancelComputeJob = defineOperation({
  key: 'quant.compute.jobs.cancel',
  product: 'Quant',
  method: 'POST',
  path: '/quant/compute/jobs/{uid}/cancel',
  scope: 'quant:compute:run',
  summary: 'Cancels a job that has not ended.',
  description:
    'The worker that computes the job stops within seconds, and no result is sealed. Cancelling a ' +
    'cancelled job has no effect.',
  success: { status: 200, description: 'The cancelled job.', schema: JobRecord },
  problems: ['not_found', 'run_not_cancellable', 'precondition_failed'],
  async handle(call) {
    const { services, params } = call;
    const requireCurrent = (run: RunRecord) => call.requireMatch(presentJob(run));
    const input = { uid: params.uid, requireCurrent };
    return services.govern(call, cancelRun, input, {
      present: async ({ result }, query) => ({
        status: 200,
        body: presentJob((await query(findRunRecord, result.uid))!),
      }),
      refuse: (denied) =>
        denied.code === 'run_not_cancellable' && 'state' in denied
          ? new Problem(denied.code, `The job has already ended. Its state is ${denied.state}.`)
          : new Problem('not_found', denied.detail),
      afterwards: ({ result }) => services.runs.dispatch(result.admitted),
    });
  },
});

function presentJob(run: RunRecord): Static<typeof JobRecord> {
  const started = run.startedAt?.getTime();
  const finished = run.finishedAt?.getTime();
  const resource = isRunKey(run.kind) ? runs[run.kind].resource : undefined;
  return {
    uid: run.uid,
    kind: run.kind,
    state: run.state,
    progress: run.progress,
    attempts: run.attempts,
    model: { key: run.modelKey, version: run.modelVersion },
    input_hash: run.inputHash,
    result:
      run.resultHash === null ? null : { href: `${API_PREFIX}${resource}/${run.uid}`, hash: run.resultHash },
    problem: presentProblem(run),
    request_id: run.requestId,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    waited_ms: started === undefined ? null : Math.max(0, started - run.createdAt.getTime()),
    ran_ms: started === undefined || finished === undefined ? null : Math.max(0, finished - started),
  };
}
