import type { modelScenariosJob } from '#lib/generative/model-scenarios.job.ts';
import type { Loader } from '../runner.ts';
import { loadScenarioData, type LoadedScenarios } from './scenarios.ts';

export const loadModelScenarios: Loader<typeof modelScenariosJob, LoadedScenarios> = (em, { input }) =>
  loadScenarioData(em, input);
