import { canonicalHash } from '#lib/core/seal.ts';
import type { ModelRunInput } from '#lib/models/registry/model-run.schema.ts';
import type { PredictionCheckpoint, PredictionTask } from '#lib/models/registry/prediction.schema.ts';
import { profileOf, sampleOf } from '../drift/drift-column.ts';
import { referenceProfile } from '../drift/reference-profile.ts';
import { meanSquare, naiveBaseline } from './baseline.ts';
import { fitModel, predict, type MemberCheckpoints } from './model.ts';
import { columnOf, type Series } from './series.ts';

/** Trains a model that predicts a target; null if its family cannot be fitted to these rows. */
export function trainPrediction(
  series: Series,
  input: ModelRunInput & { prediction: PredictionTask },
  members: MemberCheckpoints,
) {
  const { prediction: task, dataset } = input;
  const parameters = fitModel(series, task, members);
  if (!parameters) return null;
  const { meanSquaredError, ...baseline } = naiveBaseline(series, task);
  const actual = columnOf(series, task.target).slice(task.horizon);
  const predicted = predict(parameters, series, task).slice(0, actual.length);
  const from = predicted.findIndex((value) => !Number.isNaN(value));
  const checkpoint: PredictionCheckpoint = {
    recipe: `${parameters.family}/1`,
    factors: [...series.factors],
    target: task.target,
    horizon: task.horizon,
    parameters,
    baseline,
    reference_profile: {
      target: profileOf(sampleOf(columnOf(series, task.target))),
      predictions: profileOf(sampleOf(predicted.slice(from))),
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
    mean_squared_error: meanSquare(actual.slice(from), (value, at) => value - predicted[from + at]!),
    baseline_mean_squared_error: meanSquaredError,
  };
}
