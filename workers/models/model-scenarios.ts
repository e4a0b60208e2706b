import { modelScenariosRun } from '#lib/models/scenarios/model-scenarios.run.ts';
import { scenarioParts } from '#lib/models/scenarios/scenario-parts.ts';
import { runner } from '../process/runner.ts';
import { loadScenarioData, type LoadedScenarios } from './scenarios.ts';

export default runner(modelScenariosRun, {
  load: (em, { input }): Promise<LoadedScenarios> => loadScenarioData(em, input),
  divide: (input) => scenarioParts(input),
  compute: new URL('./model-scenarios.compute.ts', import.meta.url),
});
