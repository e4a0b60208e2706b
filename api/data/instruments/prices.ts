import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, Instant, ListOf, Nullable, Uid, pageQuery } from '#lib/core/schema.ts';
import { factorsOn, scaled, type AdjustmentStep } from '#lib/data/adjustment.ts';
import { priceFrequencies } from '#lib/data/instrument-series.query.ts';
import type { ObservedRow } from '#lib/data/series-rows.query.ts';
import { defineList } from '../../services.ts';
import { asOfQuery, Day, Decimal, KnownAtBasis, rangeQuery } from '../wire.ts';
import { seriesListing } from './series-list.ts';

const adjustments = ['none', 'vendor', 'derived'] as const;

const Price = Closed(
  {
    observed_on: Day('The day of the price; of a monthly series the last trading day of the month.'),
    open: Nullable(Decimal('The first price of the day.', '19.7793'), 'The first price; null if not known.'),
    high: Nullable(Decimal('The highest price.', '19.8214'), 'The highest price; null if not known.'),
    low: Nullable(Decimal('The lowest price.', '19.3439'), 'The lowest price; null if not known.'),
    close: Decimal('The last price.', '19.6082'),
    volume: Nullable(Decimal('Shares traded.', '560518000'), 'Shares traded; null if not known.'),
    adjustment: Type.Enum([...adjustments], {
      description:
        'Where the adjustment comes from: not asked for, the adjusted close of the vendor, or the splits and ' +
        'dividends that were known.',
    }),
    factor: Type.Number({
      description: 'What the imported close was multiplied by; 1 when not adjusted.',
      examples: [1],
    }),
    known_at: Instant,
    known_at_basis: KnownAtBasis,
  },
  { title: 'Price', description: 'A price of an instrument as it was known.' },
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
  summary: 'Lists the prices of an instrument as they were known, oldest first.',
  description:
    'Prices are decimal texts, as imported. One dataset serves an instrument: that of the owner of the instrument, ' +
    'or the one that `dataset` names; without a frequency its daily series, or the monthly one where there is no ' +
    'daily one. Adjusted prices are those of the vendor where the file had them: they may rest on what a vendor learned ' +
    'later, which `adjusted_by=derived` never does. Others are derived from the splits ' +
    'and cash dividends that had an ex date and were known by the day of `as_of`, rounded to 10 significant digits; ' +
    'a dividend weighs by the last daily close before it, or by that of the month before.',
  query: Closed({
    ...pageQuery,
    ...rangeQuery,
    ...asOfQuery,
    frequency: Type.Optional(
      Type.Enum([...priceFrequencies], { description: 'Only the series of this frequency.' }),
    ),
    adjusted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Adjusted for splits and cash dividends, or as they are.',
        examples: [true],
      }),
    ),
    adjusted_by: Type.Optional(
      Type.Enum(['vendor', 'derived'], {
        default: 'vendor',
        description:
          'Of adjusted prices: whether adjusted closes of the vendor are taken where there are any.',
        examples: ['derived'],
      }),
    ),
    dataset: Type.Optional(Uid(prefixes.dataset, 'The dataset of prices to read.')),
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

/** Without steps as it is; else by the vendor, or by the steps. */
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
