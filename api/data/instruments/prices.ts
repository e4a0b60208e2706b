import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { utcDate } from '#lib/core/clock.ts';
import { Day, Decimal, Closed, Instant, ListOf, Nullable, Uid, pageQuery } from '#lib/core/schema.ts';
import { factorsOn, scaled, type AdjustmentStep } from '#lib/data/adjustment.ts';
import { priceFrequencies } from '#lib/data/instrument-series.query.ts';
import type { ObservedRow } from '#lib/data/series-rows.query.ts';
import { defineList } from '../../services.ts';
import { asOfQuery } from '../../as-of.ts';
import { KnownAtBasis, rangeQuery } from '../wire.ts';
import { seriesListing } from './series-list.ts';

const adjustments = ['none', 'vendor', 'derived'] as const;

const Price = Closed(
  {
    observed_on: Day('The day of the price. For a monthly series, the last trading day of the month.'),
    open: Nullable(
      Decimal('The first price of the day.', '19.7793'),
      'The first price of the day; null if not known.',
    ),
    high: Nullable(
      Decimal('The highest price of the day.', '19.8214'),
      'The highest price of the day; null if not known.',
    ),
    low: Nullable(
      Decimal('The lowest price of the day.', '19.3439'),
      'The lowest price of the day; null if not known.',
    ),
    close: Decimal('The last price of the day.', '19.6082'),
    volume: Nullable(
      Decimal('Number of shares traded.', '560518000'),
      'Number of shares traded; null if not known.',
    ),
    adjustment: Type.Enum([...adjustments], {
      description:
        'The adjustment applied: `none`, the adjusted close of the `vendor`, or an adjustment `derived` ' +
        'from the known splits and dividends.',
    }),
    factor: Type.Number({
      description: 'The factor by which the imported close was multiplied; 1 without adjustment.',
      examples: [1],
    }),
    known_at: Instant,
    known_at_basis: KnownAtBasis,
  },
  { title: 'Price', description: 'A price of an instrument, as known at the end of the `as_of` day.' },
);

type PriceRow = ObservedRow & {
  open: string | null;
  high: string | null;
  low: string | null;
  close: string;
  adj_close: string | null;
  volume: string | null;
};

export const listInstrumentPrices = defineList({
  key: 'data.instruments.prices.list',
  product: 'Data',
  method: 'GET',
  path: '/data/instruments/{uid}/prices',
  scope: 'data:market:read',
  summary: 'Lists the prices of an instrument as known at the end of a day, oldest first.',
  description:
    'Prices are decimal strings. All prices of an answer come from one dataset: the dataset named in `dataset`, or by default the price dataset of the owner of the instrument. Without `frequency`, the daily series is returned, or the monthly series if there is no daily series. By default, adjusted prices are those of the vendor, if the imported file has them. They may include information that the vendor learned later. Prices with `adjusted_by=derived` use only splits and cash dividends that were known by the `as_of` day and whose ex-date has passed. Derived prices are rounded to 10 significant digits. The factor of a dividend is computed from the last daily close before its ex-date, or from the previous month-end close if there is no daily close.',
  query: Closed({
    ...pageQuery,
    ...rangeQuery,
    ...asOfQuery,
    frequency: Type.Optional(
      Type.Enum([...priceFrequencies], { description: 'Returns only the series of this frequency.' }),
    ),
    adjusted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether prices are adjusted for splits and cash dividends.',
        examples: [true],
      }),
    ),
    adjusted_by: Type.Optional(
      Type.Enum(['vendor', 'derived'], {
        default: 'vendor',
        description:
          "The source of the adjustment: the vendor's adjusted closes where available, or factors derived " +
          'from known splits and dividends.',
        examples: ['derived'],
      }),
    ),
    dataset: Type.Optional(
      Uid(
        prefixes.dataset,
        'The price dataset to read. Default: the preferred dataset with data about the instrument.',
      ),
    ),
  }),
  success: { status: 200, description: 'A page of prices.', schema: ListOf(Price) },
  problems: ['not_found', 'invalid_cursor'],
  async handle(call) {
    const { services, query } = call;
    const { frequency, adjusted = false, adjusted_by: by = 'vendor' } = query;
    const until = query.as_of ?? utcDate(services.clock.now());
    return seriesListing(call, {
      kind: 'prices',
      frequency,
      name: 'prices',
      reading: { table: 'price', columns: ['open', 'high', 'low', 'close', 'adj_close', 'volume'] },
      filters: { frequency: frequency ?? null, adjusted, adjusted_by: by },
      adjustUntil: adjusted ? until : undefined,
      keyOf: () => undefined,
      present: (row: PriceRow, steps) => present(row, { steps, isByVendor: by === 'vendor' }),
    });
  },
});

type Adjusting = { steps: readonly AdjustmentStep[] | null; isByVendor: boolean };

/**
 * Presents a price. Without adjustment steps, the price is unadjusted. With steps, the price is adjusted: by
 * the vendor's adjusted close if `isByVendor` is set and the row has an adjusted close, otherwise by the
 * steps.
 */
function present(row: PriceRow, { steps, isByVendor }: Adjusting): Static<typeof Price> {
  const { observedOn, knownAt, knownAtBasis, adj_close: vendor, close } = row;
  const isVendor = steps !== null && isByVendor && vendor !== null;
  const derived = steps === null ? { price: 1, volume: 1 } : factorsOn(steps, observedOn);
  const factor = isVendor ? Number(vendor) / Number(close) : derived.price;
  const times = (text: string | null) => (text === null ? null : scaled(text, factor));
  return {
    observed_on: observedOn,
    open: times(row.open),
    high: times(row.high),
    low: times(row.low),
    close: isVendor ? vendor : scaled(close, factor),
    volume: isVendor || row.volume === null ? row.volume : scaled(row.volume, derived.volume),
    adjustment: steps === null ? 'none' : isVendor ? 'vendor' : 'derived',
    factor,
    known_at: knownAt,
    known_at_basis: knownAtBasis as Static<typeof KnownAtBasis>,
  };
}
