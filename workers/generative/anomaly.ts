import { numericValues } from '#lib/data/numeric-values.repository.ts';
import type { anomalyJob } from '#lib/generative/anomaly.job.ts';
import type { Loader } from '../runner.ts';

/** The reference rows, row by row; null where the request brought them. Rows of the dataset that lack a value are not in it. */
export type LoadedReference = { values: Float64Array; leftOut: number } | null;

/** Reads the content of the dataset as it was when the run was submitted. */
export const loadAnomaly: Loader<typeof anomalyJob, LoadedReference> = async (em, { input }) =>
  input.dataset === null ? null : numericValues(em, input.dataset, input.columns);
