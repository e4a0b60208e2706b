import { sql } from 'kysely';
import { wasKnown } from '#lib/data/as-of.query.ts';
import type { Em } from '#lib/database/base.ts';

/** The most event versions from which a read derives lots. */
export const EVENTS_READ_MAX = 200_000;

/**
 * Returns the events of portfolios as known by the end of a day (UTC), one line each, in the form of
 * `parseEventText`, and their symbols. With `until`, events that were recorded later are left out. Withdrawn events are left out. One text, because thousands of rows would keep
 * the event loop busy.
 */
export async function eventText(
  em: Em,
  { portfolios, asOf, until = null }: { portfolios: readonly string[]; asOf: string; until?: string | null },
): Promise<{ text: string; symbols: string[] }> {
  const { rows } = await sql<{ text: string | null; symbols: string[] | null }>`
    select array_agg(distinct e.symbol) filter (where e.symbol is not null) as symbols, string_agg(concat_ws(E'\t', p.key, e.reference, e.type, e.traded_on,
      coalesce(e.settled_on::text, ''), coalesce(e.symbol, ''), coalesce(trim_scale(e.quantity)::text, ''),
      coalesce(trim_scale(e.price)::text, ''), coalesce(e.amount_minor::text, ''), e.currency, e.fees_minor,
      coalesce(e.lot, ''), coalesce(e.acquired_on::text, ''), coalesce(e.basis_minor::text, ''),
      to_char(e.known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), E'\n' order by p.key, e.reference) as text
    from (
      select distinct on (e.portfolio_uid, e.reference) e.*
      from portfolio_event e
      where e.portfolio_uid = any(${[...portfolios]}::text[]) and ${wasKnown('e', asOf)}
        and (${until}::timestamptz is null or e.recorded_at <= ${until}::timestamptz)
      order by e.portfolio_uid, e.reference, e.known_at desc
    ) e join portfolio p on p.uid = e.portfolio_uid
    where not e.withdrawn and e.traded_on <= ${asOf}::date
  `.execute(em.getKysely());
  return { text: rows[0]!.text ?? '', symbols: rows[0]!.symbols ?? [] };
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
