import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import type { SymbolPriceText } from './price-text.ts';

/**
 * The price columns from which a series can be made. `return` is the adjusted close or, if there is none, the
 * close. `close` is the close as imported.
 */
const members = {
  return: sql`coalesce(o.adj_close, o.close)`,
  volume: sql`o.volume`,
  close: sql`o.close`,
} as const;

export type SeriesQuestion = {
  symbols: readonly string[];
  member: keyof typeof members;
  /** `daily`: one row per trading day. `monthly`: the last row of each month. */
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
 * Returns the series of each symbol as one text, `date value,date value,...`, oldest first, ordered by
 * symbol. Rows without a value are left out. Each symbol has at most one series. For monthly rows, a monthly
 * series takes precedence over a daily series. A dataset of the workspace takes precedence over a dataset of
 * the platform.
 */
export async function priceSeriesTexts(em: Em, question: SeriesQuestion): Promise<SymbolPriceText[]> {
  const { rows } = await sql<SymbolPriceText>`
    ${chosenSeries(question)}
    select series.symbol, ${observations} as observations from series ${keptRows(question)}
    group by series.symbol order by series.symbol
  `.execute(em.getKysely());
  return rows;
}

/** The closes of a symbol, and whether they are divided by later splits. */
export type SymbolCloseText = SymbolPriceText & { isSplitAdjusted: boolean };

/** Returns the closes of each symbol, in the form of `priceSeriesTexts`, with the price basis of their dataset. */
export async function closeSeriesTexts(
  em: Em,
  question: Omit<SeriesQuestion, 'member'>,
): Promise<SymbolCloseText[]> {
  const { rows } = await sql<SymbolCloseText>`
    ${chosenSeries(question)}
    select series.symbol, ${observations} as observations,
      bool_and(series.price_basis is not distinct from 'split_adjusted') as "isSplitAdjusted"
    from series ${keptRows({ ...question, member: 'close' })}
    group by series.symbol order by series.symbol
  `.execute(em.getKysely());
  return rows;
}

const observations = sql`string_agg(row.observed_on || ' ' || row.value, ',' order by row.observed_on)`;

/** Returns SQL that joins the rows with a value of each chosen series, under the alias `row`. */
function keptRows({ member, frequency, from, until, asOf }: SeriesQuestion): RawBuilder<unknown> {
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
  return sql`cross join lateral (${kept}) row where row.value is not null`;
}

/** The common table expressions that choose one series for each symbol, as `series`. */
function chosenSeries({
  symbols,
  frequency,
  until,
  asOf,
  revisions,
}: Omit<SeriesQuestion, 'member'>): RawBuilder<unknown> {
  const frequencies =
    frequency === 'daily' ? sql`(values ('daily', 1))` : sql`(values ('monthly', 1), ('daily', 2))`;
  return sql`
    with readable as (
      select d.id, d.workspace_uid is null as is_platform, d.price_basis, pinned.value::int as revision
      from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'prices'
    ),
    series as (
      select distinct on (s.symbol) s.symbol, r.id as dataset_id, r.revision, r.price_basis, f.frequency
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
    )`;
}
