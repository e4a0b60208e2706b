import Type from 'typebox';
import { sql } from 'kysely';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Minor, Nullable, Uid } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import { lastCloses } from '../portfolios/close.query.ts';
import { countEvents, heldSymbols } from '../portfolios/event-text.query.ts';
import { readGroup } from '../portfolios/portfolio-group.query.ts';
import { portfoliosAsOf } from '../portfolios/portfolio.query.ts';
import { ageDays, Block, defineBlock } from './block.ts';
import { weightReasons, type HoldersInput } from './holders.ts';
import { HOLDER_EVENTS_MAX, possibleHolders } from './possible-holders.query.ts';
import { Fraction, Text } from './wire.ts';

/** Maximum number of portfolios that may hold a company. */
const PORTFOLIOS_MAX = 200;
/** Maximum number of symbols that these portfolios may hold. */
const SYMBOLS_MAX = 2_000;

const holder = {
  portfolio: Text(64, 'The key of the portfolio.', 'growth'),
  portfolio_uid: Uid(prefixes.portfolio, 'The portfolio.'),
};

const schema = Block(
  {
    portfolios: Type.Array(
      Closed(
        {
          ...holder,
          name: Text(200, 'The name of the portfolio.', 'Growth'),
          symbol: Text(100, 'The symbol of the position: the current symbol or a former one.', 'MSFT'),
          quantity: Text(40, 'Shares held, with up to 8 decimals.', '120'),
          currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
          value_minor: Nullable(
            Minor('Quantity times price, in minor units.'),
            'Value at the last close, in minor units; null if there is no close from the last 7 days, or if it is in another currency.',
          ),
          weight: Nullable(
            Fraction('The weight of the position.', 0.12),
            'Value divided by the value of all positions and the cash, a fraction; null with a `weight_reason`.',
          ),
          weight_reason: Nullable(
            Type.Enum([...weightReasons], {
              description:
                'Why the weight is null. `no_price`: the position has no price from the last 7 days. `price_currency`: its closes are in another currency than its lots. `currencies_mixed`: the portfolio has ' +
                'several currencies, which are never converted. `incomplete_value`: another position has no ' +
                'value. `no_value`: the value of the portfolio is not above 0.',
            }),
            'Why there is no weight; null if there is one.',
          ),
        },
        { title: 'CompanyHolder', description: 'The position of a portfolio in the company.' },
      ),
      {
        description:
          'The positions, ordered by portfolio, with the current symbol before former symbols. Empty if no portfolio holds the company.',
      },
    ),
    inconsistent: Type.Array(
      Closed(
        {
          ...holder,
          detail: Text(1_000, 'The first event that contradicts others.', 'sale_exceeds_lots: ...'),
        },
        { title: 'InconsistentHolder', description: 'A portfolio whose positions cannot be derived.' },
      ),
      { maxItems: PORTFOLIOS_MAX, description: 'Portfolios that may hold the company, by key.' },
    ),
  },
  {
    title: 'CompanyHolders',
    description: 'The positions in the company that the portfolios of this workspace and environment hold.',
    since: 'the newest trade in the company',
    dataset: Type.Null({ description: 'Null: positions come from events, not from a dataset.' }),
  },
);

/** The positions in the company that portfolios of the workspace hold, as known by the end of the day. */
export const holders = defineBlock({
  scope: null,
  kind: null,
  schema,
  computation: new URL('./holders.ts', import.meta.url),
  async read(em, company) {
    const { symbols, day } = company;
    const found = await possibleHolders(em, { symbols, asOf: day });
    if (found === 'too_large' || found.holding.length > PORTFOLIOS_MAX) return 'too_large';
    if (found.knownAt === null || found.tradedOn === null) return 'never_observed';
    const input = await inputOf(em, { symbols, uids: found.holding, asOf: day });
    if (input === 'too_large') return 'too_large';
    return { input: { ...input, knownAt: found.knownAt, ageDays: ageDays(company, found.tradedOn) } };
  },
});

async function inputOf(
  em: Em,
  { symbols, uids, asOf }: { symbols: readonly string[]; uids: readonly string[]; asOf: string },
): Promise<Omit<HoldersInput, 'knownAt' | 'ageDays'> | 'too_large'> {
  if ((await countEvents(em, uids, HOLDER_EVENTS_MAX)) > HOLDER_EVENTS_MAX) return 'too_large';
  const known = await portfoliosAsOf(em, asOf, sql`p.uid = any(${[...uids]}::text[])`);
  const { symbols: _, ...group } = await readGroup(em, known, asOf);
  const splits = group.splits.map(({ symbol }) => symbol);
  const held = await heldSymbols(em, { portfolios: uids, asOf, splits });
  if (held.length > SYMBOLS_MAX) return 'too_large';
  return {
    symbols,
    portfolios: known.map(({ uid, key, name }) => ({ uid, key, name })),
    group,
    closes: await lastCloses(em, { symbols: held, asOf, priceCurrency: 'instrument' }),
  };
}
