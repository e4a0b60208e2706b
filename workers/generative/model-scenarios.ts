import { modelScenariosRun } from '#lib/generative/model-scenarios.run.ts';
import { scenarioParts } from '#lib/generative/scenario-parts.ts';
import { runner } from '../runner.ts';
import { loadScenarioData, type LoadedScenarios } from './scenarios.ts';

export default runner(modelScenariosRun, {
  load: (em, { input }): Promise<LoadedScenarios> => loadScenarioData(em, input),
  divide: (input) => scenarioParts(input),
  compute: new URL('./model-scenarios.compute.ts', import.meta.url),
});
