import type { modelScenariosRun } from '#lib/generative/model-scenarios.run.ts';
import type { Computation, PartComputation } from '../runner.ts';
import { partOutcome, scenarioOutcome } from './scenarios.compute.ts';
import type { LoadedScenarios } from './scenarios.ts';

export const compute: Computation<typeof modelScenariosRun, LoadedScenarios> = (
  input,
  data,
  control,
  drawn,
) => scenarioOutcome(input, data, control, drawn);

export const computePart: PartComputation<typeof modelScenariosRun, LoadedScenarios> = (
  input,
  data,
  part,
  control,
) => partOutcome(input, data, part, control);
