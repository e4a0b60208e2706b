import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { isNumeric, type NumericColumn } from './numeric-columns.ts';

/** Identifies one content of a numeric dataset, by dataset id and revision. */
export type NumericContent = { id: number; revision: number };

/**
 * Returns columns of a content, row by row. Rows with a missing value are left out and counted. Throws if the dataset
 * does not have such a column or content.
 */
export async function numericValues(
  em: Em,
  content: NumericContent,
  names: readonly string[],
): Promise<{ values: Float64Array; leftOut: number }> {
  const rows = await rowsOf(em, content, names);
  const whole = rows.filter(({ values }) => !values.some(Number.isNaN));
  return {
    values: Float64Array.from(whole.flatMap(({ values }) => values)),
    leftOut: rows.length - whole.length,
  };
}

/** Returns columns of a content, ordered by day. A missing value is NaN. Rows without a day are left out. */
export async function valuesByDay(
  em: Em,
  content: NumericContent,
  names: readonly string[],
): Promise<{ days: string[]; values: Float64Array }> {
  const dated = (await rowsOf(em, content, names)).flatMap(({ day, values }) =>
    day === null ? [] : [{ day, values }],
  );
  dated.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  return {
    days: dated.map(({ day }) => day),
    values: Float64Array.from(dated.flatMap(({ values }) => values)),
  };
}

/** Returns the last row of the newest day. A missing value is NaN. Returns undefined if no row has a day. */
export async function newestValues(
  em: Em,
  content: NumericContent,
  names: readonly string[],
): Promise<{ day: string; values: number[] } | undefined> {
  const newest = sql`observed_on is not null order by observed_on desc, position desc limit 1`;
  const [row] = await rowsOf(em, content, names, newest);
  return row && { day: row.day!, values: row.values };
}

/**
 * Returns columns of a content for all rows in order, with their days. A missing value is NaN, a missing day
 * null.
 */
export async function everyRow(
  em: Em,
  content: NumericContent,
  names: readonly string[],
): Promise<{ days: (string | null)[]; values: Float64Array }> {
  const rows = await rowsOf(em, content, names);
  return {
    days: rows.map(({ day }) => day),
    values: Float64Array.from(rows.flatMap(({ values }) => values)),
  };
}

async function rowsOf(
  em: Em,
  { id, revision }: NumericContent,
  names: readonly string[],
  wanted: RawBuilder<unknown> = sql`true order by position`,
) {
  const { rows: known } = await sql<{ columns: NumericColumn[] }>`
    select columns from numeric_version where dataset_id = ${id} and revision = ${revision}
  `.execute(em.getKysely());
  const numeric = (known[0]?.columns ?? []).filter(isNumeric);
  const places = names.map((name) => numeric.findIndex((column) => column.name === name));
  if (places.includes(-1)) throw new Error('the dataset does not have this column');
  const { rows } = await sql<{ day: string | null; values: (number | null)[] }>`
    select observed_on::text as day, "values" from numeric_row
    where dataset_id = ${id} and revision = ${revision} and ${wanted}
  `.execute(em.getKysely());
  return rows.map(({ day, values }) => ({ day, values: places.map((place) => values[place] ?? NaN) }));
}
