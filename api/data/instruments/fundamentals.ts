import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Day, Decimal, Closed, Instant, ListOf, Uid, pageQuery } from '#lib/core/schema.ts';
import type { ObservedRow } from '#lib/data/series-rows.query.ts';
import { defineList } from '../../services.ts';
import { asOfQuery } from '../../as-of.ts';
import { KnownAtBasis, rangeQuery } from '../wire.ts';
import { seriesListing } from './series-list.ts';

const metric = (description: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description, examples: ['ebitda'] });

const Fundamental = Closed(
  {
    observed_on: Day('The end of the reporting period, or the day of the report.'),
    metric: metric('The reported metric.'),
    value: Decimal('The reported value, as a decimal string.', '1416000000'),
    known_at: Instant,
    known_at_basis: KnownAtBasis,
  },
  {
    title: 'Fundamental',
    description: 'A reported value of a company, as known at the end of the `as_of` day.',
  },
);

type FundamentalRow = ObservedRow & { metric: string; value: string };

export const listInstrumentFundamentals = defineList({
  key: 'data.instruments.fundamentals.list',
  product: 'Data',
  method: 'GET',
  path: '/data/instruments/{uid}/fundamentals',
  scope: 'data:fundamentals:read',
  summary: 'Lists the reported fundamentals of an instrument as known at the end of a day, oldest first.',
  description:
    'Values are decimal strings, exactly as imported. If a value was restated, `as_of` returns the value ' +
    'that was known at the end of the given day.',
  query: Closed({
    ...pageQuery,
    ...rangeQuery,
    ...asOfQuery,
    metric: Type.Optional(metric('Returns only values of this metric.')),
    dataset: Type.Optional(
      Uid(
        prefixes.dataset,
        'The dataset of fundamentals to read. Default: the preferred dataset with data about the instrument.',
      ),
    ),
  }),
  success: { status: 200, description: 'A page of fundamentals.', schema: ListOf(Fundamental) },
  problems: ['not_found', 'invalid_cursor'],
  async handle(call) {
    const { metric: only } = call.query;
    return seriesListing(call, {
      kind: 'fundamentals',
      name: 'fundamentals',
      reading: { table: 'fundamental', key: 'metric', columns: ['value'] },
      only,
      filters: { metric: only ?? null },
      keyOf: (row: FundamentalRow) => row.metric,
      present,
    });
  },
});

function present(row: FundamentalRow): Static<typeof Fundamental> {
  return {
    observed_on: row.observedOn,
    metric: row.metric,
    value: row.value,
    known_at: row.knownAt,
    known_at_basis: row.knownAtBasis as Static<typeof KnownAtBasis>,
  };
}
