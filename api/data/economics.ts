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
import { checkedAsOf } from '../as-of.ts';
import { keysetListing } from '../http/keyset.ts';
import { defineList, defineOperation } from '../services.ts';
import { asOfQuery } from './wire.ts';
import {
  EconomicObservationResource,
  EconomicSeriesResource,
  EconomicSeriesSummary,
} from './economics.schema.ts';

const SERIES = '/data/economics/series';
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$';
const UNKNOWN = 'There is no such series among the data of this workspace.';

export const listSeries = defineList({
  key: 'data.economics.series.list',
  product: 'Data',
  method: 'GET',
  path: SERIES,
  scope: 'data:economics:read',
  summary: 'Lists economic series by their key.',
  description:
    'All series of the datasets that the workspace is entitled to; none is an empty list. Filters narrow it. A series ' +
    'appears as it was described by the end of the day of `as_of`; one of which nothing was said or observed by then ' +
    'does not.',
  query: Closed({
    ...pageQuery,
    ...asOfQuery,
    frequency: Type.Optional(
      Type.Enum([...economicFrequencies], { description: 'Only series so observed.' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: PRINTABLE,
        description: 'Part of the key or the title, in any case.',
        examples: ['gross domestic'],
      }),
    ),
    source: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: PRINTABLE,
        description: 'The whole source, in any case.',
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
  summary: 'Reads an economic series and which days it covers.',
  description:
    "Where several datasets have the key, the workspace's own answers before the platform's. As it was described and " +
    'observed by the end of the day of `as_of`; 404 when nothing was.',
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
  summary: 'Lists the observations of a series as they were known by the end of a day.',
  description:
    'With `as_of` nothing counts that was learnt later, so an answer about a day that is over never changes. A series of ' +
    'which nothing was known by then has no observations. ' +
    '`vintage` asks for what was known last (`latest`), for the first release of each value (`first`) or for every ' +
    'row with the moment it was known (`all`). In order of the day observed, then of the moment known.',
  query: Closed({
    ...pageQuery,
    from: Type.Optional({ ...IsoDate, description: 'First day observed.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last day observed.' }),
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Only what was known by the end (UTC) of this day. Default: all that is known.',
    }),
    vintage: Type.Optional(
      Type.Enum([...vintages], {
        default: 'latest',
        description: 'Which vintages of an observation.',
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
        if (series === null) return []; // known today, and not by then
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
