import { canonicalHash } from '#lib/core/seal.ts';
import type { ModelRunInput } from '#lib/models/registry/model-run.schema.ts';
import type { PredictionCheckpoint, PredictionTask } from '#lib/models/registry/prediction.schema.ts';
import { profileOf, sideOf } from '../drift/drift-column.ts';
import { referenceProfile } from '../drift/reference-profile.ts';
import { meanSquare, naiveBaseline } from './baseline.ts';
import { fitModel, tell, type MemberCheckpoints } from './model.ts';
import { columnOf, type Series } from './series.ts';

/** Trains a model that predicts a target; null where its family cannot be fitted to these rows. */
export function trainPrediction(
  series: Series,
  input: ModelRunInput & { prediction: PredictionTask },
  members: MemberCheckpoints,
) {
  const { prediction: task, dataset } = input;
  const parameters = fitModel(series, task, members);
  if (!parameters) return null;
  const { meanSquaredError, ...baseline } = naiveBaseline(series, task);
  const came = columnOf(series, task.target).slice(task.horizon);
  const told = tell(parameters, series, task).slice(0, came.length);
  const from = told.findIndex((value) => !Number.isNaN(value));
  const checkpoint: PredictionCheckpoint = {
    recipe: `${parameters.family}/1`,
    factors: [...series.factors],
    target: task.target,
    horizon: task.horizon,
    parameters,
    baseline,
    reference_profile: {
      target: profileOf(sideOf(columnOf(series, task.target))),
      predictions: profileOf(sideOf(told.slice(from))),
      ...(input.profile && {
        columns: referenceProfile(series.factors, {
          values: series.values,
          dimensions: series.factors.length,
        }),
      }),
    },
    first_day: series.days[0]!,
    last_day: series.days.at(-1)!,
    training_data_hash: dataset.content_hash,
  };
  return {
    checkpoint,
    checkpoint_hash: canonicalHash(checkpoint),
    rows: series.days.length,
    mean_squared_error: meanSquare(came.slice(from), (value, at) => value - told[from + at]!),
    baseline_mean_squared_error: meanSquaredError,
  };
}
