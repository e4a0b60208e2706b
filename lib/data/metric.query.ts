import type { Em } from '#lib/database/base.ts';
import { isMetricName, isWorkspaceMetric, metricCatalogue, type MetricDefinition } from './metric.ts';
import { OwnMetric } from './metric.entity.ts';
import { heldSeries, metricObservations, type HeldQuestion, type SeriesRow } from './metric-series.query.ts';
import { readableDatasets, type ReadableDataset } from './readable-dataset.query.ts';
import {
  findMetric,
  metricSeriesAsOf,
  type MetricQuestion,
  type MetricSeries,
} from './metric-values.query.ts';

export type ListedMetric = MetricDefinition & { origin: 'catalogue' | 'workspace' };

/** Lists the metrics of the catalogue, then the metrics that the workspace of `em` defines. */
export async function listMetrics(em: Em): Promise<ListedMetric[]> {
  const own = await em.find(OwnMetric, {}, { orderBy: { name: 'asc' } });
  return [
    ...metricCatalogue.map((metric) => ({ ...metric, origin: 'catalogue' as const })),
    ...own.map((metric) => ({ ...metric, origin: 'workspace' as const })),
  ];
}

/**
 * Returns series as `metricSeriesAsOf` does. Returns undefined if neither the catalogue nor the workspace defines the
 * metric.
 */
export async function definedMetricSeries(
  em: Em,
  question: MetricQuestion,
): Promise<MetricSeries[] | undefined> {
  if (!(await findMetric(em, question.metric))) return undefined;
  return metricSeriesAsOf(em, question);
}

export type DescribedSeries = SeriesRow & { is: MetricDefinition | undefined };

/** Lists series as `heldSeries` does, with the definition of each metric. */
export async function describedSeries(em: Em, question: HeldQuestion): Promise<DescribedSeries[]> {
  const series = await heldSeries(em, question);
  const found = new Map<string, MetricDefinition | undefined>();
  for (const { metric } of series) {
    if (!found.has(metric)) found.set(metric, await findMetric(em, metric));
  }
  return series.map((each) => ({ ...each, is: found.get(each.metric) }));
}

/**
 * Lists the metric datasets that the tenant may read; undefined if the metric has neither a definition nor
 * values.
 */
export async function datasetsOfMetric(em: Em, metric: string): Promise<ReadableDataset[] | undefined> {
  if (!isMetricName(metric) && !isWorkspaceMetric(metric)) return undefined;
  const datasets = await readableDatasets(em, 'metrics');
  if (await findMetric(em, metric)) return datasets;
  const any = { datasets, metric, asOf: undefined, after: undefined, limit: 1 };
  return (await metricObservations(em, any)).length > 0 ? datasets : undefined;
}
