import { sql } from 'kysely';
import { wasImported, wasKnown } from '#lib/data/as-of.query.ts';
import { isEntitled } from '#lib/data/dataset.query.ts';
import { priceCurrencies } from '#lib/data/price-currency.query.ts';
import type { Em } from '#lib/database/base.ts';

/**
 * The last close of a symbol, as the imported decimal text. `currency` is that of the instrument, or null if it is
 * unknown. It is absent if the currencies were not requested: the close then counts as one in the currency of the lots.
 */
export type LastClose = { symbol: string; on: string; price: string; currency?: string | null };

/**
 * Symbols, a day, and the revisions of the datasets that may be read. Without revisions, every revision may
 * be read.
 */
export type SymbolsAsOf = {
  symbols: readonly string[];
  asOf: string;
  revisions?: Readonly<Record<string, number>> | undefined;
};

/** `priceCurrency`: whose currency a close has; undefined for runs that were sealed before closes had a currency. */
export type ClosesQuestion = SymbolsAsOf & { priceCurrency: 'instrument' | undefined };

/** Maximum age of a close in days. Older closes count as missing. */
const CLOSE_DAYS_MAX = 400;

/**
 * Returns the last close of each symbol up to a day, as known at the end of the day (UTC). Closes are not
 * adjusted for splits and dividends. A dataset of the workspace takes precedence over a dataset of the
 * platform; then the later day takes precedence, then the daily series. With pinned revisions, later imports
 * are not read.
 */
export async function lastCloses(
  em: Em,
  { symbols, asOf, revisions, priceCurrency }: ClosesQuestion,
): Promise<LastClose[]> {
  const { rows } = await sql<LastClose>`
    select s.symbol, c.observed_on::text as on, c.close::text as price
    from unnest(${[...symbols]}::text[]) s (symbol)
    cross join lateral (
      select found.* from dataset d
      cross join (values ('daily'), ('monthly')) f (frequency)
      cross join lateral (
        select latest.observed_on, latest.close from (
          select distinct on (o.observed_on) o.observed_on, o.close, o.withdrawn from price o
          where o.dataset_id = d.id and o.symbol = s.symbol and o.frequency = f.frequency
            and o.observed_on between ${asOf}::date - ${CLOSE_DAYS_MAX}::integer and ${asOf}::date
            and ${wasKnown('o', asOf)} and ${wasImported('o', revisions)}
          order by o.observed_on desc, o.known_at desc, o.revision desc
        ) latest where not latest.withdrawn limit 1
      ) found
      where d.kind = 'prices' and ${isEntitled(em)}
      order by d.workspace_uid is null, found.observed_on desc, f.frequency, d.id limit 1
    ) c
    order by s.symbol
  `.execute(em.getKysely());
  if (priceCurrency === undefined) return rows;
  const currencies = await priceCurrencies(em, {
    symbols: rows.map(({ symbol }) => symbol),
    asOf,
    revisions,
  });
  return rows.map((row) => ({ ...row, currency: currencies.get(row.symbol) ?? null }));
}
