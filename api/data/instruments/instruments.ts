import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Day, Closed, Instant, InstantOf, ListOf, Nullable, Uid, pageQuery } from '#lib/core/schema.ts';
import { instrumentStatuses } from '#lib/data/instrument.ts';
import { listInstruments as rowsOf, type InstrumentState } from '#lib/data/instrument.query.ts';
import { instrumentDetail } from '#lib/data/served-series.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { asOfQuery, checkedAsOf } from '../../as-of.ts';
import { KnownAtBasis } from '../wire.ts';

const PATH = '/data/instruments';

const symbol = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9.^=_-]{1,32}$', description, examples: ['AAPL'] });
const exchange = (description: string) =>
  Type.String({ pattern: '^[A-Z0-9._-]{1,16}$', description, examples: ['XNAS'] });
const label = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const members = {
  uid: Uid(prefixes.instrument, 'Identifier of the instrument. It stays the same when the symbol changes.'),
  dataset: Uid(prefixes.dataset, 'The dataset that provides these details.'),
  symbol: symbol('The current symbol of the instrument.'),
  name: label('The name of the instrument.', 'Apple Inc.'),
  exchange: Nullable(
    exchange('The exchange.'),
    'The exchange on which the instrument trades; null if not provided.',
  ),
  currency: Nullable(
    Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD'] }),
    'ISO 4217 code of the price currency; null if not provided.',
  ),
  sector: Nullable(
    label('The sector.', 'Information Technology'),
    'The sector of the instrument; null if not provided.',
  ),
  sub_industry: Nullable(
    label('The sub-industry.', 'Technology Hardware'),
    'The sub-industry of the instrument; null if not provided.',
  ),
  status: Nullable(
    Type.Enum([...instrumentStatuses], { description: 'Trading status of the instrument.' }),
    'Trading status of the instrument; null if not provided.',
  ),
  known_at: InstantOf('When the newest of these details became known.'),
};

const Instrument = Closed(members, {
  title: 'Instrument',
  description: 'An instrument, as known at the end of the `as_of` day.',
});

const InstrumentDetail = Closed(
  {
    ...members,
    symbols: Type.Array(
      Closed(
        {
          symbol: symbol('A symbol of the instrument.'),
          from: Nullable(
            Day('First day of the symbol.'),
            'First day of the symbol; null for the first symbol of the instrument, which has no lower bound.',
          ),
          until: Nullable(
            Day('The first day without the symbol.'),
            'First day without the symbol; null if the symbol still applies.',
          ),
        },
        { title: 'SymbolRange', description: 'A symbol and the days on which it applies.' },
      ),
      { description: 'All symbols of the instrument, oldest first.' },
    ),
    sectors: Type.Array(
      Closed(
        {
          sector: label('The sector.', 'Information Technology'),
          from: Day('The day from which the instrument belongs to the sector.'),
          known_at: Instant,
          known_at_basis: KnownAtBasis,
        },
        { title: 'SectorChange', description: 'A sector and the time it became known.' },
      ),
      { description: 'The sectors of the instrument over time, oldest first.' },
    ),
    prices: Nullable(
      Closed(
        {
          dataset: Uid(prefixes.dataset, 'The dataset that the prices are read from.'),
          from: Day('The first day with a price.'),
          to: Day('The last day with a price.'),
        },
        { title: 'PriceCoverage', description: 'The range of available prices.' },
      ),
      'The range of known prices; null if there are none.',
    ),
  },
  {
    title: 'InstrumentDetail',
    description: 'An instrument with its history, as known at the end of the `as_of` day.',
  },
);

export const listInstruments = defineOperation({
  key: 'data.instruments.list',
  product: 'Data',
  method: 'GET',
  path: PATH,
  scope: 'data:reference:read',
  summary: 'Lists the instruments of the readable datasets, newest first.',
  description:
    'With `as_of`, each instrument appears as it was known at the end of the given day. Instruments about which nothing was known at that time are left out. Each field has the last value known at that time.',
  query: Closed({
    ...pageQuery,
    ...asOfQuery,
    symbol: Type.Optional(symbol('Returns only instruments that have or had this symbol.')),
    sector: Type.Optional(label('Returns only instruments of this sector.', 'Energy')),
    exchange: Type.Optional(exchange('Returns only instruments traded on this exchange.')),
    status: Type.Optional(
      Type.Enum([...instrumentStatuses], { description: 'Returns only instruments with this status.' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Part of the name or the symbol.',
        examples: ['apple'],
      }),
    ),
  }),
  success: { status: 200, description: 'A page of instruments.', schema: ListOf(Instrument) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { limit: _, cursor: __, as_of, ...filters } = query;
    const asOf = checkedAsOf(as_of, services.clock);
    return listReply(services, query, {
      list: PATH,
      filters: {
        as_of: asOf ?? null,
        symbol: query.symbol ?? null,
        sector: query.sector ?? null,
        exchange: query.exchange ?? null,
        status: query.status ?? null,
        q: query.q ?? null,
      },
      rows: (em, page) => rowsOf(em, { ...filters, asOf, ...page }),
      present,
    });
  },
});

export const getInstrument = defineOperation({
  key: 'data.instruments.get',
  product: 'Data',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'data:reference:read',
  summary: 'Returns an instrument with its symbols, its sectors and the range of its prices.',
  description:
    'With `as_of`, the instrument is returned as it was known at the end of the given day. The answer is 404 if ' +
    'nothing was known by then.',
  query: Closed(asOfQuery),
  success: { status: 200, description: 'The instrument.', schema: InstrumentDetail },
  problems: ['not_found'],
  async handle({ services, params, query, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock);
    const found = await services.query(instrumentDetail, params.uid, asOf);
    if (!found) return fail('not_found', 'There is no such instrument.');
    return {
      status: 200,
      body: {
        ...present(found.state),
        symbols: found.ranges,
        sectors: found.sectors.map(({ sector, observedOn, knownAt, knownAtBasis }) => ({
          sector: sector!,
          from: observedOn,
          known_at: knownAt,
          known_at_basis: knownAtBasis as Static<typeof KnownAtBasis>,
        })),
        prices: found.prices,
      },
    };
  },
});

function present(state: InstrumentState): Static<typeof Instrument> {
  return {
    uid: state.uid,
    dataset: state.datasetUid,
    symbol: state.symbol,
    name: state.name,
    exchange: state.exchange,
    currency: state.currency,
    sector: state.sector,
    sub_industry: state.subIndustry,
    status: state.status,
    known_at: state.knownAt,
  };
}
