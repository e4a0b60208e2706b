import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { ModelScenarioInput, ModelScenarioRequest } from './scenarios.schema.ts';
import { ScenarioResult } from './scenario-result.schema.ts';
import { scenarioInput } from './scenario-input.query.ts';
import { contextProblems, namedVersion } from './served-model.query.ts';

/**
 * The run that draws scenarios from a model that the caller names. `generative.scenarios` uses the serving model
 * instead.
 */
export const modelScenariosRun = defineRun({
  key: 'generative.model-scenarios',
  prefix: prefixes.modelScenarioRun,
  queue: 'numerics',
  scope: 'ml:inference',
  resource: '/ml/scenarios',
  model: 'svc_scenarios_v1',
  request: ModelScenarioRequest,
  input: ModelScenarioInput,
  summary: ['model_key', 'version_uid', 'regime', 'samples', 'seed', 'engine'],
  output: Closed({ result: ScenarioResult }),
  attachments: Closed({}),
  refusals: ['not_found', 'model_not_generative', 'model_superseded', ...contextProblems],
  problems: ['stress_invalid'],
  timeoutMs: 300_000,
  attempts: 20,
  async resolve(em, { model: key, version, ...request }, { now }) {
    const model = await namedVersion(em, key, version);
    return { input: { model_key: key, ...(await scenarioInput(em, model, request, now)) } };
  },
});
