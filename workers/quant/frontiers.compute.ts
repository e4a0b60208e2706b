import { portfolioFrontier } from '#lib/quant/frontiers/portfolio-frontier.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './frontiers.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control) => {
  const outcome = portfolioFrontier(input, data, (share) => {
    if (control.cancelled()) throw new Error('cancelled');
    control.progress(share);
  });
  if (!outcome.ok) return outcome;
  const { input_data, result, covariance } = outcome;
  return { ok: true, output: { input_data, result }, attachments: { covariance } };
};
