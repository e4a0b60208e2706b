import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knowledgeMoments } from '#lib/data/as-of.query.ts';
import type { FeatureFrequency } from './kind.ts';
import type { Observation } from './history.ts';
import { periodOf } from './period.ts';
import { isOfOneEntity, keysOf, pickOf, rankOf, type FeatureSource } from './source.ts';

/** The observations from which a version of a feature is computed. */
export type Inputs = {
  source: FeatureSource;
  columns: readonly string[];
  frequency: FeatureFrequency;
  datasetId: number;
  /** The last revision of the dataset to read; later revisions are ignored. */
  revision: number;
  /**
   * The uid of the workspace. If an expression reads subjects by name, the workspace is the entity of all
   * observations.
   */
  workspace: string;
};

/** Reads the full history of observations of the given subjects, for days from `from` on. */
export async function readObservations(
  em: Em,
  inputs: Inputs,
  { subjects, from }: { subjects: readonly string[]; from: string | undefined },
): Promise<Map<string, Observation[]>> {
  const { source, columns, frequency } = inputs;
  const preferences = new Map((source.frequencies?.(frequency) ?? []).map((name, at) => [name, at]));
  const values = valueColumns(inputs);
  const moments = knowledgeMoments({
    table: source.table,
    key: [source.subject, ...source.keys, 'observed_on'],
    columns: [...values, ...currencyColumns(inputs)],
    where: sql`${ofInputs(inputs)} and o.${sql.ref(source.subject)} = any(${[...subjects]}::text[])
      and ${from === undefined ? sql`true` : sql`o.observed_on >= ${from}::date`}`,
  });
  const { rows } = await sql<Record<string, string | number | boolean | null>>`
    select ${sql.ref(source.subject)} as subject, observed_on::text, withdrawn,
      ${sql.join([
        ...[...source.keys, ...currencyColumns(inputs)].map((name) => sql.ref(name)),
        ...values.map((name) => sql`${sql.ref(name)}::float8 as ${sql.ref(name)}`),
      ])},
      (extract(epoch from known_at) * 1000000)::bigint::text as known_us
    from ${moments} m
  `.execute(em.getKysely());
  const isOne = isOfOneEntity(source, columns);
  const observed = new Map<string, Observation[]>();
  for (const row of rows) {
    const subject = row['subject'] as string;
    const entity = isOne || subject === source.ofWorkspace ? inputs.workspace : subject;
    const observedOn = row['observed_on'] as string;
    const about = {
      period: periodOf(frequency, observedOn),
      rank: rankOf(observedOn, preferences.get(row['frequency'] as string) ?? 0),
      knownAt: Number(row['known_us']),
    };
    const list = observed.get(entity) ?? [];
    for (const { column, value } of valuesOf(inputs, row, subject)) {
      list.push({ column, ...about, value });
    }
    observed.set(entity, list);
  }
  return observed;
}

export type Subjects = { names: string[]; firstObservedOn: string | undefined };

/**
 * Lists the observed subjects and the first observed day. With `since`, lists only subjects with at least one of these:
 * an observation of a later revision, an observation that became known after the moment, or an observation of the given
 * day or a later day.
 */
export async function observedSubjects(
  em: Em,
  inputs: Inputs,
  since?: { revision: number; until: string; day: string },
): Promise<Subjects> {
  const changed = since
    ? sql`(o.revision > ${since.revision} or o.known_at > ${since.until}::timestamptz
        or o.observed_on >= ${since.day}::date)`
    : sql`true`;
  const { rows } = await sql<{ subject: string; first: string }>`
    select o.${sql.ref(inputs.source.subject)} as subject, min(o.observed_on)::text as first
    from ${sql.table(inputs.source.table)} o where ${ofInputs(inputs)} and ${changed}
    group by 1 order by 1
  `.execute(em.getKysely());
  return {
    names: rows.map(({ subject }) => subject),
    firstObservedOn: rows.map(({ first }) => first).sort()[0],
  };
}

/**
 * Returns the latest day from which each subject has at least `count` observed days before `day`, independent of the
 * as-of moment. A day is counted only if its observations were known by the end of the day and never withdrawn. Returns
 * undefined if a subject has fewer days, or if the values of one currency are requested.
 */
export async function dayWithObservedBefore(
  em: Em,
  inputs: Inputs,
  { subjects, day, count }: { subjects: readonly string[]; day: string; count: number },
): Promise<string | undefined> {
  const { source, columns } = inputs;
  const { table, subject } = source;
  // The query counts days with a value in any currency. If one currency is requested, some of these days may have a
  // value only in another currency, so the count could be too high.
  if (keysOf(source, columns).some((key) => pickOf(source, key).currency !== undefined)) return undefined;
  const held = sql.join(valueColumns(inputs).map((name) => sql.ref(`o.${name}`)));
  const { rows } = await sql<{ day: string | null }>`
    select min(found.day)::text as day, bool_or(found.day is null) as lacks
    from unnest(${[...subjects]}::text[]) s (name)
    left join lateral (
      select o.observed_on as day from ${sql.table(table)} o
      where ${ofInputs(inputs)} and o.${sql.ref(subject)} = s.name and o.observed_on < ${day}::date
      group by o.observed_on
      having not bool_or(o.withdrawn) and bool_and(coalesce(${held}) is not null) and min(o.known_at) < (o.observed_on + 1)::timestamp at time zone 'utc'
      order by o.observed_on desc offset ${count} limit 1
    ) found on true
    having not bool_or(found.day is null)
  `.execute(em.getKysely());
  return rows[0]?.day ?? undefined;
}

function ofInputs(inputs: Inputs): RawBuilder<unknown> {
  const { source, columns, frequency, datasetId, revision } = inputs;
  const conditions = [sql`o.dataset_id = ${datasetId}`, sql`o.revision <= ${revision}`];
  const names = keysOf(source, columns).map((key) => pickOf(source, key).name);
  if (names.length > 0) conditions.push(sql`o.${sql.ref(source.keyed!.column)} = any(${names}::text[])`);
  if (source.frequencies) {
    conditions.push(sql`o.frequency = any(${[...source.frequencies(frequency)]}::text[])`);
  }
  return sql.join(conditions, sql` and `);
}

/**
 * Returns the currencies of amounts that are read without naming a currency. With more than one currency,
 * sums, ratios and comparisons have no meaning.
 */
export async function unnamedCurrencies(em: Em, inputs: Inputs): Promise<string[]> {
  const { source, columns } = inputs;
  if (source.currency === undefined) return [];
  const names = keysOf(source, columns).map((key) => pickOf(source, key));
  const unnamed = names.filter(({ currency }) => currency === undefined).map(({ name }) => name);
  const currency = sql.ref(`o.${source.currency}`);
  const { rows } = await sql<{ currency: string }>`
    select distinct ${currency} as currency from ${sql.table(source.table)} o
    where ${ofInputs(inputs)} and o.${sql.ref(source.keyed!.column)} = any(${unnamed}::text[]) and ${currency} is not null
    order by 1
  `.execute(em.getKysely());
  return rows.map((row) => row.currency);
}

function currencyColumns({ source: { currency } }: Inputs): string[] {
  return currency === undefined ? [] : [currency];
}

/** Returns the table columns that contain the values of the expression. */
function valueColumns({ source, columns }: Inputs): string[] {
  if (source.keyed && keysOf(source, columns).length > 0) return ['value'];
  return [...new Set(columns.flatMap((column) => source.columns[column] ?? []))];
}

/** Returns the values of a row for the columns it describes; null if the row withdraws them. */
function valuesOf(
  { source, columns }: Inputs,
  row: Record<string, unknown>,
  subject: string,
): { column: string; value: number | null }[] {
  const { keyed } = source;
  const keys = keysOf(source, columns);
  const orNull = (value: number) => (row['withdrawn'] ? null : value);
  if (keyed && keys.length > 0) {
    const of = keyed.column === source.subject ? subject : String(row[keyed.column]);
    return keys.flatMap((key) => {
      const { name, currency } = pickOf(source, key);
      if (name !== of) return [];
      // The newest value of a day may be in another currency than the requested one. The day then has no
      // value.
      const isOther = currency !== undefined && row[source.currency!] !== currency;
      return { column: `${keyed.name}:${key}`, value: isOther ? null : orNull(numberOf(row['value'])) };
    });
  }
  return columns.map((column) => {
    const held = source.columns[column]!.map((name) => numberOf(row[name]));
    return { column, value: orNull(held.find((value) => !Number.isNaN(value)) ?? Number.NaN) };
  });
}

function numberOf(value: unknown): number {
  return value === null || value === undefined ? Number.NaN : Number(value);
}
