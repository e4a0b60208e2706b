import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, ListOf, Nullable, Uid, pageQuery } from '#lib/core/schema.ts';
import { instrumentStatuses } from '#lib/data/instrument.ts';
import { listInstruments as rowsOf, type InstrumentState } from '#lib/data/instrument.query.ts';
import { instrumentDetail } from '#lib/data/served-series.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { checkedAsOf } from '../../as-of.ts';
import { asOfQuery, Day, KnownAtBasis } from '../wire.ts';

const PATH = '/data/instruments';

const symbol = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9.^=_-]{1,32}$', description, examples: ['AAPL'] });
const exchange = (description: string) =>
  Type.String({ pattern: '^[A-Z0-9._-]{1,16}$', description, examples: ['XNAS'] });
const label = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const members = {
  uid: Uid(prefixes.instrument, 'It stays when the symbol changes.'),
  dataset: Uid(prefixes.dataset, 'The dataset that says this of it.'),
  symbol: symbol('The symbol that it has.'),
  name: label('Its name.', 'Apple Inc.'),
  exchange: Nullable(exchange('Where it is traded.'), 'Where it is traded; null if nobody said.'),
  currency: Nullable(
    Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD'] }),
    'ISO 4217 code of the currency of its prices; null if nobody said.',
  ),
  sector: Nullable(label('Its sector.', 'Information Technology'), 'Its sector; null if nobody said.'),
  sub_industry: Nullable(
    label('Its sub-industry.', 'Technology Hardware'),
    'Its sub-industry; null if nobody said.',
  ),
  status: Nullable(
    Type.Enum([...instrumentStatuses], { description: 'Whether it is traded.' }),
    'Whether it is traded; null if nobody said.',
  ),
  known_at: InstantOf('When the newest of this was known.'),
};

const Instrument = Closed(members, { title: 'Instrument', description: 'An instrument as it was known.' });

const InstrumentDetail = Closed(
  {
    ...members,
    symbols: Type.Array(
      Closed(
        {
          symbol: symbol('A symbol of it.'),
          from: Nullable(Day('The first day.'), 'The first day; null is from the beginning.'),
          until: Nullable(Day('The day of the change.'), 'The first day without it; null is until now.'),
        },
        { title: 'SymbolRange', description: 'The days on which it has a symbol.' },
      ),
      { description: 'Its symbols, the oldest first.' },
    ),
    sectors: Type.Array(
      Closed(
        {
          sector: label('The sector.', 'Information Technology'),
          from: Day('The day from which it is known to be in it.'),
          known_at: Instant,
          known_at_basis: KnownAtBasis,
        },
        { title: 'SectorChange', description: 'A sector, and when it was known.' },
      ),
      { description: 'How its sector changed, the oldest first.' },
    ),
    prices: Nullable(
      Closed(
        {
          dataset: Uid(prefixes.dataset, 'The dataset of prices that serves it.'),
          from: Day('The first day with a price.'),
          to: Day('The last day with a price.'),
        },
        { title: 'PriceCoverage', description: 'The prices that there are.' },
      ),
      'The prices that were known; null without any.',
    ),
  },
  { title: 'InstrumentDetail', description: 'An instrument with its history as it was known.' },
);

export const listInstruments = defineOperation({
  key: 'data.instruments.list',
  product: 'Data',
  method: 'GET',
  path: PATH,
  scope: 'data:reference:read',
  summary: 'Lists the instruments of the readable datasets, newest first.',
  description:
    'An instrument appears as it was known by the end of the day of `as_of`; one of which nothing was known then does ' +
    'not. Of each member the last that was said counts.',
  query: Closed({
    ...pageQuery,
    ...asOfQuery,
    symbol: Type.Optional(symbol('Only what has or had this symbol.')),
    sector: Type.Optional(label('Only this sector.', 'Energy')),
    exchange: Type.Optional(exchange('Only what is traded there.')),
    status: Type.Optional(Type.Enum([...instrumentStatuses], { description: 'Only with this status.' })),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Part of the name or symbol.',
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
  summary: 'Reads an instrument with its symbols, its sectors and the days of its prices.',
  description: 'As it was known by the end of the day of `as_of`; 404 when nothing was.',
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
