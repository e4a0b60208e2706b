import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { ModelScenarioInput } from './scenarios.schema.ts';
import { ScenarioResult } from './scenario-result.schema.ts';

/** Scenarios of a model that is named, where `generative.scenarios` takes the one that serves. */
export const modelScenariosRun = defineRun({
  key: 'generative.model-scenarios',
  prefix: prefixes.modelScenarioRun,
  queue: 'numerics',
  resource: '/ml/scenarios',
  model: 'svc_scenarios_v1',
  input: ModelScenarioInput,
  summary: ['model_key', 'version_uid', 'regime', 'samples', 'seed', 'engine'],
  output: Closed({ result: ScenarioResult }),
  attachments: Closed({}),
  problems: ['stress_invalid'],
  timeoutMs: 300_000,
  attempts: 20,
});
