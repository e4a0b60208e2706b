import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { STAGED_EVENTS } from './event-staging.write.ts';
import { isRecorded, withNewest } from './staged-events.query.ts';

const staged = sql.table(STAGED_EVENTS);

/** Counts the staged rows that are new events, and the staged rows that correct events. */
export async function countStaged(em: Em): Promise<{ inserted: number; corrected: number }> {
  const { rows } = await sql<{ inserted: number; corrected: number }>`
    select count(*) filter (where k.uid is null)::integer as inserted,
      count(*) filter (where k.uid is not null)::integer as corrected
    from ${staged} s ${withNewest} where not (k.uid is not null and ${isRecorded})
  `.execute(em.getKysely());
  return rows[0]!;
}

/**
 * Records the staged versions that are not recorded yet. A new event without a stated moment is known from the end of
 * its trade date or, with `isKnownNow`, from now on; a correction without a stated moment is known from now on. A
 * correction is always known later than the corrected version.
 */
export async function insertEvents(
  em: Em,
  importUid: string,
  { place, now, isKnownNow }: { place: Tenant; now: Date; isKnownNow: boolean },
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  // The recording times follow the order of the commits. A run can therefore read exactly the events recorded
  // before a moment.
  const recorded = sql`greatest(${at}, (select max(recorded_at) + interval '1 microsecond' from portfolio_event
    where workspace_uid = ${place.workspace} and environment = ${place.environment}))`;
  await sql`
    insert into portfolio_event (uid, workspace_uid, environment, portfolio_uid, import_uid, reference, type, traded_on,
      settled_on, symbol, quantity, price, amount_minor, currency, fees_minor, lot, acquired_on, basis_minor, known_at,
      known_at_basis, withdrawn, source_hash, recorded_at)
    select s.uid, ${place.workspace}, ${place.environment}, s.portfolio_uid, ${importUid}, s.reference, s.type,
      s.traded_on, s.settled_on, s.symbol, s.quantity, s.price, s.amount_minor, s.currency, s.fees_minor, s.lot,
      s.acquired_on, s.basis_minor,
      case when s.known_at is not null then s.known_at
        when k.uid is not null then greatest(${at}, k.known_at + interval '1 microsecond')
        when ${isKnownNow} then ${at}
        else least(${at}, (s.traded_on + 1)::timestamp at time zone 'utc' - interval '1 microsecond') end,
      case when s.known_at is not null then 'stated' when k.uid is not null or ${isKnownNow} then 'imported'
        else 'assumed' end,
      s.withdrawn, s.source_hash, ${recorded}
    from ${staged} s ${withNewest}
    where not (k.uid is not null and ${isRecorded})
    order by s.line
  `.execute(em.getKysely());
}
