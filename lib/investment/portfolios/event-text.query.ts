import { compareText } from '#lib/core/compare-text.ts';
import { sql, type RawBuilder } from 'kysely';
import { wasKnown } from '#lib/data/as-of.query.ts';
import type { Em } from '#lib/database/base.ts';

/** Maximum number of event versions from which a request derives lots. */
export const EVENTS_READ_MAX = 200_000;

/**
 * Portfolios by uid, a day, and the moment up to which recorded events are read: null to read no event, undefined to
 * read every event.
 */
export type EventQuestion = {
  portfolios: readonly string[];
  asOf: string;
  recordedUntil?: string | null | undefined;
};

/**
 * Returns the events of portfolios as known by the end of a day (UTC), one line each, in the form of `parseEventText`,
 * and their symbols. Withdrawn events are left out. The result is one text, because thousands of rows would keep the
 * event loop busy.
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

/**
 * Returns the SHA-256 of the text of `eventText`. A run seals this hash, so that a replay can check that it
 * reads the same events.
 */
export async function eventHash(em: Em, question: EventQuestion): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(convert_to(coalesce(${lines}, ''), 'utf8')), 'hex') as hash
    from ${knownEvents(question)} e join portfolio p on p.uid = e.portfolio_uid
  `.execute(em.getKysely());
  return rows[0]!.hash;
}

/**
 * Returns the moment at which the last event of portfolios was recorded; null without events. No event up to this
 * moment is recorded afterwards: imports and settlements hold the lock of the portfolios until they end, and record
 * their events later than every event that they can see.
 */
export async function lastRecorded(em: Em, portfolios: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ moment: string | null }>`
    select to_char(max(recorded_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment
    from portfolio_event where portfolio_uid = any(${[...portfolios]}::text[])
  `.execute(em.getKysely());
  return rows[0]!.moment;
}

/**
 * Returns the symbols that portfolios may hold at the end of a day. Symbols whose shares were all sold are
 * left out, except for symbols with a split, because shares before and after a split cannot be added. With
 * `since`, symbols that were held or traded since that day are included.
 */
export async function heldSymbols(
  em: Em,
  { splits, since, ...question }: EventQuestion & { splits: readonly string[]; since?: string | undefined },
): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`
    select e.symbol from ${knownEvents(question)} e where e.symbol is not null
    group by e.portfolio_uid, e.symbol
    having e.symbol = any(${[...splits]}::text[]) or bool_or(e.type = 'split_override')
      or ${since === undefined ? sql`false` : sql`bool_or(e.quantity is not null and e.traded_on >= ${since}::date)`}
      or sum(case when e.type in ('buy', 'transfer_in', 'reinvest') then e.quantity
        when e.type in ('sell', 'transfer_out') then -e.quantity else 0 end) <> 0
  `.execute(em.getKysely());
  return [...new Set(rows.map(({ symbol }) => symbol))].sort(compareText);
}

/**
 * SQL that joins the events of `e` to one text, with one line per event, ordered by portfolio and reference.
 */
const lines = sql`string_agg(concat_ws(E'\t', p.key, e.reference, e.type, e.traded_on,
      coalesce(e.settled_on::text, ''), coalesce(e.symbol, ''), coalesce(trim_scale(e.quantity)::text, ''),
      coalesce(trim_scale(e.price)::text, ''), coalesce(e.amount_minor::text, ''), e.currency, e.fees_minor,
      coalesce(e.lot, ''), coalesce(e.acquired_on::text, ''), coalesce(e.basis_minor::text, ''),
      to_char(e.known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), E'\n' order by p.key, e.reference)`;

/** Returns a subquery for the events that were known at the end of a day and traded on or before the day. */
function knownEvents({ portfolios, asOf, recordedUntil }: EventQuestion): RawBuilder<unknown> {
  // Without a limit there is no condition. A comparison with a limit of null would exclude every event.
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

/**
 * Counts the recorded versions of events of portfolios, but at most `most` + 1 of them. `eventText` returns at most one
 * line for each version.
 */
export async function countEvents(em: Em, portfolios: readonly string[], most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from portfolio_event where portfolio_uid = any(${[...portfolios]}::text[]) limit ${most + 1}
    ) found
  `.execute(em.getKysely());
  return rows[0]!.count;
}
