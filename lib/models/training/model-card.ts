import type { LqmFamily } from '#lib/models/registry/lqm.ts';
import type { AnyCheckpoint } from '#lib/models/registry/model-run.schema.ts';
import type { PredictionParameters } from '#lib/models/registry/prediction.schema.ts';

/** The intended use and the limits of each family, for model cards. */
export const uses: Readonly<Record<LqmFamily, { intended_use: string; limits: readonly string[] }>> = {
  regime_ghmm: {
    intended_use: 'Scenarios and paths of monthly log returns by regime, optionally under shocks to factors.',
    limits: [
      'Returns in a regime are normal. Tails fatter than those of a mixture of regimes need another engine.',
      'A regime that did not occur in the training months cannot be drawn.',
    ],
  },
  ridge: {
    intended_use: 'Predicting a column as a weighted sum of others.',
    limits: ['Effects are linear and do not change over time.', 'Predictions come without an interval.'],
  },
  var: {
    intended_use: 'Predicting a column from the past of all columns.',
    limits: [
      'Effects are linear and do not change over time. Trends and seasons must be removed first.',
      'Predictions come without an interval.',
    ],
  },
  gbt: {
    intended_use: 'Predicting a column from others with non-linear or interacting effects.',
    limits: [
      'Predictions never go beyond the range of the target in the training data.',
      'Predictions come without an interval.',
    ],
  },
  ensemble: {
    intended_use: 'Predicting a column as the weighted mean of several models.',
    limits: [
      'The limits of its members apply.',
      'A member that is a trained version predicts with its own checkpoint. For an evaluation, it is fitted again to the earlier rows.',
    ],
  },
};

/**
 * Returns the number of free parameters of a checkpoint. In a tree, a leaf counts as one parameter and a split as two.
 */
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
