import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { ERRORS_SHOWN_MAX, type FaultList } from './fault-list.ts';
import type { RowFault } from './import-refused.ts';

/**
 * Adds the faults that a query finds in the staged rows to the faults of a file. The query returns `line`,
 * `column`, `value` and `reason`. The first faults and the total number are added.
 */
export async function collectFaults(em: Em, faults: FaultList, query: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<RowFault & { total: number }>`
    select f.*, count(*) over ()::integer as total from (${query}) f order by line limit ${ERRORS_SHOWN_MAX}
  `.execute(em.getKysely());
  faults.merge(
    rows.map(({ line, column, value, reason }) => ({ line, column, value, reason })),
    rows[0]?.total ?? 0,
  );
}
