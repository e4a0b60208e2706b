import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Em } from '#lib/database/base.ts';

const tables: Record<DatasetKind, readonly string[]> = {
  prices: ['price'],
  economics: ['economic_series', 'economic_observation'],
  instruments: ['instrument', 'instrument_version'],
  metrics: ['company_metric'],
  numeric: ['numeric_row'],
  taxonomy: ['taxonomy_version', 'taxonomy_exposure'],
  corporate_actions: ['corporate_action'],
  fundamentals: ['fundamental'],
};

/**
 * The planner statistics of a table are updated if the new rows are at least this share of its rows. The
 * share is the default of autovacuum.
 */
const SHARE = 0.1;

/**
 * Updates the planner statistics after an import. Otherwise the first queries after a large import would be planned for
 * an empty table. A table that another transaction is analysing is skipped, because waiting would serialise imports
 * into different datasets. Before PostgreSQL 17, only the owner of a table can analyse it. For other roles, the server
 * skips the table with a warning, and autovacuum updates the statistics later.
 */
export async function analyze(em: Em, kind: DatasetKind, written: number): Promise<void> {
  const database = em.getKysely();
  for (const table of tables[kind]) {
    const { rows } = await sql<{ known: number; is_partitioned: boolean }>`
      select coalesce(sum(greatest(reltuples, 0)) filter (where relkind = 'r'), 0)::float8 as known,
        bool_or(relkind = 'p') as is_partitioned
      from pg_class
      where oid = ${table}::regclass or oid in (select relid from pg_partition_tree(${table}::regclass))
    `.execute(database);
    const { known, is_partitioned } = rows[0]!;
    if (written === 0 || written < SHARE * known) continue;
    if (is_partitioned) await sql`select analyze_partitioned(${table})`.execute(database);
    else await sql`analyze (skip_locked) ${sql.table(table)}`.execute(database);
  }
}
