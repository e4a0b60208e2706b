import { sql } from 'kysely';
import { daysInMonth } from '#lib/core/date.ts';
import { instant, knownRows } from '#lib/data/as-of.query.ts';
import type { Observation } from '../facts/readers.ts';
import type { DirectoryDataset } from './directory.query.ts';
import { datasetsOf, knownBy, observedIn, type ReadingState } from './reading.ts';

const COLUMNS = ['close', 'adj_close', 'volume'] as const;
type PriceColumn = (typeof COLUMNS)[number];

type Row = { symbol: string; observedOn: string; value: string | null; knownAt: string; basis: string };

type PriceQuestion = { column: string; symbol: string | undefined; asOf: string | undefined };

/**
 * Returns the last price of each month of an instrument, in order of the months. Without a symbol, uses the instrument
 * with the newest price, so that the last month is the newest month.
 */
export async function priceSeries(
  state: ReadingState,
  { column, symbol, asOf }: PriceQuestion,
): Promise<Observation[]> {
  const known = knownBy(state, asOf);
  for (const dataset of datasetsOf(state, 'prices')) {
    const one = symbol ?? (await newestSymbol(state, dataset));
    if (one === undefined) continue;
    const rows = await monthlyRows(state, { dataset, column, where: sql`o.symbol = ${one}`, asOf: known });
    if (rows.length > 0) return rows.map((row) => observation(state, dataset, row));
  }
  return [];
}

/** Returns the last price of each instrument in a month, by symbol. */
export async function pricePanel(
  state: ReadingState,
  column: string,
  month: string,
): Promise<Map<string, Observation>> {
  const panel = new Map<string, Observation>();
  if (!/^\d{4}-\d{2}$/.test(month)) return panel;
  const last = `${month}-${daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))}`;
  for (const dataset of datasetsOf(state, 'prices')) {
    const where = sql`o.observed_on between ${`${month}-01`}::date and ${last}::date`;
    const rows = await monthlyRows(state, { dataset, column, where, asOf: knownBy(state, undefined) });
    for (const row of rows)
      if (!panel.has(row.symbol)) panel.set(row.symbol, observation(state, dataset, row));
  }
  return panel;
}

/** Returns the last day with a price. */
export async function newestPriceDay(state: ReadingState): Promise<string | undefined> {
  let newest: string | undefined;
  for (const { id } of datasetsOf(state, 'prices')) {
    const { rows } = await sql<{ day: string | null }>`
      select last_observed_on::text as day from dataset where id = ${id}
    `.execute(state.em.getKysely());
    const day = rows[0]?.day ?? undefined;
    if (day !== undefined && (newest === undefined || day > newest)) newest = day;
  }
  return newest;
}

async function newestSymbol({ em }: ReadingState, { id }: DirectoryDataset): Promise<string | undefined> {
  const { rows } = await sql<{ symbol: string }>`
    select p.symbol from price p join dataset d on d.id = p.dataset_id
    where p.dataset_id = ${id} and p.observed_on = d.last_observed_on order by p.symbol limit 1
  `.execute(em.getKysely());
  return rows[0]?.symbol;
}

type Monthly = {
  dataset: DirectoryDataset;
  column: string;
  where: ReturnType<typeof sql>;
  asOf: string | undefined;
};

async function monthlyRows({ em }: ReadingState, { dataset, column, where, asOf }: Monthly): Promise<Row[]> {
  const name: PriceColumn | undefined = COLUMNS.find((each) => each === column);
  if (name === undefined) return [];
  const known = knownRows({
    table: 'price',
    key: ['symbol', 'frequency', 'observed_on'],
    columns: ['known_at_basis', name],
    where: sql`o.dataset_id = ${dataset.id} and o.revision <= ${dataset.revision} and ${where}`,
    asOf,
  });
  const { rows } = await sql<Row>`
    select distinct on (k.symbol, date_trunc('month', k.observed_on::timestamp)) k.symbol,
      k.observed_on::text as "observedOn", k.${sql.ref(name)}::text as value, ${instant(sql`k.known_at`)} as "knownAt",
      k.known_at_basis as basis
    from ${known} k
    order by k.symbol, date_trunc('month', k.observed_on::timestamp), k.frequency desc, k.observed_on desc
  `.execute(em.getKysely());
  return rows.filter(({ value }) => value !== null);
}

function observation(state: ReadingState, dataset: DirectoryDataset, row: Row): Observation {
  return {
    period: row.observedOn.slice(0, 7),
    value: row.value!,
    currency: null,
    knownAt: row.knownAt,
    isAssumed: row.basis !== 'stated',
    source: observedIn(state, `prices/${dataset.name}`, dataset, row.observedOn),
  };
}
