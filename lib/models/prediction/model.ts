import { convexWeights } from '#lib/numerics/prediction/convex-weights.ts';
import type {
  PredictionCheckpoint,
  PredictionParameters,
  PredictionTask,
  SingleParameters,
} from '#lib/models/registry/prediction.schema.ts';
import { withColumns, type PredictionTarget, type Series } from './series.ts';
import { fitSingle, predictSingle } from './single-model.ts';
import { walkForward, type Teller } from './walk-forward.ts';

type Ensemble = Extract<PredictionTask['fit'], { family: 'ensemble' }>;

/** The checkpoints of those ensemble members that are model versions, by uid of their training. */
export type MemberCheckpoints = Readonly<Record<string, PredictionCheckpoint>>;

/**
 * Settings for fitting ensemble weights: the weights are fitted on the last `share` of the rows, and the
 * members are refitted in `blocks` blocks.
 */
const WEIGHING = { share: 0.3, blocks: 3 };

/**
 * Fits a model to a series; null if the fit is impossible. A member that is a model version uses its checkpoint if the
 * checkpoint is given. Otherwise the member is refitted, so that no information from its training enters the
 * evaluation.
 */
export function fitModel(
  series: Series,
  { fit, ...aim }: PredictionTask,
  members: MemberCheckpoints | null,
): PredictionParameters | null {
  return fit.family === 'ensemble' ? fitEnsemble(series, aim, fit, members) : fitSingle(series, aim, fit);
}

/** Returns the prediction at each row for the row `horizon` ahead; NaN if there are too few earlier rows. */
export function predict(
  parameters: PredictionParameters,
  series: Series,
  aim: PredictionTarget,
): Float64Array {
  if (parameters.family !== 'ensemble') return predictSingle(parameters, series, aim);
  const predicted = new Float64Array(series.days.length);
  for (const member of parameters.members) {
    const own = predictSingle(member.parameters, withColumns(series, member.factors), aim);
    for (let t = 0; t < predicted.length; t += 1) predicted[t]! += member.weight * own[t]!;
  }
  return predicted;
}

/**
 * Returns a function that fits the model to past rows and returns its predictor, for a walk-forward
 * evaluation.
 */
export function fitterOf(task: PredictionTask): (past: Series) => Teller | null {
  return (past) => {
    const parameters = fitModel(past, task, null);
    return parameters && ((series) => predict(parameters, series, task));
  };
}

function fitEnsemble(
  series: Series,
  aim: PredictionTarget,
  { members }: Ensemble,
  known: MemberCheckpoints | null,
): PredictionParameters | null {
  const weights = weightsOf(series, aim, members);
  const fitted = members.map(({ fit, factors, version }) => {
    const kept = version && known ? known[version.training_uid]!.parameters : null;
    return (kept as SingleParameters | null) ?? fitSingle(withColumns(series, factors), aim, fit);
  });
  if (!weights || fitted.includes(null)) return null;
  return {
    family: 'ensemble',
    members: members.map(({ name, factors, version }, at) => ({
      name,
      factors: [...factors],
      version,
      weight: weights[at]!,
      parameters: fitted[at]!,
    })),
  };
}

/**
 * Returns the given ensemble weights. If no weights are given, returns the weights with the smallest out-of-sample
 * error on the last rows.
 */
function weightsOf(series: Series, aim: PredictionTarget, members: Ensemble['members']): number[] | null {
  const stated = members.map(({ weight }) => weight);
  if (stated.every((weight) => weight !== null)) return stated;
  const errors = members.map(({ factors, fit }) => {
    const walked = walkForward(withColumns(series, factors), aim, {
      ...WEIGHING,
      fit: fitterOf({ ...aim, fit }),
    });
    return walked && walked.actual.map((value, at) => value - walked.predicted[at]!);
  });
  return errors.includes(null) ? null : [...convexWeights(errors as Float64Array[])];
}
