import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import type { SymbolPriceText } from './price-text.ts';

/** The members of a price that a series can be made of. `return` is the adjusted close, or the close without one. */
const members = {
  return: sql`coalesce(o.adj_close, o.close)`,
  volume: sql`o.volume`,
} as const;

export type SeriesQuestion = {
  symbols: readonly string[];
  member: keyof typeof members;
  /** One row a session, or the last row of each month. */
  frequency: 'daily' | 'monthly';
  /** First and last day of observation, inclusive. */
  from: string;
  until: string;
  /** The day at whose end (UTC) the rows were known. */
  asOf: string;
  /** The dataset revisions that may be read, by dataset id. */
  revisions: Readonly<Record<string, number>>;
};

/**
 * Returns a series for each symbol, by symbol: `date value,date value,...`, oldest first. Rows without a value are left out.
 * One series serves a symbol: for months, a monthly series takes precedence over a daily one; then a dataset of the
 * workspace over one of the platform.
 */
export async function priceSeriesTexts(em: Em, question: SeriesQuestion): Promise<SymbolPriceText[]> {
  const { symbols, member, frequency, from, until, asOf, revisions } = question;
  const rowsOfSeries = knownRows({
    table: 'price',
    key: ['observed_on'],
    columns: ['adj_close', 'close', 'volume'],
    where: sql`o.dataset_id = series.dataset_id and o.symbol = series.symbol and o.frequency = series.frequency
      and o.observed_on between ${from}::date and ${until}::date and o.revision <= series.revision`,
    asOf,
  });
  const kept =
    frequency === 'daily'
      ? sql`select o.observed_on, ${members[member]} as value from ${rowsOfSeries} o`
      : sql`select distinct on (date_trunc('month', o.observed_on::timestamp)) o.observed_on, ${members[member]} as value
          from ${rowsOfSeries} o order by date_trunc('month', o.observed_on::timestamp), o.observed_on desc`;
  const frequencies =
    frequency === 'daily' ? sql`(values ('daily', 1))` : sql`(values ('monthly', 1), ('daily', 2))`;
  const { rows } = await sql<SymbolPriceText>`
    with readable as (
      select d.id, d.workspace_uid is null as is_platform, pinned.value::int as revision
      from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'prices'
    ),
    series as (
      select distinct on (s.symbol) s.symbol, r.id as dataset_id, r.revision, f.frequency
      from unnest(${[...symbols]}::text[]) s (symbol)
      cross join readable r
      cross join ${frequencies} f (frequency, preference)
      cross join lateral (
        select from price p
        where p.dataset_id = r.id and p.symbol = s.symbol and p.frequency = f.frequency
          and p.observed_on <= ${until}::date and p.revision <= r.revision and ${wasKnown('p', asOf)}
        limit 1 -- one index lookup per series, never a scan of all prices
      ) found
      order by s.symbol, f.preference, r.is_platform, r.id
    )
    select series.symbol, string_agg(row.observed_on || ' ' || row.value, ',' order by row.observed_on) as observations
    from series cross join lateral (${kept}) row
    where row.value is not null
    group by series.symbol order by series.symbol
  `.execute(em.getKysely());
  return rows;
}
