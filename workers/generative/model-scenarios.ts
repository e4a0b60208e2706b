import type { modelScenariosRun } from '#lib/generative/model-scenarios.run.ts';
import type { Loader } from '../runner.ts';
import { loadScenarioData, type LoadedScenarios } from './scenarios.ts';

export const loadModelScenarios: Loader<typeof modelScenariosRun, LoadedScenarios> = (em, { input }) =>
  loadScenarioData(em, input);
