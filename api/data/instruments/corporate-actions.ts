import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Day, Decimal, Closed, Instant, ListOf, Nullable, Uid, pageQuery } from '#lib/core/schema.ts';
import { actionReading, type ActionRow } from '#lib/data/adjustment.query.ts';
import { actionTypes } from '#lib/data/corporate-action.ts';
import { defineList } from '../../services.ts';
import { asOfQuery } from '../../as-of.ts';
import { KnownAtBasis, rangeQuery } from '../wire.ts';
import { seriesListing } from './series-list.ts';

const CorporateAction = Closed(
  {
    ex_date: Day('The first day on which the share trades without the entitlement.'),
    type: Type.Enum([...actionTypes], {
      description: 'The type of the action. A stock dividend counts as a split.',
    }),
    amount: Nullable(
      Decimal('Cash dividend per share.', '0.205'),
      'Cash dividend per share, in the currency of the instrument; null for a split.',
    ),
    ratio: Nullable(
      Decimal('Ratio of a split.', '4'),
      'Number of new shares for each old share; null for a dividend.',
    ),
    basis: Nullable(
      Type.String({ maxLength: 200, examples: ['vendor_factor'] }),
      'The origin of the information, as stated in the file; null if not stated.',
    ),
    known_at: Instant,
    known_at_basis: KnownAtBasis,
  },
  {
    title: 'CorporateAction',
    description: 'A dividend or split of an instrument, as known at the end of the `as_of` day.',
  },
);

export const listInstrumentCorporateActions = defineList({
  key: 'data.instruments.corporate_actions.list',
  product: 'Data',
  method: 'GET',
  path: '/data/instruments/{uid}/corporate-actions',
  scope: 'data:market:read',
  summary:
    'Lists the dividends and splits of an instrument as known at the end of a day, ordered by ex-date.',
  description:
    'An announced action is listed from the day of its announcement, even while its ex-date is in the ' +
    'future.',
  query: Closed({
    ...pageQuery,
    ...rangeQuery,
    ...asOfQuery,
    type: Type.Optional(Type.Enum([...actionTypes], { description: 'Returns only actions of this type.' })),
    dataset: Type.Optional(
      Uid(
        prefixes.dataset,
        'The dataset of corporate actions to read. Default: the preferred dataset with data about the instrument.',
      ),
    ),
  }),
  success: { status: 200, description: 'A page of corporate actions.', schema: ListOf(CorporateAction) },
  problems: ['not_found', 'invalid_cursor'],
  async handle(call) {
    const { type } = call.query;
    return seriesListing(call, {
      kind: 'corporate_actions',
      name: 'corporate-actions',
      reading: actionReading,
      only: type,
      filters: { type: type ?? null },
      keyOf: ({ type: key }: ActionRow) => key,
      present,
    });
  },
});

function present(row: ActionRow): Static<typeof CorporateAction> {
  return {
    ex_date: row.observedOn,
    type: row.type,
    amount: row.amount,
    ratio: row.ratio,
    basis: row.basis,
    known_at: row.knownAt,
    known_at_basis: row.knownAtBasis as Static<typeof KnownAtBasis>,
  };
}
