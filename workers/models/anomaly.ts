import { everyRow, numericValues, valuesByDay } from '#lib/data/numeric-values.query.ts';
import { anomalyRun } from '#lib/models/anomaly/anomaly.run.ts';
import { isSeriesMethod } from '#lib/models/anomaly/anomaly-methods.ts';
import { runner } from '../process/runner.ts';

/**
 * The reference rows in the order of the dataset; null if the request supplied its own reference rows. Rows
 * of the dataset that lack a value are left out. For the methods for series, all rows are kept, ordered by
 * day, with NaN for a missing value.
 */
export type LoadedReference = { values: Float64Array; leftOut: number } | null;

export default runner(anomalyRun, {
  /** Reads the content that the dataset had when the run was submitted. */
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
