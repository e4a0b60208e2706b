import Type, { type Static } from 'typebox';
import {
  Closed,
  Day,
  InstantOf,
  ListOf,
  Nullable,
  pageQuery,
  ProblemSchema,
  Sha256Of,
  waitQuery,
} from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import { listRuns, type ListedRun, type RunListQuestion } from '#lib/pipeline/run-record.query.ts';
import { RunResource } from '#lib/pipeline/run.schema.ts';
import { runStates } from '#lib/pipeline/run.ts';
import type { ModelKind } from '#lib/quant/models/runnable-model.ts';
import { predictionRunsRun } from '#lib/quant/models/prediction-runs.run.ts';
import { statisticalRunsRun } from '#lib/quant/models/statistical-runs.run.ts';
import { isRunKey, runs } from '#lib/runs.ts';
import { API_PREFIX } from '../derive/router.ts';
import { listReply } from '../http/page.ts';
import { runStateFilter } from '../run-operations.ts';
import { readRun } from '../run-reads.ts';
import { presentProblem, presentRun } from '../runs.ts';
import { defineOperation } from '../services.ts';
import { findModel, runsOf } from './models/find-model.ts';
import { kindOfRun, runKinds } from './models/kind-of-run.ts';
import { Kind, ModelKeyText } from './models/model.schema.ts';

const PATH = '/quant/model-runs';

const ModelRunRow = Closed(
  {
    uid: Type.String({
      pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'The run.',
      examples: ['sml_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    kind: Kind,
    model: ModelKeyText,
    registered_model: Closed(
      {
        key: Type.String({
          minLength: 1,
          description: 'Key of the model version.',
          examples: ['svc_simulation_v1'],
        }),
        version: Type.String({
          minLength: 1,
          description: 'Number of the model version.',
          examples: ['1.0.0'],
        }),
      },
      { description: 'The registered model that computes the run.' },
    ),
    state: Type.Enum([...runStates], { description: 'The state of the run.' }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share of the work that is done.' }),
    href: Type.String({
      pattern: '^/api/v2/',
      description: 'Path of the run.',
      examples: ['/api/v2/quant/compute/simulations/sml_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    result_hash: Nullable(
      Sha256Of('SHA-256 of the RFC 8785 form of `result`.'),
      'SHA-256 of the RFC 8785 form of `result`; null if the run has no result.',
    ),
    problem: Nullable(ProblemSchema, 'The problem that ended the run; null if no error occurred.'),
    created_at: InstantOf('When the run was submitted.'),
    finished_at: Nullable(InstantOf('When the run ended; null if it has not ended.')),
  },
  { title: 'ModelRunRow', description: 'A run of a model, without its input and result.' },
);

export const listModelRuns = defineOperation({
  key: 'quant.model_runs.list',
  product: 'Quant',
  method: 'GET',
  path: PATH,
  scope: 'quant:models:read',
  summary: 'Lists the runs of all models, newest first.',
  description:
    'Contains every run of the workspace in the environment of the credential, however it was submitted. Read the ' +
    'input and the result of a run at `href`, with the scope of that resource.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(Kind),
    model: Type.Optional({
      ...ModelKeyText,
      description: 'Returns only runs of this model, by its key or, for a model of the workspace, its uid.',
    }),
    ...runStateFilter,
    from: Type.Optional(Day('Returns only runs submitted on or after this day (UTC).')),
    to: Type.Optional(Day('Returns only runs submitted on or before this day (UTC).')),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(ModelRunRow) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { kind, model, state, from, to } = query;
    return listReply(services, query, {
      list: PATH,
      filters: {
        kind: kind ?? null,
        model: model ?? null,
        state: state ?? null,
        from: from ?? null,
        to: to ?? null,
      },
      async rows(em, page) {
        const chosen = await chosenRuns(em, kind as ModelKind | undefined, model);
        if (!chosen) return [];
        return listRuns(em, {
          ...chosen,
          state: state as RunListQuestion['state'],
          submitted: { from, to },
          ...page,
        });
      },
      present,
    });
  },
});

/** Returns the runs to list; undefined if no run can match. */
async function chosenRuns(
  em: Em,
  kind: ModelKind | undefined,
  model: string | undefined,
): Promise<Pick<RunListQuestion, 'kind' | 'summary'> | undefined> {
  const kinds = kind === undefined ? undefined : runKinds(kind);
  if (model === undefined) return { kind: kinds };
  const found = await findModel(em, model);
  if (!found) return undefined;
  const wanted = runsOf(found);
  return kinds === undefined || kinds.includes(wanted.kind) ? wanted : undefined;
}

export const getModelRun = defineOperation({
  key: 'quant.model_runs.get',
  product: 'Quant',
  method: 'GET',
  path: `${PATH}/{uid}` as '/{uid}',
  scope: 'quant:models:read',
  addition: true,
  summary: 'Returns a run of a statistical or prediction model, and optionally waits until it ends.',
  description:
    'Runs of other models are separate resources; `GET /quant/model-runs` lists their paths. If a run fails after ' +
    'it was accepted, the answer is 200 with the state `failed` and the problem that a waiting caller would have ' +
    'received. `include=history` adds the values of the series.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(
      Type.Enum(['history'], { description: 'The part to add. `history`: the values of a forecast series.' }),
    ),
  }),
  success: {
    status: 200,
    description: 'The run. It is sealed once it has succeeded.',
    schema: Type.Union([RunResource(statisticalRunsRun), RunResource(predictionRunsRun)], {
      title: 'StatisticalOrPredictionRun',
      description: 'A run of a statistical or prediction model.',
    }),
  },
  problems: ['not_found'],
  async handle(call) {
    const found = await readRun(call, [statisticalRunsRun.key, predictionRunsRun.key]);
    return { status: 200, body: presentRun(found ?? call.fail('not_found', 'There is no such run.')) };
  },
});

function present(run: ListedRun): Static<typeof ModelRunRow> {
  const named = run.summary['model_key'];
  const resource = isRunKey(run.kind) ? runs[run.kind].resource : PATH;
  return {
    uid: run.uid,
    kind: kindOfRun(run.kind),
    model: typeof named === 'string' ? named : run.modelKey,
    registered_model: { key: run.modelKey, version: run.modelVersion },
    state: run.state,
    progress: run.progress,
    href: `${API_PREFIX}${resource}/${run.uid}`,
    result_hash: run.resultHash,
    problem: presentProblem(run),
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}
