import Type from 'typebox';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { datasetsOfMetric, describedSeries } from '#lib/data/metric.query.ts';
import {
  metricObservations,
  type ObservationPlace,
  type SeriesPlace,
} from '#lib/data/metric-series.query.ts';
import { periodName } from '#lib/data/period.ts';
import { readableDatasets, stateOf, type ReadableDataset } from '#lib/data/readable-dataset.query.ts';
import { asOfQuery, checkedAsOf } from '../as-of.ts';
import { keysetListing } from '../http/keyset.ts';
import { defineList } from '../services.ts';
import { CompanyId, Frequency, MetricObservationResource, MetricSeriesResource } from './metrics.schema.ts';
import { rangeQuery } from './wire.ts';

const METRICS = '/data/metrics';
const UNKNOWN = 'There is no such metric.';

const seriesQuery = {
  company_id: Type.Optional({ ...CompanyId, description: 'Returns only series of this company.' }),
  frequency: Type.Optional({ ...Frequency, description: 'Returns only series with periods of this length.' }),
};

export const listMetrics = defineList({
  key: 'data.metrics.list',
  product: 'Data',
  method: 'GET',
  path: METRICS,
  scope: 'data:fundamentals:read',
  addition: true,
  summary: 'Lists the available metric series, ordered by metric, company and frequency.',
  description:
    'Metrics of the workspace itself, such as those derived from its ledger, have no company. With ' +
    '`as_of`, only series with at least one value known by the end of the given day are returned.',
  query: Closed({ ...pageQuery, ...asOfQuery, ...seriesQuery }),
  success: { status: 200, description: 'A page of series.', schema: ListOf(MetricSeriesResource) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { company_id: company, frequency } = query;
    const asOf = checkedAsOf(query.as_of, services.clock);
    const datasets = await services.query(readableDatasets, 'metrics');
    return keysetListing(services, query, {
      list: METRICS,
      filters: { as_of: asOf ?? null, company_id: company ?? null, frequency: frequency ?? null },
      version: stateOf(datasets),
      rows(em, { after, limit }) {
        const place = after === undefined ? undefined : (JSON.parse(after) as SeriesPlace);
        return describedSeries(em, { datasets, company, frequency, asOf, after: place, limit });
      },
      keyOf: ({ metric, subject, frequency: length }) =>
        JSON.stringify({ metric, subject, frequency: length }),
      present: ({ metric, company: of, frequency: length, datasetId, is }) => {
        const dataset = byId(datasets, datasetId);
        return {
          key: metric,
          company_id: of,
          frequency: length,
          unit: is?.unit ?? null,
          kind: is?.kind ?? null,
          signed: is?.isSigned ?? null,
          description: is?.description ?? null,
          dataset: dataset.uid,
          dataset_owner: dataset.isPlatform ? ('platform' as const) : ('workspace' as const),
        };
      },
    });
  },
});

export const listMetricObservations = defineList({
  key: 'data.metrics.observations.list',
  product: 'Data',
  method: 'GET',
  path: '/data/metrics/{key}/observations',
  scope: 'data:fundamentals:read',
  addition: true,
  summary: 'Lists the observations of a metric as they were known at the end of a day.',
  description:
    'Observations are ordered by company, frequency and period. If a period was restated, `as_of` returns ' +
    'the value that was known at the end of the given day. Values are decimal strings, exactly as imported. Amounts are ' +
    'never converted between currencies.',
  query: Closed({ ...pageQuery, ...rangeQuery, ...asOfQuery, ...seriesQuery }),
  success: {
    status: 200,
    description: 'A page of observations.',
    schema: ListOf(MetricObservationResource),
  },
  problems: ['not_found', 'invalid_cursor'],
  async handle({ services, params, query, fail }) {
    const { from, to, company_id: company, frequency } = query;
    const { key: metric } = params;
    const asOf = checkedAsOf(query.as_of, services.clock);
    const datasets = (await services.query(datasetsOfMetric, metric)) ?? fail('not_found', UNKNOWN);
    return keysetListing(services, query, {
      list: `${METRICS}/${encodeURIComponent(metric)}/observations`,
      filters: {
        from: from ?? null,
        to: to ?? null,
        as_of: asOf ?? null,
        company_id: company ?? null,
        frequency: frequency ?? null,
      },
      version: stateOf(datasets),
      rows: (em, { after, limit }) => {
        const place = after === undefined ? undefined : (JSON.parse(after) as ObservationPlace);
        return metricObservations(em, {
          datasets,
          metric,
          company,
          frequency,
          from,
          to,
          asOf,
          after: place,
          limit,
        });
      },
      keyOf: ({ subject, frequency: length, observedOn }) =>
        JSON.stringify({ subject, frequency: length, observedOn }),
      present: (row) => ({
        company_id: row.company,
        frequency: row.frequency,
        period: periodName({ frequency: row.frequency, lastDay: row.observedOn }),
        observed_on: row.observedOn,
        value: row.value,
        currency: row.currency,
        known_at: row.knownAt,
        known_at_basis: row.knownAtBasis,
        dataset: byId(datasets, row.datasetId).uid,
      }),
    });
  },
});

function byId(datasets: readonly ReadableDataset[], id: number): ReadableDataset {
  return datasets.find((each) => each.id === id)!;
}
