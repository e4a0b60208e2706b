import type { ComputationOf } from '../process/runner.ts';
import type runner from './model-scenarios.ts';
import { scenarioOutcome } from './scenarios.compute.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control, divided) =>
  scenarioOutcome(input, data, control, divided);
