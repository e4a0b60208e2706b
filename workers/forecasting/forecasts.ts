import { forecastModelOf, type ForecastModel } from '#lib/forecasting/engine/forecast-models.ts';
import { findMetric } from '#lib/data/metric-values.query.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import { metricValues, type MetricAnswer } from '#lib/forecasting/series/metric-series.query.ts';
import { runner } from '../process/runner.ts';

/** The values of the metric, and the model of the run. */
export type ForecastData = { answer: MetricAnswer; model: ForecastModel };

export default runner(forecastsRun, {
  /** Reads the values of the forecast metric that were known when the run was submitted. */
  load: async (em, run): Promise<ForecastData> => {
    const { metric: name, company_id: company, frequency, as_of: at } = run.input;
    const metric = await findMetric(em, name);
    if (!metric) throw new Error(`the metric ${name} no longer exists`);
    const answer = await metricValues(em, {
      metric,
      company,
      frequency: frequency ?? undefined,
      knowledge: { at, revisions: run.datasetRevisions },
    });
    return { answer, model: forecastModelOf(run.modelKey) };
  },
  compute: new URL('./forecasts.compute.ts', import.meta.url),
});
