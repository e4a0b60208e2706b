import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { ScenarioInput, ScenarioRequest } from './scenarios.schema.ts';
import { ScenarioResult } from './scenario-result.schema.ts';
import { scenarioInput } from './scenario-input.query.ts';
import { contextProblems, servedModel } from './served-model.query.ts';

export const scenariosRun = defineRun({
  key: 'generative.scenarios',
  prefix: prefixes.scenarioRun,
  queue: 'numerics',
  scope: 'generative:inference',
  resource: '/generative/runs',
  submission: '/generative/scenarios',
  model: 'svc_scenarios_v1',
  request: ScenarioRequest,
  input: ScenarioInput,
  summary: ['model_uid', 'version_uid', 'regime', 'samples', 'seed', 'engine'],
  output: Closed({ result: ScenarioResult }),
  attachments: Closed({}),
  refusals: contextProblems,
  problems: ['stress_invalid'],
  timeoutMs: 300_000,
  attempts: 20,
  async resolve(em, request, { now }) {
    return { input: await scenarioInput(em, await servedModel(em), request, now) };
  },
});
