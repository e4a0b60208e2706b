import { sql } from 'kysely';
import { isEntitled } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import { lastCloses } from './close.query.ts';
import { readPortfolio, type ReadPortfolio } from './holdings.query.ts';
import type { TaxLotsInput } from './tax-lots.ts';

/** The input of `taxLots` without its filters. */
export type TaxLotsData = Omit<TaxLotsInput, 'symbol' | 'term' | 'state'>;

/** Reads all data from which the tax lots of a portfolio at the end of a day are derived. */
export function taxLotsInput(em: Em, name: string, asOf: string): Promise<ReadPortfolio<TaxLotsData>> {
  return readPortfolio(em, name, asOf, async ({ portfolio, group, symbols }) => ({
    portfolio: portfolio.key,
    group,
    closes: await lastCloses(em, { symbols, asOf, priceCurrency: 'instrument' }),
    instruments: await instrumentUids(em, symbols),
  }));
}

/**
 * Returns the uid of the instrument of each symbol. A dataset of the workspace takes precedence over a
 * dataset of the platform, then the oldest dataset takes precedence.
 */
async function instrumentUids(em: Em, symbols: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await sql<{ symbol: string; uid: string }>`
    select distinct on (i.symbol) i.symbol, i.uid from instrument i join dataset d on d.id = i.dataset_id and ${isEntitled(em)}
    where i.symbol = any(${[...symbols]}::text[])
    order by i.symbol, d.workspace_uid is null, d.id
  `.execute(em.getKysely());
  return Object.fromEntries(rows.map(({ symbol, uid }) => [symbol, uid]));
}
