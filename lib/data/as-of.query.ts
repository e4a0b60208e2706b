import { sql, type RawBuilder } from 'kysely';

/** A moment that a query computes, such as a column of what it joins. */
export type Moment = { instant: RawBuilder<unknown> };

/**
 * Whether a row of an observation table was known by the end (UTC) of the as-of day, or at a moment. Without either
 * everything counts that is known by now. `table` is its name or alias in the query.
 */
export function wasKnown(table: string, asOf: string | Moment | undefined): RawBuilder<boolean> {
  if (asOf === undefined) return sql`true`;
  if (typeof asOf !== 'string') return sql`${sql.ref(`${table}.known_at`)} <= ${asOf.instant}`;
  return sql`${sql.ref(`${table}.known_at`)} < (${asOf}::date + 1)::timestamp at time zone 'utc'`;
}

export type KnowledgeQuestion = {
  /** A table whose rows have `known_at`, `revision` and `withdrawn`. */
  table: string;
  /** The columns that tell its observations apart; the answer is in their order. */
  key: readonly string[];
  /** The further columns wanted. */
  columns: readonly string[];
  /** Which observations are asked about: a condition on `o`, the observation. */
  where: RawBuilder<unknown>;
  /** The last day of knowledge that counts, YYYY-MM-DD, or the last moment of it; undefined: all. */
  asOf: string | Moment | undefined;
  /** Answers the observations in the reverse order of their key, so that the last of them is found first. */
  newestFirst?: boolean;
};

/**
 * What was known by the end of a day, as a subquery with one row an observation: the one known last, of several
 * imports of one moment the latest. What was withdrawn by then is no observation. Knowledge that is added later, with a
 * later `known_at`, never changes an answer.
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
 * All that ever became known of observations, as a subquery with a row for each moment at which something did: of
 * several imports of one moment the latest. What was withdrawn says so. What `knownRows` answers for a moment is the
 * last of these rows until then.
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

/** An instant as the wire has it. */
export function instant(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
