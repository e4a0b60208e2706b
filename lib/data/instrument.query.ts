import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant, knownRows, wasKnown } from './as-of.query.ts';
import type { InstrumentStatus, SectorRow } from './instrument.ts';

export type InstrumentState = {
  uid: string;
  datasetUid: string;
  symbol: string;
  name: string;
  exchange: string | null;
  currency: string | null;
  sector: string | null;
  subIndustry: string | null;
  status: InstrumentStatus | null;
  knownAt: string;
};

export type InstrumentFilters = {
  /** The symbol to search for, current or former. */
  symbol?: string | undefined;
  sector?: string | undefined;
  exchange?: string | undefined;
  status?: InstrumentStatus | undefined;
  /** A part of the name or symbol to search for. Case does not matter. */
  q?: string | undefined;
};

export type InstrumentQuestion = InstrumentFilters & {
  /** The ids of the datasets to list. Default: every dataset that the database role can read. */
  datasets?: readonly number[];
  asOf: string | undefined;
  after: string | undefined;
  limit: number;
};

/** Lists the instruments of the readable datasets, newest first. Each field has its last known value. */
export async function listInstruments(em: Em, question: InstrumentQuestion): Promise<InstrumentState[]> {
  const { after, limit, symbol, sector, exchange, status, q, datasets } = question;
  const { rows } = await statesOf(em, {
    asOf: question.asOf,
    among: all([
      after === undefined ? undefined : sql`m.uid < ${after}`,
      datasets === undefined ? undefined : sql`m.dataset_id = any(${datasets}::integer[])`,
      symbol === undefined
        ? undefined
        : sql`m.uid in (select named.uid from instrument named where named.symbol = ${symbol})`,
    ]),
    where: all([
      sector === undefined ? undefined : sql`state.sector = ${sector}`,
      exchange === undefined ? undefined : sql`state.exchange = ${exchange}`,
      status === undefined ? undefined : sql`state.status = ${status}`,
      q === undefined
        ? undefined
        : sql`(strpos(lower(state.name), lower(${q}::text)) > 0 or strpos(lower(state.symbol), lower(${q}::text)) > 0)`,
    ]),
    limit,
  });
  return rows;
}

/** Returns an instrument as known by the end of a day; undefined if nothing was known. */
export async function findInstrument(
  em: Em,
  uid: string,
  asOf: string | undefined,
): Promise<InstrumentState | undefined> {
  const { rows } = await statesOf(em, { asOf, among: sql`m.uid = ${uid}`, where: sql`true`, limit: 1 });
  return rows[0];
}

/**
 * Returns the uid of the instrument that has, had or will have a symbol. Something about the instrument must
 * have been known by the end of a day. If several instruments qualify, an instrument of the workspace's
 * datasets takes precedence over an instrument of the platform's datasets, then an instrument of the oldest dataset.
 * Returns undefined if no instrument qualifies.
 */
export async function uidOfSymbol(
  em: Em,
  symbol: string,
  asOf: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    select named.uid from dataset d
    cross join lateral (
      select i.uid from instrument i where i.dataset_id = d.id and i.symbol = ${symbol} limit 1
    ) named
    where d.kind = 'instruments' and exists (
      select from instrument m
      join instrument_version v on v.dataset_id = m.dataset_id and v.symbol = m.symbol and ${wasKnown('v', asOf)}
      where m.uid = named.uid
    )
    order by d.workspace_uid is null, d.id limit 1
  `.execute(em.getKysely());
  return rows[0]?.uid;
}

/** Lists the known sectors of an instrument, ordered by the day they describe. */
export async function sectorRows(em: Em, uid: string, asOf: string | undefined): Promise<SectorRow[]> {
  const { rows } = await sql<SectorRow>`
    select v.sector, v.observed_on::text as "observedOn", ${instant(sql`v.known_at`)} as "knownAt",
      v.known_at_basis as "knownAtBasis"
    from instrument m cross join lateral ${versionsOf('m', ['sector', 'known_at_basis'], asOf)} v
    where m.uid = ${uid} order by v.observed_on, v.known_at
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns a subquery for the known rows of an instrument under one of its symbols. `table` is the alias of the row with
 * the dataset and the symbol.
 */
export function versionsOf(
  table: string,
  columns: readonly string[],
  asOf: string | undefined,
): RawBuilder<unknown> {
  return knownRows({
    table: 'instrument_version',
    key: ['observed_on'],
    columns,
    where: sql`o.dataset_id = ${sql.ref(`${table}.dataset_id`)} and o.symbol = ${sql.ref(`${table}.symbol`)}`,
    asOf,
  });
}

const SAID = ['name', 'sector', 'sub_industry', 'exchange', 'currency', 'status'] as const;

type States = {
  asOf: string | undefined;
  among: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  limit: number;
};

function statesOf(em: Em, { asOf, among, where, limit }: States) {
  const last = SAID.map((name) => {
    const column = sql.ref(`v.${name}`);
    return sql`(array_agg(${column} order by v.observed_on desc) filter (where ${column} is not null))[1] as ${sql.ref(name)}`;
  });
  return sql<InstrumentState>`
    select i.uid, d.uid as "datasetUid", state.symbol, state.name, state.exchange, state.currency, state.sector,
      state.sub_industry as "subIndustry", state.status, ${instant(sql`state.known_at`)} as "knownAt"
    from (
      select distinct on (m.uid) m.uid, m.dataset_id from instrument m where ${among} order by m.uid desc
    ) i
    join dataset d on d.id = i.dataset_id
    cross join lateral (
      select (array_agg(m.symbol order by v.observed_on desc, m.follows nulls last))[1] as symbol,
        max(v.known_at) as known_at, ${sql.join(last)}
      from instrument m cross join lateral ${versionsOf('m', SAID, asOf)} v
      where m.uid = i.uid
    ) state
    where state.symbol is not null and ${where}
    order by i.uid desc limit ${limit}
  `.execute(em.getKysely());
}

function all(conditions: readonly (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> {
  return sql.join([sql`true`, ...conditions.filter((each) => each !== undefined)], sql` and `);
}
