import { findMetric } from '#lib/data/metric.repository.ts';
import type { forecastsRun } from '#lib/planning/forecasts.run.ts';
import { metricValues, type MetricAnswer } from '#lib/planning/series/metric-series.repository.ts';
import type { Loader } from '../runner.ts';

/** Reads what was known of the metric at the moment of submission. */
export const loadForecasts: Loader<typeof forecastsRun, MetricAnswer> = async (em, run) => {
  const { metric: name, company_id: company, frequency, as_of: at } = run.input;
  const metric = await findMetric(em, name);
  if (!metric) throw new Error(`the metric ${name} is not there any more`);
  return metricValues(em, {
    metric,
    company,
    frequency: frequency ?? undefined,
    knowledge: { at, revisions: run.datasetRevisions },
  });
};
