import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { modelScenariosJob } from '#lib/generative/model-scenarios.job.ts';
import { ModelScenarioRequestBody } from '#lib/generative/scenarios.schema.ts';
import { listRuns } from '#lib/pipeline/run-record.repository.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { listReply } from '../../http/page.ts';
import { readRun } from '../../run-reads.ts';
import { presentRun, presentSummary, submissionProblems } from '../../runs.ts';
import { defineFile, defineOperation } from '../../services.ts';
import { readSamples, sampleFiles, sampleForms, SampleLayout } from '../samples.ts';
import { scenarioInput, scenarioQuery } from '../scenario-input.ts';
import { contextProblems, namedVersion } from '../served-model.ts';

const job = modelScenariosJob;

export const createModelScenarioRun = defineOperation({
  key: 'ml.scenarios.create',
  product: 'Models',
  method: 'POST',
  path: job.resource,
  scope: 'ml:inference',
  summary:
    'Draws seeded scenarios of one month from an approved model by its key, under shocks of its factors.',
  description:
    'The computation is that of `/generative/scenarios`, on the newest approved version of the model: the same seed gives ' +
    'the same samples. A version that is named and is retired, or has a newer approved one, is refused.',
  query: scenarioQuery,
  body: ModelScenarioRequestBody,
  success: { status: 201, description: 'The scenarios, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'not_found',
    'model_not_generative',
    'model_superseded',
    ...contextProblems,
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, query } = call;
    const { model: key, version, ...body } = call.body;
    const today = utcDate(services.clock.now());
    const submitted = await services.runs.submit(job, call, async (em) => {
      const model = await namedVersion(em, key, version);
      const input = { model_key: key, ...(await scenarioInput(em, model, { body, query, today })) };
      return { input };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listModelScenarioRuns = defineOperation({
  key: 'ml.scenarios.list',
  product: 'Models',
  method: 'GET',
  path: job.resource,
  scope: 'ml:read',
  addition: true,
  summary: 'Lists scenario runs of named models, newest first, without their results.',
  description: 'Runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
    model: Type.Optional({
      ...ModelScenarioRequestBody.properties.model,
      description: 'Only runs of the model with this key.',
    }),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state, model } = query;
    return listReply(services, query, {
      list: job.resource,
      filters: { state: state ?? null, model: model ?? null },
      rows: (em, page) =>
        listRuns(em, {
          kind: job.key,
          state,
          ...(model === undefined ? {} : { input: { model_key: model } }),
          ...page,
        }),
      present: presentSummary,
    });
  },
});

export const getModelScenarioRun = defineOperation({
  key: 'ml.scenarios.get',
  product: 'Models',
  method: 'GET',
  path: `${job.resource}/{uid}`,
  scope: 'ml:read',
  addition: true,
  summary: 'Reads a scenario run of a named model, and waits for its end on request.',
  description: 'A run that was refused after it was accepted reads 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found = (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such run.');
    return { status: 200, body: presentRun(found) };
  },
});

export const getModelScenarioSamples = defineFile({
  key: 'ml.scenarios.samples.get',
  product: 'Models',
  method: 'GET',
  path: `${job.resource}/{uid}/samples`,
  scope: 'ml:read',
  addition: true,
  summary: 'Downloads the samples of a sealed run, or tells by JSON how they are laid out.',
  description:
    'By `Accept`: the bytes, which are what `samples_hash` is the SHA-256 of, or their layout. Samples of up to 16 MiB are ' +
    'kept with their run; more are had again by a replay.',
  success: { status: 200, description: 'The layout.', schema: SampleLayout },
  files: sampleFiles,
  problems: ['not_found', 'not_acceptable'],
  async handle({ services, params, accepts, fail }) {
    const form = accepts(sampleForms) as (typeof sampleForms)[number] | undefined;
    if (!form) fail('not_acceptable', `The samples can be had as ${sampleForms.join(', ')}.`);
    const found = await services.transaction((em) =>
      readSamples(em, { uid: params.uid, kinds: [job.key], form: form! }),
    );
    return found ?? fail('not_found', 'There is no such sealed run whose samples are kept.');
  },
});
