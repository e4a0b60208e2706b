import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { priceSeriesTexts } from './price-series.query.ts';
import type { SymbolPriceText } from './price-text.ts';

export type PriceQuestion = {
  symbols: readonly string[];
  /** First day of observation, inclusive. */
  from: string;
  asOfDate: string;
  /** The dataset revisions that may be read, by dataset id. */
  datasetRevisions: Readonly<Record<string, number>>;
};

/**
 * Returns the last observation of each month and symbol, as known by the end of the as-of day (UTC), in the form of
 * `priceSeriesTexts`. The price is the imported decimal text of the adjusted close or, if the file had no adjusted
 * close, of the close.
 */
export function monthlyPriceTextsAsOf(
  em: Em,
  { symbols, from, asOfDate, datasetRevisions }: PriceQuestion,
): Promise<SymbolPriceText[]> {
  return priceSeriesTexts(em, {
    symbols,
    member: 'return',
    frequency: 'monthly',
    from,
    until: asOfDate,
    asOf: asOfDate,
    revisions: datasetRevisions,
  });
}

/** Returns the newest day on which an entitled dataset has a price; undefined without prices. */
export async function newestPriceDate(em: Em): Promise<string | undefined> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(last_observed_on)::text as newest from dataset where kind = 'prices'
  `.execute(em.getKysely());
  return rows[0]?.newest ?? undefined;
}
