import { runPrediction } from '#lib/quant/models/run-prediction.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './prediction-runs.ts';

export const compute: ComputationOf<typeof runner> = (input, data) => runPrediction(input, data);
