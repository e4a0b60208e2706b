import { sql, type RawBuilder } from 'kysely';
import { STAGED_EVENTS } from './event-staging.write.ts';
import { UNKNOWN_SYMBOL } from './staged-symbols.query.ts';

const staged = sql.table(STAGED_EVENTS);

/** SQL that joins a staged row with the newest recorded version of its event, as `k`. */
export const withNewest = sql`
  left join lateral (
    select e.uid, e.known_at, e.source_hash from portfolio_event e
    where e.portfolio_uid = s.portfolio_uid and e.reference = s.reference
    order by e.known_at desc limit 1
  ) k on true`;

/**
 * SQL condition: the staged row repeats a recorded version, either the newest version or the version known
 * from the same moment.
 */
export const isRecorded = sql`(k.source_hash is not distinct from s.source_hash or exists (
  select from portfolio_event e where e.portfolio_uid = s.portfolio_uid and e.reference = s.reference
    and e.known_at = s.known_at and e.source_hash = s.source_hash))`;

/**
 * Returns SQL for the faults of staged rows, with `line`, `column`, `value` and `reason`: contradictions between staged
 * rows, contradictions between staged rows and recorded events, corrections of events from custody evidence, and
 * unknown symbols. `unknown` is SQL for the unknown symbols; undefined if every symbol is accepted.
 */
export function eventFaults(unknown: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  const ofSymbols =
    unknown &&
    sql`
      union all
      select s.line, 'symbol', s.symbol,
        ${UNKNOWN_SYMBOL}::text
      from ${staged} s join ${unknown} u on u.symbol = s.symbol where not s.withdrawn`;
  return sql`
      select line, 'event_reference' as column, reference as value,
        'event_conflict: repeats the reference of line ' || first || ' without a later known_at' as reason
      from (
        select line, reference, known_at, first_value(line) over earlier as first,
          lag(known_at) over earlier as known_before, lag(line) over earlier as before
        from ${staged}
        window earlier as (partition by portfolio_uid, reference order by known_at nulls first, line)
      ) numbered
      where before is not null and (known_at is null or known_before is null or known_at <= known_before)
      union all
      select s.line, 'known_at', s.known_at::text,
        'event_conflict: contradicts the recorded version of this reference, known since ' || k.known_at
      from ${staged} s ${withNewest}
      where s.known_at <= k.known_at and not ${isRecorded}
      union all
      select s.line, 'event_reference', s.reference,
        'event_conflict: is an event from custody evidence, which a file cannot correct'
      from ${staged} s
      where exists (select from portfolio_event e
        where e.portfolio_uid = s.portfolio_uid and e.reference = s.reference and e.order_uid is not null)
      ${ofSymbols ?? sql``}`;
}
