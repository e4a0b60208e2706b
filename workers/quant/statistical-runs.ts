import { findMetric } from '#lib/data/metric-values.query.ts';
import { forecastModelOf } from '#lib/forecasting/engine/forecast-models.ts';
import { metricValues } from '#lib/forecasting/series/metric-series.query.ts';
import type { StatisticalData } from '#lib/quant/models/run-statistical.ts';
import { statisticalRunsRun } from '#lib/quant/models/statistical-runs.run.ts';
import { runner } from '../process/runner.ts';

export default runner(statisticalRunsRun, {
  /**
   * Reads the values of the metric that were known when the run was submitted; null if the input contains the values.
   */
  load: async (em, { input, modelKey, datasetRevisions: revisions }): Promise<StatisticalData> => {
    const { metric: name, company_id: company, frequency, as_of: at } = input;
    const model = forecastModelOf(modelKey);
    if (name === null) return { model, answer: null };
    const metric = await findMetric(em, name);
    if (!metric) throw new Error(`the metric ${name} no longer exists`);
    const answer = await metricValues(em, {
      metric,
      company,
      frequency: frequency ?? undefined,
      knowledge: { at: at!, revisions },
    });
    return { model, answer };
  },
  compute: new URL('./statistical-runs.compute.ts', import.meta.url),
});
