import Type from 'typebox';
import { Closed, IsoDate, ListOf, pageQuery } from '#lib/core/schema.ts';
import { economicFrequencies } from '#lib/data/economic-series.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { coveredSeries, economicState, seriesInState, seriesKnownBy } from '#lib/data/economics.query.ts';
import type { EconomicSeries } from '#lib/data/economic-series.query.ts';
import {
  economicObservations,
  vintages,
  type EconomicObservation,
  type ObservationPlace,
} from '#lib/data/economic-observations.query.ts';
import { asOfQuery, checkedAsOf } from '../as-of.ts';
import { keysetListing } from '../http/keyset.ts';
import { defineList, defineOperation } from '../services.ts';
import {
  EconomicObservationResource,
  EconomicSeriesResource,
  EconomicSeriesSummary,
} from './economics.schema.ts';

const SERIES = '/data/economics/series';
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$';
const UNKNOWN = 'The workspace has no data for this series.';

export const listSeries = defineList({
  key: 'data.economics.series.list',
  product: 'Data',
  method: 'GET',
  path: SERIES,
  scope: 'data:economics:read',
  summary: 'Lists economic series in order of their keys.',
  description:
    'Returns the series of all datasets that the workspace is entitled to. The list is empty if there are ' +
    'none. Filters narrow the list. With `as_of`, each series appears as it was described at the end of ' +
    'the given day; a series with no description and no observation by then is left out.',
  query: Closed({
    ...pageQuery,
    ...asOfQuery,
    frequency: Type.Optional(
      Type.Enum([...economicFrequencies], { description: 'Returns only series with this frequency.' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: PRINTABLE,
        description: 'Part of the key or the title. Case does not matter.',
        examples: ['gross domestic'],
      }),
    ),
    source: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: PRINTABLE,
        description: 'The full name of the source. Case does not matter.',
        examples: ['FRED'],
      }),
    ),
  }),
  success: { status: 200, description: 'A page of series.', schema: ListOf(EconomicSeriesSummary) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { frequency, q, source } = query;
    const asOf = checkedAsOf(query.as_of, services.clock);
    const version = await services.query(economicState);
    return keysetListing(services, query, {
      list: SERIES,
      filters: { as_of: asOf ?? null, frequency: frequency ?? null, q: q ?? null, source: source ?? null },
      version,
      rows(em, page) {
        const isGoingOn = page.after !== undefined && query.cursor === undefined;
        return seriesInState(em, { asOf, frequency, q, source, ...page }, isGoingOn ? version : undefined);
      },
      keyOf: ({ key }) => key,
      present: presentSeries,
    });
  },
});

export const getSeries = defineOperation({
  key: 'data.economics.series.get',
  product: 'Data',
  method: 'GET',
  path: '/data/economics/series/{key}',
  scope: 'data:economics:read',
  summary: 'Returns an economic series and the days it covers.',
  description:
    'If several datasets contain the key, a dataset of the workspace takes precedence over one of the ' +
    'platform. With `as_of`, the series is returned as it was described and observed at the end of that ' +
    'day. The answer is 404 if nothing was known by then.',
  query: Closed(asOfQuery),
  success: { status: 200, description: 'The series.', schema: EconomicSeriesResource },
  problems: ['not_found'],
  async handle({ services, params, query, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock);
    const found = await services.query(coveredSeries, params.key, asOf);
    const { series, coverage } = found ?? fail('not_found', UNKNOWN);
    const { first, last, observations } = coverage;
    const body = { ...presentSeries(series), first_observed_on: first, last_observed_on: last, observations };
    return { status: 200, body };
  },
});

export const listObservations = defineList({
  key: 'data.economics.series.observations.list',
  product: 'Data',
  method: 'GET',
  path: '/data/economics/series/{key}/observations',
  scope: 'data:economics:read',
  summary: 'Lists the observations of a series as they were known at the end of a day.',
  description:
    'With `as_of`, values that became known later are ignored, so the answer for a past day never changes. ' +
    'If nothing was known by then, the list is empty. `vintage` selects the last known value of each ' +
    'observation (`latest`), its first release (`first`), or every row with the time it became known ' +
    '(`all`). Rows are ordered by the day observed, then by the time they became known.',
  query: Closed({
    ...pageQuery,
    from: Type.Optional({ ...IsoDate, description: 'First observed day, inclusive.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last observed day, inclusive.' }),
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Returns only data known by the end of this day (UTC). Default: everything known now.',
    }),
    vintage: Type.Optional(
      Type.Enum([...vintages], {
        default: 'latest',
        description: 'The vintages to return for each observation.',
        examples: ['first'],
      }),
    ),
  }),
  success: {
    status: 200,
    description: 'A page of observations.',
    schema: ListOf(EconomicObservationResource),
  },
  problems: ['invalid_cursor', 'not_found'],
  async handle({ services, query, params, fail }) {
    const { from, to, vintage = 'latest' } = query;
    const asOf = checkedAsOf(query.as_of, services.clock);
    const known = await services.query(seriesKnownBy, params.key, asOf);
    const series = known === undefined ? fail('not_found', UNKNOWN) : known;
    return keysetListing(services, query, {
      list: `${SERIES}/${encodeURIComponent(params.key)}/observations`,
      filters: { from: from ?? null, to: to ?? null, as_of: asOf ?? null, vintage },
      version: canonicalHash(series && [series.datasetId, series.datasetRevision, series.datasetRows]),
      async rows(em, { after, limit }) {
        if (series === null) return []; // the series is known today, but was not yet known at `asOf`
        const place = after === undefined ? undefined : (JSON.parse(after) as ObservationPlace);
        return economicObservations(em, series, { from, to, asOf, vintage, after: place, limit });
      },
      keyOf: ({ observedOn, knownAt, revision }) => JSON.stringify({ observedOn, knownAt, revision }),
      present: presentObservation,
    });
  },
});

function presentSeries(series: EconomicSeries) {
  return {
    key: series.key,
    title: series.title,
    frequency: series.frequency,
    unit: series.unit,
    seasonal_adjustment: series.seasonalAdjustment,
    source: series.source,
    licence: series.licence,
    dataset: series.datasetUid,
    dataset_name: series.datasetName,
    dataset_owner: series.isPlatform ? ('platform' as const) : ('workspace' as const),
  };
}

function presentObservation(observation: EconomicObservation): EconomicObservationResource {
  return {
    observed_on: observation.observedOn,
    value: observation.value,
    known_at: observation.knownAt,
    known_at_basis: observation.knownAtBasis,
    superseded: observation.superseded,
  };
}
