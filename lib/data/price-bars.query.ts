import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { wasKnown } from './as-of.query.ts';
import { sharedBytes, type PriceBarsText } from './price-bars.ts';
import { readPrices, type PricesQuestion, type PricesWanted } from './price-reader.query.ts';

/** Few symbols are read at once, so that few texts are in memory twice. */
const bars: PricesWanted = {
  columns: ['open', 'high', 'low', 'close', 'adj_close', 'volume'],
  text: sql`concat_ws(' ', coalesce(o.open::text, '-'), coalesce(o.high::text, '-'), coalesce(o.low::text, '-'), o.close,
    coalesce(o.adj_close::text, '-'), coalesce(o.volume::text, '-'))`,
  atOnce: 100,
};

/** Returns the prices of each symbol in memory that threads share, in the order of `readPrices`. */
export function priceBarTexts(em: Em, question: PricesQuestion): Promise<PriceBarsText[]> {
  return readPrices(em, question, {
    ...bars,
    make: ({ symbol, observations, assumed, basis }) => ({
      symbol,
      basis: basis ?? 'quoted',
      bars: sharedBytes(observations),
      assumed,
    }),
  });
}

/**
 * Lists the symbols that have prices in the readable datasets, in code unit order, at most `limit`. Steps through the
 * index from symbol to symbol.
 */
export async function pricedSymbols(
  em: Em,
  {
    frequency,
    asOf,
    revisions,
    limit,
  }: Pick<PricesQuestion, 'frequency' | 'asOf' | 'revisions'> & { limit: number },
): Promise<string[]> {
  const frequencies = frequency === 'daily' ? ['daily'] : ['monthly', 'daily'];
  const next = (id: string, after: ReturnType<typeof sql>) => sql`
    select p.symbol from price p where p.dataset_id = ${sql.ref(id)} ${after}
      and p.frequency = any(${frequencies}::text[]) and ${wasKnown('p', asOf)}
    order by p.symbol limit 1`;
  const { rows } = await sql<{ symbol: string }>`
    with recursive readable as (
      select d.id from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'prices'
    ),
    each (id, symbol) as (
      select r.id, (${next('r.id', sql``)}) from readable r
      union all
      select each.id, (${next('each.id', sql`and p.symbol > each.symbol`)}) from each where each.symbol is not null
    )
    select distinct symbol collate "C" as symbol from each where symbol is not null order by 1 limit ${limit}
  `.execute(em.getKysely());
  return rows.map(({ symbol }) => symbol);
}
