import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { scenariosJob } from '#lib/generative/scenarios.job.ts';
import { listRuns } from '#lib/pipeline/run-record.repository.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { RunResource, RunSummary } from '#lib/pipeline/run.schema.ts';
import { listReply } from '../http/page.ts';
import { presentRun, presentSummary } from '../runs.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';

const job = scenariosJob;

export const listGenerativeRuns = defineOperation({
  key: 'generative.runs.list',
  product: 'Generative',
  method: 'GET',
  path: job.resource,
  scope: 'generative:models:read',
  summary: 'Lists scenario runs, newest first, without their results.',
  description: 'Runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state } = query;
    return listReply(services, query, {
      list: job.resource,
      filters: { state: state ?? null },
      rows: (em, page) => listRuns(em, { kind: job.key, state, ...page }),
      present: presentSummary,
    });
  },
});

export const getGenerativeRun = defineOperation({
  key: 'generative.runs.get',
  product: 'Generative',
  method: 'GET',
  path: `${job.resource}/{uid}`,
  scope: 'generative:models:read',
  summary: 'Reads a scenario run, and waits for its end on request.',
  description: 'A run that was refused after it was accepted reads 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle({ services, caller, params, query, fail }) {
    const found = await services.runs.wait(tenantOf(caller), params.uid, (query.wait ?? 0) * 1_000, []);
    if (found?.run.kind !== job.key) fail('not_found', 'There is no such run.');
    return { status: 200, body: presentRun(found!) };
  },
});
