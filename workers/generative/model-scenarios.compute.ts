import type { modelScenariosJob } from '#lib/generative/model-scenarios.job.ts';
import type { Computation } from '../runner.ts';
import { scenarioOutcome } from './scenarios.compute.ts';
import type { LoadedScenarios } from './scenarios.ts';

export const compute: Computation<typeof modelScenariosJob, LoadedScenarios> = (input, data, control) =>
  scenarioOutcome(input, data, control);
