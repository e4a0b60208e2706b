import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant, knownRows } from './as-of.query.ts';
import type { SymbolRange } from './instrument.ts';
import { assertReadable, type Series } from './instrument-series.query.ts';

/** A table of observations, and the columns to read from it. */
export type Reading = {
  table: string;
  /** The column that distinguishes several observations of one symbol and day, if the table has such a column. */
  key?: string;
  /** The numeric columns to read. The text columns to read are in `texts`. */
  columns: readonly string[];
};

export type RowsQuestion = {
  /** First observed day, inclusive. `to` is the last observed day, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  asOf: string | undefined;
  /** The key to read; all keys if omitted. */
  only?: string | undefined;
  /** The position after which reading continues, as `placeOf` returned it for the last row that was read. */
  after: string | undefined;
  limit: number;
};

export type ObservedRow = { observedOn: string; knownAt: string; knownAtBasis: string };

/** Returns the position of a row in the list: its day, and the key of the row if it has a key. */
export function placeOf({ observedOn }: ObservedRow, key?: string): string {
  return key === undefined ? observedOn : `${observedOn} ${key}`;
}

/**
 * Returns the rows of a series after a position, ordered by day and key, with one index lookup per symbol of
 * the instrument. Throws if the dataset can no longer be read.
 */
export async function seriesRows<Row extends ObservedRow>(
  em: Em,
  series: Series,
  reading: Reading,
  question: RowsQuestion,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const range of series.ranges) {
    if (found.length === question.limit) break;
    const limit = question.limit - found.length;
    found.push(...(await rangeRows<Row>(em, { series, range, reading, question: { ...question, limit } })));
  }
  if (found.length < question.limit) await assertReadable(em, series.datasetId);
  return found;
}

type RangeReading = { series: Series; range: SymbolRange; reading: Reading; question: RowsQuestion };

async function rangeRows<Row>(em: Em, { series, range, reading, question }: RangeReading): Promise<Row[]> {
  const { table, key, columns } = reading;
  const keys = key === undefined ? ['observed_on'] : ['observed_on', key];
  const observations = knownRows({
    table,
    key: keys,
    columns: ['known_at_basis', ...columns],
    where: sql.join([...ofSeries(series, range), ...ofQuestion(question, key)], sql` and `),
    asOf: question.asOf,
  });
  const named = [...(key === undefined ? [] : [key]), ...columns].map(
    (name) => sql`r.${sql.ref(name)}::text as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Row>`
    select r.observed_on::text as "observedOn", ${sql.join(named)}, ${instant(sql`r.known_at`)} as "knownAt",
      r.known_at_basis as "knownAtBasis"
    from ${observations} r order by ${sql.join(keys.map((name) => sql.ref(`r.${name}`)))} limit ${question.limit}
  `.execute(em.getKysely());
  return rows;
}

/** Returns conditions on `o` for the rows of a series under one of its symbols. */
export function ofSeries(series: Series, { symbol, from, until }: SymbolRange): RawBuilder<unknown>[] {
  return [
    sql`o.dataset_id = ${series.datasetId} and o.symbol = ${symbol} and o.revision <= ${series.revision}`,
    ...(series.frequency === null ? [] : [sql`o.frequency = ${series.frequency}`]),
    ...(from === null ? [] : [sql`o.observed_on >= ${from}::date`]),
    ...(until === null ? [] : [sql`o.observed_on < ${until}::date`]),
  ];
}

/** Returns a condition on `o` for the rows of a series under any of its symbols. */
export function ofWholeSeries(series: Series): RawBuilder<unknown> {
  const each = series.ranges.map((range) => sql`(${sql.join(ofSeries(series, range), sql` and `)})`);
  return each.length === 0 ? sql`false` : sql`(${sql.join(each, sql` or `)})`;
}

function ofQuestion({ from, to, only, after }: RowsQuestion, key: string | undefined): RawBuilder<unknown>[] {
  const [day, ...rest] = after?.split(' ') ?? [];
  return [
    ...(from === undefined ? [] : [sql`o.observed_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`o.observed_on <= ${to}::date`]),
    ...(only === undefined ? [] : [sql`${sql.ref(`o.${key!}`)} = ${only}`]),
    ...(day === undefined ? [] : [behind(day, rest.join(' '), key)]),
  ];
}

function behind(day: string, value: string, key: string | undefined): RawBuilder<unknown> {
  return key === undefined
    ? sql`o.observed_on > ${day}::date`
    : sql`(o.observed_on, ${sql.ref(`o.${key}`)}) > (${day}::date, ${value})`;
}
