import { everyRow, numericValues, valuesByDay } from '#lib/data/numeric-values.query.ts';
import { anomalyRun } from '#lib/models/anomaly/anomaly.run.ts';
import { isSeriesMethod } from '#lib/models/anomaly/anomaly-methods.ts';
import { runner } from '../process/runner.ts';

/**
 * The reference rows, row by row; null where the request brought them. Rows of the dataset that lack a value are not in
 * it, save of a series, which is by day and has NaN for what it lacks.
 */
export type LoadedReference = { values: Float64Array; leftOut: number } | null;

export default runner(anomalyRun, {
  /** Reads the content of the dataset as it was when the run was submitted. */
  load: async (em, { input }): Promise<LoadedReference> => {
    const { dataset, columns, method } = input;
    if (dataset === null) return null;
    if (!isSeriesMethod(method)) return numericValues(em, dataset, columns);
    const whole = await everyRow(em, dataset, columns);
    if (whole.days.every((day) => day === null)) return { values: whole.values, leftOut: 0 };
    const { days, values } = await valuesByDay(em, dataset, columns);
    return { values, leftOut: whole.days.length - days.length };
  },
  compute: new URL('./anomaly.compute.ts', import.meta.url),
});
