import Type, { type Static } from 'typebox';
import { instantOf } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { wireMinor } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';
import { findRuns, type FoundRun } from '#lib/workflows/read-runs.query.ts';
import { workflowRunStates } from '#lib/workflows/run-states.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { WorkflowRunResource } from './run.schema.ts';

const PATH = '/workflows/runs';

export const listWorkflowRuns = defineOperation({
  key: 'workflows.runs.list',
  product: 'Workflows',
  method: 'GET',
  path: PATH,
  scope: 'workflow:read',
  summary: 'Lists runs of workflows, newest first, with their steps and costs.',
  description:
    'The answer has hashes of the parameters and outputs, but not their values. It also has the uids of the runs that the steps requested.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(
      Type.Enum([...workflowRunStates], { description: 'Returns only runs in this state.' }),
    ),
    workflow_key: Type.Optional({ ...WorkflowKey, description: 'Returns only runs of this workflow.' }),
    since: Type.Optional(InstantOf('Returns only runs started at or after this instant.')),
    until: Type.Optional(InstantOf('Returns only runs started before this instant.')),
    installation_uid: Type.Optional(
      Uid(
        prefixes.workflowInstallation,
        'Returns only runs of versions that were proposed from this installation.',
      ),
    ),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(WorkflowRunResource) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state, workflow_key: key, since, until, installation_uid: installation } = query;
    return listReply(services, query, {
      list: PATH,
      filters: {
        state: state ?? null,
        workflow_key: key ?? null,
        since: since ?? null,
        until: until ?? null,
        installation_uid: installation ?? null,
      },
      hasLargeRows: true,
      rows: (em, page) =>
        findRuns(em, {
          state,
          key,
          since: since === undefined ? since : instantOf(since),
          until: until === undefined ? until : instantOf(until),
          installation,
          ...page,
        }),
      present,
    });
  },
});

export const getWorkflowRun = defineOperation({
  key: 'workflows.runs.get',
  product: 'Workflows',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'workflow:read',
  addition: true,
  summary: 'Returns a run of a workflow, with its steps and costs.',
  description: 'The fields are the same as in the list of runs.',
  success: { status: 200, description: 'The run.', schema: WorkflowRunResource },
  problems: ['not_found'],
  async handle({ services, params: { uid }, fail }) {
    const [found] = isUid(uid, prefixes.workflowRun) ? await services.query(findRuns, { uid, limit: 1 }) : [];
    return { status: 200, body: found ? present(found) : fail('not_found', 'There is no such run.') };
  },
});

function present({ run, version, steps, cost }: FoundRun): Static<typeof WorkflowRunResource> {
  return {
    uid: run.uid,
    workflow: { key: version.key, version: version.version, digest: version.digest },
    state: run.state,
    admission_uid: run.admissionUid,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    ended_at: run.endedAt?.toISOString() ?? null,
    steps: steps.map(({ key, state, attempts, jobUid, startedAt, endedAt, errorCode }) => ({
      key,
      state,
      attempts,
      run_uid: jobUid ?? null,
      started_at: startedAt?.toISOString() ?? null,
      ended_at: endedAt?.toISOString() ?? null,
      error_code: errorCode ?? null,
    })),
    cost: cost && {
      currency: cost.currency,
      metered_minor: wireMinor(cost.minor),
      metered_micro: wireMinor(cost.micro),
      is_floor: cost.isFloor,
    },
    inputs_hash: run.inputsHash,
    outputs_hash: run.outputsHash ?? null,
    error: run.errorCode ? { code: run.errorCode } : null,
  };
}
