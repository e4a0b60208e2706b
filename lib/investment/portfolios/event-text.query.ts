import { sql, type RawBuilder } from 'kysely';
import { wasKnown } from '#lib/data/as-of.query.ts';
import type { Em } from '#lib/database/base.ts';

/** The most event versions from which a read derives lots. */
export const EVENTS_READ_MAX = 200_000;

/** Portfolios by uid, a day, and the last moment at which an event counts as recorded; without it, every moment. */
export type EventQuestion = {
  portfolios: readonly string[];
  asOf: string;
  recordedUntil?: string | undefined;
};

/**
 * Returns the events of portfolios as known by the end of a day (UTC), one line each, in the form of
 * `parseEventText`, and their symbols. With `until`, events that were recorded later are left out. Withdrawn events are left out. One text, because thousands of rows would keep
 * the event loop busy.
 */
export async function eventText(
  em: Em,
  question: EventQuestion,
): Promise<{ text: string; symbols: string[] }> {
  const { rows } = await sql<{ text: string | null; symbols: string[] | null }>`
    select array_agg(distinct e.symbol) filter (where e.symbol is not null) as symbols, ${lines} as text
    from ${knownEvents(question)} e join portfolio p on p.uid = e.portfolio_uid
  `.execute(em.getKysely());
  return { text: rows[0]!.text ?? '', symbols: rows[0]!.symbols ?? [] };
}

/** Returns the SHA-256 of the text of `eventText`. A run seals it to prove that a replay reads the same events. */
export async function eventHash(em: Em, question: EventQuestion): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(convert_to(coalesce(${lines}, ''), 'utf8')), 'hex') as hash
    from ${knownEvents(question)} e join portfolio p on p.uid = e.portfolio_uid
  `.execute(em.getKysely());
  return rows[0]!.hash;
}

/**
 * Returns the moment at which the last event of portfolios was recorded; the beginning of 1970 without events. An import
 * that has not ended yet is recorded later than every event that can be seen.
 */
export async function lastRecorded(em: Em, portfolios: readonly string[]): Promise<string> {
  const { rows } = await sql<{ moment: string }>`
    select to_char(coalesce(max(recorded_at), to_timestamp(0)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment
    from portfolio_event where portfolio_uid = any(${[...portfolios]}::text[])
  `.execute(em.getKysely());
  return rows[0]!.moment;
}

/**
 * Returns the symbols that portfolios may hold at the end of a day. Symbols whose shares were all sold are left out, except
 * for those with a split, because their shares cannot be added up here.
 */
export async function heldSymbols(
  em: Em,
  { splits, ...question }: EventQuestion & { splits: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`
    select e.symbol from ${knownEvents(question)} e where e.symbol is not null
    group by e.portfolio_uid, e.symbol
    having e.symbol = any(${[...splits]}::text[]) or bool_or(e.type = 'split_override')
      or sum(case when e.type in ('buy', 'transfer_in', 'reinvest') then e.quantity
        when e.type in ('sell', 'transfer_out') then -e.quantity else 0 end) <> 0
  `.execute(em.getKysely());
  return [...new Set(rows.map(({ symbol }) => symbol))].toSorted((a, b) => (a < b ? -1 : 1));
}

/** The events of `e`, one line each, by portfolio and reference. */
const lines = sql`string_agg(concat_ws(E'\t', p.key, e.reference, e.type, e.traded_on,
      coalesce(e.settled_on::text, ''), coalesce(e.symbol, ''), coalesce(trim_scale(e.quantity)::text, ''),
      coalesce(trim_scale(e.price)::text, ''), coalesce(e.amount_minor::text, ''), e.currency, e.fees_minor,
      coalesce(e.lot, ''), coalesce(e.acquired_on::text, ''), coalesce(e.basis_minor::text, ''),
      to_char(e.known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), E'\n' order by p.key, e.reference)`;

/** Returns a subquery for the events that were known by the end of a day and traded until then. */
function knownEvents({ portfolios, asOf, recordedUntil }: EventQuestion): RawBuilder<unknown> {
  const wasRecorded =
    recordedUntil === undefined ? sql`true` : sql`e.recorded_at <= ${recordedUntil}::timestamptz`;
  return sql`(
    select e.* from (
      select distinct on (e.portfolio_uid, e.reference) e.* from portfolio_event e
      where e.portfolio_uid = any(${[...portfolios]}::text[]) and ${wasKnown('e', asOf)} and ${wasRecorded}
      order by e.portfolio_uid, e.reference, e.known_at desc
    ) e
    where not e.withdrawn and e.traded_on <= ${asOf}::date
  )`;
}

/** Counts the recorded versions of events of portfolios, which bounds the result of `eventText`. */
export async function countEvents(em: Em, portfolios: readonly string[], most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from portfolio_event where portfolio_uid = any(${[...portfolios]}::text[]) limit ${most + 1}
    ) found
  `.execute(em.getKysely());
  return rows[0]!.count;
}
