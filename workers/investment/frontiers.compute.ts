import type { ConstructionData } from '#lib/investment/construction/construction-data.ts';
import type { frontiersRun } from '#lib/investment/frontiers/frontiers.run.ts';
import {
  divideFrontier,
  frontierPart,
  portfolioFrontier,
} from '#lib/investment/frontiers/portfolio-frontier.ts';
import { computeInRounds } from '../process/rounds.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './frontiers.ts';

export const compute: ComputationOf<typeof runner> = computeInRounds<typeof frontiersRun, ConstructionData>(
  { divide: divideFrontier },
  {
    part: (input, data, { part, control }) => {
      const progress = (share: number) => {
        if (control.cancelled()) throw new Error('cancelled');
        control.progress(share);
      };
      return frontierPart(input, data, { part, progress });
    },
    merge: (input, data, { numbers }) => {
      const outcome = portfolioFrontier(input, data, numbers);
      if (!outcome.ok) return outcome;
      const { input_data, result, covariance } = outcome;
      return { ok: true, output: { input_data, result }, attachments: { covariance } };
    },
  },
);
