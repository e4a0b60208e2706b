import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
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
 * Returns the last observation of each month and symbol, as known by the end of the as-of day (UTC). The
 * price is the imported decimal text of the adjusted close or, if the file had no adjusted close, of the
 * close. All prices of a symbol come from one series: a monthly series takes precedence over a daily series,
 * then a dataset of the workspace over a dataset of the platform.
 */
export async function monthlyPriceTextsAsOf(em: Em, question: PriceQuestion): Promise<SymbolPriceText[]> {
  const prices = knownRows({
    table: 'price',
    key: ['observed_on'],
    columns: ['adj_close', 'close'],
    where: sql`o.dataset_id = series.dataset_id and o.symbol = series.symbol and o.frequency = series.frequency
      and o.observed_on between ${question.from}::date and ${question.asOfDate}::date
      and o.revision <= series.revision`,
    asOf: question.asOfDate,
  });
  const { rows } = await sql<SymbolPriceText>`
    with readable as (
      select d.id, d.workspace_uid is null as is_platform, pinned.value::int as revision
      from jsonb_each_text(${JSON.stringify(question.datasetRevisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'prices'
    ),
    series as (
      select distinct on (s.symbol) s.symbol, r.id as dataset_id, r.revision, f.frequency
      from unnest(${[...question.symbols]}::text[]) s (symbol)
      cross join readable r
      cross join (values ('monthly', 1), ('daily', 2)) f (frequency, preference)
      cross join lateral (
        select from price p
        where p.dataset_id = r.id and p.symbol = s.symbol and p.frequency = f.frequency
          and p.observed_on <= ${question.asOfDate}::date and p.revision <= r.revision
          and ${wasKnown('p', question.asOfDate)}
        limit 1 -- one index lookup per series, never a scan of all prices
      ) found
      order by s.symbol, f.preference, r.is_platform, r.id
    )
    select series.symbol, own.observations
    from series
    cross join lateral (
      select string_agg(month.observed_on || ' ' || month.price, ',' order by month.observed_on) as observations
      from (
        select distinct on (date_trunc('month', p.observed_on::timestamp))
          p.observed_on::text, coalesce(p.adj_close, p.close)::text as price
        from ${prices} p
        order by date_trunc('month', p.observed_on::timestamp), p.observed_on desc
      ) month
    ) own
    where own.observations is not null
    order by series.symbol
  `.execute(em.getKysely());
  return rows;
}

/** Returns the newest day on which an entitled dataset has a price; undefined without prices. */
export async function newestPriceDate(em: Em): Promise<string | undefined> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(last_observed_on)::text as newest from dataset where kind = 'prices'
  `.execute(em.getKysely());
  return rows[0]?.newest ?? undefined;
}
