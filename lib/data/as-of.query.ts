import { sql, type RawBuilder } from 'kysely';

/** A moment that a query computes, such as a column of a joined table, instead of a fixed day. */
export type Moment = { instant: RawBuilder<unknown> };

/**
 * Whether a row of an observation table was known by the end (UTC) of the as-of day, or at a moment. Without
 * `asOf`, every row counts as known. `table` is the name or alias of the table in the query.
 */
export function wasKnown(table: string, asOf: string | Moment | undefined): RawBuilder<boolean> {
  if (asOf === undefined) return sql`true`;
  if (typeof asOf !== 'string') return sql`${sql.ref(`${table}.known_at`)} <= ${asOf.instant}`;
  return sql`${sql.ref(`${table}.known_at`)} < (${asOf}::date + 1)::timestamp at time zone 'utc'`;
}

/**
 * Whether a row was imported by the given revision of its dataset or an earlier revision. Rows of datasets that
 * `revisions` does not list are excluded. Without `revisions`, all rows are included. `table` is the name or alias of
 * the table in the query.
 */
export function wasImported(
  table: string,
  revisions: Readonly<Record<string, number>> | undefined,
): RawBuilder<boolean> {
  if (revisions === undefined) return sql`true`;
  return sql`${sql.ref(`${table}.revision`)} <= coalesce((${JSON.stringify(revisions)}::jsonb ->>
    ${sql.ref(`${table}.dataset_id`)}::text)::integer, 0)`;
}

export type KnowledgeQuestion = {
  /** The name of a table whose rows have `known_at`, `revision` and `withdrawn`. */
  table: string;
  /** The columns that identify an observation. The result is ordered by them. */
  key: readonly string[];
  /** The other columns to return. */
  columns: readonly string[];
  /** A condition on the observation. The alias of the observation is `o`. */
  where: RawBuilder<unknown>;
  /**
   * The last day, YYYY-MM-DD, or the last moment at which an observation may have become known; undefined: no limit.
   */
  asOf: string | Moment | undefined;
  /** Whether to return the observations in reverse order of their key, so that the last observation is found first. */
  newestFirst?: boolean;
};

/**
 * Returns a subquery for the observations known by the end of a day, with one row per observation: the row
 * that became known last or, for equal moments, the row imported last. Observations withdrawn by then are
 * left out. A row with a later `known_at` never changes the result.
 */
export function knownRows(question: KnowledgeQuestion): RawBuilder<unknown> {
  const { table, key, columns, where, asOf, newestFirst = false } = question;
  const names = (wanted: readonly string[]) => sql.join(wanted.map((name) => sql.ref(name)));
  const ofRow = (wanted: readonly string[]) => sql.join(wanted.map((name) => sql.ref(`o.${name}`)));
  const reversed = sql.join(key.map((name) => sql`${sql.ref(`o.${name}`)} desc`));
  return sql`(
    select ${names([...key, 'known_at', ...columns])} from (
      select distinct on (${ofRow(key)}) ${ofRow([...key, 'known_at', 'withdrawn', ...columns])}
      from ${sql.table(table)} o
      where (${where}) and ${wasKnown('o', asOf)}
      order by ${newestFirst ? reversed : ofRow(key)}, o.known_at desc, o.revision desc
    ) latest where not withdrawn
  )`;
}

/**
 * Returns a subquery for the full history of observations, with one row for each moment at which something became
 * known. For equal moments, the row imported last is returned. Withdrawn rows are marked. For each observation,
 * `knownRows` returns the last of these rows up to the as-of moment.
 */
export function knowledgeMoments(
  question: Omit<KnowledgeQuestion, 'asOf' | 'newestFirst'>,
): RawBuilder<unknown> {
  const { table, key, columns, where } = question;
  const ofRow = (wanted: readonly string[]) => sql.join(wanted.map((name) => sql.ref(`o.${name}`)));
  return sql`(
    select distinct on (${ofRow([...key, 'known_at'])}) ${ofRow([...key, 'known_at', 'withdrawn', ...columns])}
    from ${sql.table(table)} o
    where (${where})
    order by ${ofRow([...key, 'known_at'])}, o.revision desc
  )`;
}

/** Returns an SQL expression that formats an instant as the API does. */
export function instant(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
