import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { isoInstant } from '#lib/data/instant-text.ts';
import { Closed, IsoDate, ListOf, pageQuery } from '#lib/core/schema.ts';
import {
  featuresWithVersions,
  featureState,
  valuesInState,
  versionState,
} from '#lib/data/feature/feature.query.ts';
import { keysetListing } from '../../http/keyset.ts';
import { listReply } from '../../http/page.ts';
import { checkedAsOf } from '../../as-of.ts';
import { defineList, defineOperation } from '../../services.ts';
import { presentFeature, presentSummary, presentValue } from './feature.presenter.ts';
import {
  Entity,
  EntityTypeSchema,
  FeatureDetail,
  FeatureStatus,
  FeatureSummary,
  FeatureValue,
} from './feature.schema.ts';

const PATH = '/quant/features';

export const listAllFeatures = defineOperation({
  key: 'quant.features.list',
  product: 'Quant',
  method: 'GET',
  path: PATH,
  scope: 'quant:features:read',
  summary: 'Lists the features of the workspace with their latest versions, newest first.',
  description: 'Features are defined on the command line. Filters narrow the list.',
  query: Closed({
    ...pageQuery,
    entity_type: Type.Optional(EntityTypeSchema),
    status: Type.Optional(FeatureStatus),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Part of the key or the description. Case does not matter.',
        examples: ['momentum'],
      }),
    ),
  }),
  success: { status: 200, description: 'A page of features.', schema: ListOf(FeatureSummary) },
  problems: ['invalid_cursor'],
  async handle({ services, caller, query }) {
    const { entity_type, status, q } = query;
    const { workspace } = caller;
    return listReply(services, query, {
      list: PATH,
      filters: { entity_type: entity_type ?? null, status: status ?? null, q: q ?? null },
      rows: (em, page) =>
        featuresWithVersions(em, { workspace, entityType: entity_type, status, q, ...page }),
      present: ({ row, versions }) => presentSummary(row, versions[0]!),
    });
  },
});

export const getFeature = defineOperation({
  key: 'quant.features.get',
  product: 'Quant',
  method: 'GET',
  path: `${PATH}/{key}`,
  scope: 'quant:features:read',
  summary: 'Returns a feature with its versions and the coverage and freshness of its values.',
  description: 'Coverage and freshness describe the latest version.',
  success: { status: 200, description: 'The feature.', schema: FeatureDetail },
  problems: ['not_found'],
  async handle({ services, caller, params, fail }) {
    const found = await services.query(featureState, caller.workspace, params.key);
    const { row, versions, ...materialisations } = found ?? fail('not_found', 'There is no such feature.');
    const body = presentFeature(row, versions, materialisations, utcDate(services.clock.now()));
    return { status: 200, body };
  },
});

export const listFeatureValues = defineList({
  key: 'quant.features.values.list',
  product: 'Quant',
  method: 'GET',
  path: `${PATH}/{key}/values`,
  scope: 'quant:features:read',
  summary: 'Lists the values of a feature as they were known at the end of a day.',
  description:
    'Values are ordered by entity, then by event time. For each event, the list has the last value known ' +
    'by the end of the `as_of` day; withdrawn values are left out. Data that becomes known after that day ' +
    'does not change the answer. A later import changes the answer only if it states an earlier ' +
    'publication time.',
  query: Closed({
    ...pageQuery,
    as_of: Type.Optional(IsoDate),
    from: Type.Optional(IsoDate),
    to: Type.Optional(IsoDate),
    entity: Type.Optional(Entity),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'The version of the feature. Default: the latest.',
      }),
    ),
  }),
  success: { status: 200, description: 'A page of values.', schema: ListOf(FeatureValue) },
  problems: ['not_found', 'invalid_cursor'],
  async handle({ services, caller, params, query, fail }) {
    const { from, to, entity, version } = query;
    const asOf = checkedAsOf(query.as_of, services.clock);
    const named = { workspace: caller.workspace, key: params.key, version };
    const found = await services.query(versionState, named);
    const {
      id: versionId,
      version: number,
      state,
    } = found ?? fail('not_found', 'There is no such feature or version.');
    return keysetListing(services, query, {
      list: `${PATH}/${params.key}/values`,
      filters: {
        as_of: asOf ?? null,
        from: from ?? null,
        to: to ?? null,
        entity: entity ?? null,
        version: version ?? null,
      },
      version: state,
      rows: (em, { after, limit }) => {
        const isGoingOn = after !== undefined && query.cursor === undefined;
        const requested = { versionId, asOf, from, to, entity, after: afterOf(after), limit };
        return valuesInState(em, requested, isGoingOn ? state : undefined);
      },
      keyOf: (row) => `${isoInstant(row.event_time)} ${row.entity}`,
      present: (row) => presentValue(row, number),
    });
  },
});

/** Parses the position of a value in the list from its cursor. */
function afterOf(place: string | undefined) {
  if (place === undefined) return undefined;
  const [eventTime, ...entity] = place.split(' ');
  return { eventTime: eventTime!, entity: entity.join(' ') };
}
