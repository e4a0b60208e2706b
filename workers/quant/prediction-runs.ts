import { predictionData } from '#lib/quant/models/prediction-data.query.ts';
import { predictionRunsRun } from '#lib/quant/models/prediction-runs.run.ts';
import type { PredictionData } from '#lib/quant/models/run-prediction.ts';
import { runner } from '../process/runner.ts';

export default runner(predictionRunsRun, {
  load: (em, { input }): Promise<PredictionData> => predictionData(em, input),
  compute: new URL('./prediction-runs.compute.ts', import.meta.url),
});
