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
    'Draws seeded one-month scenarios from an approved model, chosen by its key, optionally under shocks to its factors.',
  description:
    'The computation is the same as that of `/generative/scenarios`, but uses the newest approved version of the named model. The same version, request and seed give the same samples. A request that names a version is refused if the version is retired or a newer version is approved.',
  query: Closed(scenarioOptions),
  body: ModelScenarioRequestBody,
  sealed: 'The sealed scenarios.',
});

export const listModelScenarioRuns = defineRunList(modelScenariosRun, {
  key: 'ml.scenarios.list',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Lists scenario runs of named models, newest first, without their results.',
  filters: {
    model: Type.Optional({
      ...ModelScenarioRequestBody.properties.model,
      description: 'Returns only runs of the model with this key.',
    }),
  },
  members: { model: 'model_key' },
});

export const getModelScenarioRun = defineRunRead(modelScenariosRun, {
  key: 'ml.scenarios.get',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Returns a scenario run of a named model, and optionally waits until it ends.',
  description: 'If a run fails after it was accepted, the answer is 200 with the state `failed`.',
  noun: 'run',
});

export const getModelScenarioSamples = defineSamples({
  key: 'ml.scenarios.samples.get',
  product: 'Models',
  path: modelScenariosRun.resource,
  scope: 'ml:read',
  kinds: [modelScenariosRun.key],
});
