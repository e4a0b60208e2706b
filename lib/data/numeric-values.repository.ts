import { sql } from 'kysely';
import type { Em } from '#lib/database/orm.ts';

/**
 * Columns of one content of a numeric dataset, row by row in its order. Rows that lack one of the values are left out
 * and counted. Throws where the dataset has no such column or content.
 */
export async function numericValues(
  em: Em,
  { id, revision }: { id: number; revision: number },
  names: readonly string[],
): Promise<{ values: Float64Array; leftOut: number }> {
  const { rows: known } = await sql<{ columns: { name: string; type: string }[] }>`
    select columns from numeric_version where dataset_id = ${id} and revision = ${revision}
  `.execute(em.getKysely());
  const numeric = (known[0]?.columns ?? []).filter(({ type }) => type !== 'date' && type !== 'entity');
  const places = names.map((name) => numeric.findIndex((column) => column.name === name));
  if (places.includes(-1)) throw new Error('the dataset has no such column');
  const { rows } = await sql<{ values: (number | null)[] }>`
    select "values" from numeric_row where dataset_id = ${id} and revision = ${revision} order by position
  `.execute(em.getKysely());
  const whole = rows.filter(({ values }) => places.every((place) => values[place] !== null));
  return {
    values: Float64Array.from(whole.flatMap(({ values }) => places.map((place) => values[place]!))),
    leftOut: rows.length - whole.length,
  };
}
