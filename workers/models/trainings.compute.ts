import { trainPrediction } from '#lib/models/prediction/training.ts';
import { trainingRefusal } from '#lib/models/prediction/series.ts';
import { regimeTrainingRefusal, trainRegimes } from '#lib/models/training/regime-training.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './trainings.ts';
import { refuseAltered } from './altered-snapshot.ts';

export const compute: ComputationOf<typeof runner> = (input, loaded) => {
  const { members, altered, ...rows } = loaded;
  if (altered !== null) return refuseAltered(altered);
  const { prediction } = input;
  const series = { factors: input.factors, ...rows };
  const refusal = prediction
    ? trainingRefusal(series, prediction)
    : regimeTrainingRefusal(rows, input.factors.length);
  if (refusal) {
    const { detail, ...found } = refusal;
    return {
      ok: false,
      refusal: {
        code: 'training_data_ineligible',
        detail: `The model was not trained: ${detail}.`,
        members: found,
      },
    };
  }
  const result = prediction
    ? trainPrediction(series, { ...input, prediction }, members)
    : trainRegimes(rows, input);
  if (result) return { ok: true, output: { result }, attachments: {} };
  const detail = prediction
    ? 'The equations cannot be solved. A column is constant or is a combination of others, or there are too few rows for the lags.'
    : 'The covariance of the factors cannot be inverted. A factor is constant or is a combination of others.';
  return { ok: false, refusal: { code: 'not_identifiable', detail } };
};
