import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { modelScenariosRun } from '#lib/generative/model-scenarios.run.ts';
import { ModelScenarioRequestBody } from '#lib/generative/scenarios.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import { defineSamples } from '../samples.ts';
import { scenarioInput, scenarioQuery } from '../scenario-input.ts';
import { contextProblems, namedVersion } from '../served-model.ts';

const job = modelScenariosRun;

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

export const getModelScenarioSamples = defineSamples({
  key: 'ml.scenarios.samples.get',
  product: 'Models',
  path: job.resource,
  scope: 'ml:read',
  kinds: [job.key],
});
