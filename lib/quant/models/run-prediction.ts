import { canonicalHash } from '#lib/core/seal.ts';
import type { Outcome } from '#lib/core/run.ts';
import { predict } from '#lib/models/prediction/model.ts';
import { withColumns, type Series } from '#lib/models/prediction/series.ts';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import type { predictionRunsRun } from './prediction-runs.run.ts';
import type { PredictionRunInput } from './prediction-runs.schema.ts';

/** The rows that a prediction reads, and the checkpoint that predicts. */
export type PredictionData = { rows: Series; checkpoint: PredictionCheckpoint };

/**
 * Predicts from each of the newest rows. A row that lacks a value in a column of the model has no prediction. Refuses
 * rows from which nothing can be predicted.
 */
export function runPrediction(
  { as_of, latest, target, horizon }: PredictionRunInput,
  { rows, checkpoint }: PredictionData,
): Outcome<typeof predictionRunsRun> {
  const { factors, parameters } = checkpoint;
  const series = upTo(withColumns(rows, factors), as_of);
  const count = series.days.length;
  const from = Math.max(0, count - latest);
  const predicted = count === 0 ? [] : predict(parameters, series, { target, horizon });
  const predictions = series.days.slice(from).map((date, place) => {
    const at = from + place;
    const isWhole = series.values
      .subarray(at * factors.length, (at + 1) * factors.length)
      .every(Number.isFinite);
    const prediction = predicted[at]!;
    return { date, prediction: isWhole && Number.isFinite(prediction) ? prediction : null };
  });
  if (predictions.every(({ prediction }) => prediction === null)) {
    const detail = `No prediction can be made from the newest ${predictions.length} rows: values are missing, or there are too few earlier rows.`;
    return { ok: false, refusal: { code: 'insufficient_history', detail, members: { observed: count } } };
  }
  const values = Array.from(series.values, (value) => (Number.isNaN(value) ? null : value));
  return {
    ok: true,
    output: {
      input_data: { rows_sha256: canonicalHash({ columns: factors, days: series.days, values }) },
      result: { target, horizon, family: parameters.family, predictions, rows_read: count },
    },
    attachments: {},
  };
}

/** Returns the rows up to a day. */
function upTo({ factors, days, values }: Series, last: string | null): Series {
  const count = last === null ? days.length : days.filter((day) => day <= last).length;
  return { factors, days: days.slice(0, count), values: values.subarray(0, count * factors.length) };
}
