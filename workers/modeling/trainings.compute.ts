import { ineligibility, trainRegimes, type MonthlyReturns } from '#lib/modeling/regime-training.ts';
import type { trainingsJob } from '#lib/modeling/trainings.job.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof trainingsJob, MonthlyReturns> = (input, returns) => {
  const unfit = ineligibility(returns, input.factors.length);
  if (unfit) {
    const { detail, ...members } = unfit;
    return {
      ok: false,
      refusal: { code: 'training_data_ineligible', detail: `Not trained: ${detail}.`, members },
    };
  }
  const result = trainRegimes(returns, input);
  if (result) return { ok: true, output: { result }, attachments: {} };
  const detail =
    'No covariance of the factors can be inverted: one of them does not vary, or is made of others.';
  return { ok: false, refusal: { code: 'not_identifiable', detail } };
};
