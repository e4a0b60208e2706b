import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { modelScenariosJob } from '#lib/generative/model-scenarios.job.ts';
import { ModelScenarioRequestBody } from '#lib/generative/scenarios.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
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

export const listModelScenarioRuns = defineRunList(job, {
  key: 'ml.scenarios.list',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Lists scenario runs of named models, newest first, without their results.',
  filters: {
    model: Type.Optional({
      ...ModelScenarioRequestBody.properties.model,
      description: 'Only runs of the model with this key.',
    }),
  },
  members: { model: 'model_key' },
});

export const getModelScenarioRun = defineRunRead(job, {
  key: 'ml.scenarios.get',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Reads a scenario run of a named model, and waits for its end on request.',
  description: 'A run that was refused after it was accepted reads 200 with the state `failed`.',
  noun: 'run',
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
