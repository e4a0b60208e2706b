import { evaluatePrediction } from '#lib/models/prediction/evaluation.ts';
import { trainingRefusal } from '#lib/models/prediction/series.ts';
import {
  evaluateRegimes,
  regimeTrainingRefusal,
  type MonthlyReturns,
} from '#lib/models/training/regime-training.ts';
import type { InputOf } from '#lib/core/run.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './evaluations.ts';
import { refuseAltered } from './altered-snapshot.ts';

export const compute: ComputationOf<typeof runner> = (input, { altered, ...rows }) => {
  if (altered !== null) return refuseAltered(altered);
  const { prediction } = input;
  const series = { factors: input.factors, ...rows };
  const refusal = prediction
    ? trainingRefusal(series, prediction)
    : regimeTrainingRefusal(rows, input.factors.length);
  if (refusal) {
    const { detail, ...members } = refusal;
    return {
      ok: false,
      refusal: {
        code: 'training_data_ineligible',
        detail: `The model was not evaluated: ${detail}.`,
        members,
      },
    };
  }
  const result = prediction
    ? evaluatePrediction(series, { ...input, prediction })
    : evaluatedRegimes(input, rows);
  if (result) return { ok: true, output: { result }, attachments: {} };
  return {
    ok: false,
    refusal: {
      code: 'not_identifiable',
      detail: 'The model cannot be fitted to the rows that are not held out.',
    },
  };
};

function evaluatedRegimes(input: InputOf<(typeof runner)['run']>, returns: MonthlyReturns) {
  const found = evaluateRegimes(returns, {
    regimes: input.regimes_max!,
    dimensions: input.factors.length,
    holdoutShare: input.holdout_share,
  });
  return found && { ...found, checkpoint_hash: input.checkpoint_hash };
}
