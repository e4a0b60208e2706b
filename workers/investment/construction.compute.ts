import { portfolioConstruction } from '#lib/investment/construction/portfolio-construction.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './construction.ts';

export const compute: ComputationOf<typeof runner> = (input, data) => {
  const outcome = portfolioConstruction(input, data);
  if (!outcome.ok) return outcome;
  const { input_data, result, orders, covariance } = outcome;
  return { ok: true, output: { input_data, result }, attachments: { orders, covariance } };
};
