import Type from 'typebox';
import { modelScenariosRun } from '#lib/models/scenarios/model-scenarios.run.ts';
import { Closed } from '#lib/core/schema.ts';
import { ModelScenarioRequestBody, scenarioOptions } from '#lib/models/scenarios/scenarios.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';
import { defineSamples } from '../generative/samples.ts';

export const createModelScenarioRun = defineRunSubmission(modelScenariosRun, {
  key: 'ml.scenarios.create',
  product: 'Models',
  summary:
    'Draws seeded scenarios of one month from an approved model by its key, under shocks of its factors.',
  description:
    'The computation is that of `/generative/scenarios`, on the newest approved version of the model: the same seed gives ' +
    'the same samples. A version that is named and is retired, or has a newer approved one, is refused.',
  query: Closed(scenarioOptions),
  body: ModelScenarioRequestBody,
  sealed: 'The scenarios, sealed.',
});

export const listModelScenarioRuns = defineRunList(modelScenariosRun, {
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

export const getModelScenarioRun = defineRunRead(modelScenariosRun, {
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
  path: modelScenariosRun.resource,
  scope: 'ml:read',
  kinds: [modelScenariosRun.key],
});
