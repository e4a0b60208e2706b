import { evaluateRegimes, ineligibility, type MonthlyReturns } from '#lib/modeling/regime-training.ts';
import type { evaluationsJob } from '#lib/modeling/evaluations.job.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof evaluationsJob, MonthlyReturns> = (input, returns) => {
  const dimensions = input.factors.length;
  const unfit = ineligibility(returns, dimensions);
  if (unfit) {
    const { detail, ...members } = unfit;
    return {
      ok: false,
      refusal: { code: 'training_data_ineligible', detail: `Not evaluated: ${detail}.`, members },
    };
  }
  const found = evaluateRegimes(returns, {
    regimes: input.regimes_max,
    dimensions,
    holdoutShare: input.holdout_share,
  });
  if (found) {
    return {
      ok: true,
      output: { result: { ...found, checkpoint_hash: input.checkpoint_hash } },
      attachments: {},
    };
  }
  return {
    ok: false,
    refusal: { code: 'not_identifiable', detail: 'The model cannot be fitted without the last months.' },
  };
};
