import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, Nullable, Uid } from '#lib/core/schema.ts';
import { instrumentStatuses, sectorChanges, symbolRanges } from '#lib/data/instrument.ts';
import { sectorRows } from '#lib/data/instrument.query.ts';
import { ageDays, Block, defineBlock } from './block.ts';
import { Day, Text } from './wire.ts';

/** Maximum number of symbol and sector changes that the block lists. */
const CHANGES_MAX = 50;

const schema = Block(
  {
    uid: Uid(prefixes.instrument, 'The instrument. Its uid stays the same when the symbol changes.'),
    name: Text(200, 'The name of the company.', 'Apple Inc.'),
    exchange: Nullable(Text(16, 'The exchange.', 'XNAS'), 'The exchange; null if not provided.'),
    currency: Nullable(
      Text(3, 'ISO 4217 code.', 'USD'),
      'ISO 4217 code of the price currency; null if not provided.',
    ),
    status: Nullable(
      Type.Enum([...instrumentStatuses], { description: 'Whether the instrument is traded.' }),
      'Whether the instrument is traded; null if not provided.',
    ),
    sector: Nullable(Text(200, 'The sector.', 'Energy'), 'The sector; null if not provided.'),
    sub_industry: Nullable(
      Text(200, 'The sub-industry.', 'Technology Hardware'),
      'The sub-industry; null if not provided.',
    ),
    symbols: Type.Array(
      Closed(
        {
          symbol: Text(32, 'The symbol.', 'FB'),
          from: Nullable(
            Day('First day of the symbol.'),
            'First day of the symbol; null for the first symbol, which has no lower bound.',
          ),
          until: Nullable(
            Day('First day without the symbol.'),
            'First day without the symbol; null if the symbol still applies.',
          ),
        },
        { title: 'CompanySymbol', description: 'A symbol and the days on which it applies.' },
      ),
      { maxItems: CHANGES_MAX, description: 'The known symbols, oldest first.' },
    ),
    sectors: Type.Array(
      Closed(
        {
          sector: Text(200, 'The sector.', 'Energy'),
          from: Day('The first day on which the sector is known to apply.'),
          known_at: Instant,
        },
        { title: 'CompanySector', description: 'A sector and the time it became known.' },
      ),
      { maxItems: CHANGES_MAX, description: `The last ${CHANGES_MAX} changes of the sector, oldest first.` },
    ),
  },
  {
    title: 'CompanyIdentity',
    description: 'The identity of the company, from the description of its instrument.',
    since: 'the time when the newest of these details became known',
  },
);

/** The description of the company's instrument, with its former symbols and sectors. */
export const identity = defineBlock({
  scope: 'data:reference:read',
  kind: 'instruments',
  schema,
  async read(em, company) {
    const { state, subject, day } = company;
    const sectors = sectorChanges(await sectorRows(em, state.uid, day));
    return {
      dataset: state.datasetUid,
      known_at: state.knownAt,
      age_days: ageDays(company, state.knownAt),
      uid: state.uid,
      name: state.name,
      exchange: state.exchange,
      currency: state.currency,
      status: state.status,
      sector: state.sector,
      sub_industry: state.subIndustry,
      symbols: symbolRanges(subject.symbols).slice(-CHANGES_MAX),
      sectors: sectors.slice(-CHANGES_MAX).map(({ sector, observedOn, knownAt }) => ({
        sector: sector!,
        from: observedOn,
        known_at: knownAt,
      })),
    };
  },
});
