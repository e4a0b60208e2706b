import type { LqmFamily } from '#lib/models/registry/lqm.ts';
import type { AnyCheckpoint } from '#lib/models/registry/model-run.schema.ts';
import type { PredictionParameters } from '#lib/models/registry/prediction.schema.ts';

/** What a family is for, and where it ends. */
export const uses: Readonly<Record<LqmFamily, { intended_use: string; limits: readonly string[] }>> = {
  regime_ghmm: {
    intended_use: 'Scenarios and paths of monthly log returns by regime, and under shocks of factors.',
    limits: [
      'Regimes are normal; tails that are fatter than a mixture of them need another engine.',
      'A regime that the training months did not have cannot be drawn.',
    ],
  },
  ridge: {
    intended_use: 'Predicting a column as a weighted sum of others.',
    limits: ['Effects are linear and do not change over time.', 'No interval is told with a prediction.'],
  },
  var: {
    intended_use: 'Predicting a column from the past of all columns.',
    limits: [
      'Effects are linear and do not change over time; trends and seasons must be taken out before.',
      'No interval is told with a prediction.',
    ],
  },
  gbt: {
    intended_use: 'Predicting a column from others whose effects bend or depend on one another.',
    limits: [
      'It never predicts beyond the range of the target in its training.',
      'No interval is told with a prediction.',
    ],
  },
  ensemble: {
    intended_use: 'Predicting a column by the weighted mean of several models.',
    limits: [
      'It has the limits of its members.',
      'Members that are versions keep their checkpoints; an evaluation fits them anew.',
    ],
  },
};

/** How many numbers a checkpoint was free to choose. A leaf and a split of a tree count one and two. */
export function parameterCount(checkpoint: AnyCheckpoint): number {
  if (!('regimes' in checkpoint)) return countOf(checkpoint.parameters);
  const [K, D] = [checkpoint.regimes.length, checkpoint.factors.length];
  return K * (D + (D * (D + 1)) / 2) + K * (K - 1) + (K - 1);
}

function countOf(parameters: PredictionParameters): number {
  switch (parameters.family) {
    case 'ridge':
      return parameters.coefficients.length + 1;
    case 'var':
      return parameters.intercepts.length * (1 + parameters.lags * parameters.intercepts.length);
    case 'gbt':
      return 1 + parameters.trees.flat().reduce((total, { column }) => total + (column < 0 ? 1 : 2), 0);
    case 'ensemble':
      return parameters.members.reduce((total, member) => total + 1 + countOf(member.parameters), 0);
  }
}
