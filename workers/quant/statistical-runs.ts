import { findMetric } from '#lib/data/metric-values.query.ts';
import { metricValues, type MetricAnswer } from '#lib/forecasting/series/metric-series.query.ts';
import { statisticalRunsRun } from '#lib/quant/models/statistical-runs.run.ts';
import { runner } from '../process/runner.ts';

export default runner(statisticalRunsRun, {
  /** Reads the values of the metric that were known when the run was submitted; null if the input contains the values. */
  load: async (em, { input, datasetRevisions: revisions }): Promise<MetricAnswer | null> => {
    const { metric: name, company_id: company, frequency, as_of: at } = input;
    if (name === null) return null;
    const metric = await findMetric(em, name);
    if (!metric) throw new Error(`the metric ${name} no longer exists`);
    return metricValues(em, {
      metric,
      company,
      frequency: frequency ?? undefined,
      knowledge: { at: at!, revisions },
    });
  },
  compute: new URL('./statistical-runs.compute.ts', import.meta.url),
});
