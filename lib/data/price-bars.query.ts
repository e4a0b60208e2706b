import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { compareText } from '#lib/core/compare-text.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import { sharedBytes, type PriceBarsText } from './price-bars.ts';

export type BarsQuestion = {
  symbols: readonly string[];
  /** Observed days, or the last observation of each month. */
  frequency: 'daily' | 'monthly';
  /** First and last day of observation, inclusive. */
  from: string;
  until: string;
  /** The day at whose end (UTC) the rows were known. */
  asOf: string;
  /** The dataset revisions that may be read, by dataset id. */
  revisions: Readonly<Record<string, number>>;
};

/** Number of symbols whose prices are read at once, so that few texts are in memory twice. */
const SYMBOLS_AT_ONCE = 100;

/**
 * Returns the prices of each symbol, by symbol, in memory that threads share. One series is used for each symbol: for
 * months, a monthly series takes precedence over a daily one; then a dataset of the workspace over one of the platform.
 * Symbols without prices are left out.
 */
export async function priceBarTexts(em: Em, question: BarsQuestion): Promise<PriceBarsText[]> {
  const symbols = [...new Set(question.symbols)].sort(compareText);
  const found: PriceBarsText[] = [];
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
    const rows = await readBars(em, { ...question, symbols: symbols.slice(at, at + SYMBOLS_AT_ONCE) });
    for (const row of rows) found.push({ ...row, bars: sharedBytes(row.bars) });
  }
  return found;
}

async function readBars(em: Em, question: BarsQuestion): Promise<(PriceBarsText & { bars: string })[]> {
  const { symbols, frequency, from, until, asOf, revisions } = question;
  const known = knownRows({
    table: 'price',
    key: ['observed_on'],
    columns: ['known_at_basis', 'open', 'high', 'low', 'close', 'adj_close', 'volume'],
    where: sql`o.dataset_id = series.dataset_id and o.symbol = series.symbol and o.frequency = series.frequency
      and o.observed_on between ${from}::date and ${until}::date and o.revision <= series.revision`,
    asOf,
  });
  const kept =
    frequency === 'daily'
      ? sql`select * from ${known} o`
      : sql`select distinct on (date_trunc('month', o.observed_on::timestamp)) o.* from ${known} o
          order by date_trunc('month', o.observed_on::timestamp), o.observed_on desc`;
  const frequencies =
    frequency === 'daily' ? sql`(values ('daily', 1))` : sql`(values ('monthly', 1), ('daily', 2))`;
  const { rows } = await sql<PriceBarsText & { bars: string }>`
    with readable as (
      select d.id, d.workspace_uid is null as is_platform, coalesce(d.price_basis, 'quoted') as basis,
        pinned.value::int as revision
      from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'prices'
    ),
    series as (
      select distinct on (s.symbol) s.symbol, r.id as dataset_id, r.revision, r.basis, f.frequency
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
    -- The rows of a symbol are ordered by day already, so aggregating them apart needs no sort.
    select series.symbol, series.basis, own.bars, own.assumed
    from series cross join lateral (
      select string_agg(concat_ws(' ', bar.observed_on, coalesce(bar.open::text, '-'),
          coalesce(bar.high::text, '-'), coalesce(bar.low::text, '-'), bar.close,
          coalesce(bar.adj_close::text, '-'), coalesce(bar.volume::text, '-')), ',' order by bar.observed_on) as bars,
        (count(*) filter (where bar.known_at_basis = 'assumed'))::int as assumed
      from (${kept}) bar
    ) own
    where own.bars is not null
    order by series.symbol collate "C"
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists the symbols that have prices in the readable datasets, in code unit order, at most `limit`. Steps through the
 * index from symbol to symbol.
 */
export async function pricedSymbols(
  em: Em,
  { frequency, asOf, revisions, limit }: Omit<BarsQuestion, 'symbols' | 'from' | 'until'> & { limit: number },
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
