import { sql, type RawBuilder } from 'kysely';

/** The dataset revisions that may be read, by dataset id. */
export type Revisions = Readonly<Record<string, number>>;

/** Returns SQL: whether the row `o` of a dataset may be read. Without revisions, every row may be. */
export function isPinned(revisions: Revisions | undefined): RawBuilder<boolean> {
  if (!revisions) return sql`true`;
  return sql`o.revision <= coalesce((${JSON.stringify(revisions)}::jsonb ->> o.dataset_id::text)::integer, -1)`;
}
