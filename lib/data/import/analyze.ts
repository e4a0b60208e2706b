import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Em } from '#lib/database/orm.ts';

const tables: Record<DatasetKind, readonly string[]> = {
  prices: ['price'],
  instruments: ['instrument', 'instrument_version'],
  taxonomy: ['taxonomy_version', 'taxonomy_exposure'],
};

/**
 * Tells the planner what has come in. Without it the first questions after a large import are planned for an empty
 * table. Before PostgreSQL 17 only the owner may, and the server skips it with a warning; autovacuum then follows.
 */
export async function analyze(em: Em, kind: DatasetKind): Promise<void> {
  for (const table of tables[kind]) await sql`analyze ${sql.table(table)}`.execute(em.getKysely());
}
