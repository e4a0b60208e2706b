import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { ScenarioInput } from './scenarios.schema.ts';
import { ScenarioResult } from './scenario-result.schema.ts';

export const scenariosRun = defineRun({
  key: 'generative.scenarios',
  prefix: prefixes.scenarioRun,
  queue: 'numerics',
  resource: '/generative/runs',
  submission: '/generative/scenarios',
  model: 'svc_scenarios_v1',
  input: ScenarioInput,
  summary: ['model_uid', 'version_uid', 'regime', 'samples', 'seed', 'engine'],
  output: Closed({ result: ScenarioResult }),
  attachments: Closed({}),
  problems: ['stress_invalid'],
  timeoutMs: 300_000,
  attempts: 20,
});
