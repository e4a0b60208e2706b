import { sql } from 'kysely';
import { instantOf } from '#lib/core/clock.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Movement } from './balances.ts';

/**
 * Returns the movements of the tenant of `em` at the end of the day `asOf` (UTC). Only records made by `knownAt` are
 * used. A movement is the sum of the transactions with the same effect on the balances. An announced transaction is
 * pending until the day on which its posting is booked.
 */
export async function movementsAsOf(
  em: Em,
  { asOf, knownAt }: { asOf: string; knownAt: Date },
): Promise<Movement[]> {
  const { workspace, environment } = tenantOf(em);
  const byThen = sql`< (${asOf}::date + 1)::timestamp at time zone 'utc'`;
  const known = sql`<= ${knownAt.toISOString()}::timestamptz`;
  const { rows } = await sql<Omit<Movement, 'amountMinor'> & { amountMinor: string }>`
    select account_uid as "accountUid", currency, amount_scale as "amountScale", direction, state,
      announced as "wasAnnounced", sum(amount_minor)::text as "amountMinor", count(*)::integer as count,
      max(uid) as "lastUid"
    from (
      select t.uid, t.account_uid, t.currency, t.amount_scale, t.direction, t.amount_minor,
        t.status = 'pending' as announced,
        case
          when t.status = 'posted' or p.transaction_uid is not null then 'posted'
          when t.reverses_uid is not null or r.uid is not null then 'void'
          else 'pending'
        end as state
      from ledger_transaction t
      left join ledger_posting p on p.transaction_uid = t.uid and p.recorded_at ${known} and p.booked_at ${byThen}
      left join ledger_transaction r on r.reverses_uid = t.uid and r.recorded_at ${known} and r.booked_at ${byThen}
      where t.workspace_uid = ${workspace} and t.environment = ${environment}
        and t.recorded_at ${known} and coalesce(p.booked_at, t.booked_at) ${byThen}
    ) counted
    group by 1, 2, 3, 4, 5, 6
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}

/** Counts the transactions that are booked by the end of a day but were recorded or posted after a given moment. */
export async function countLate(em: Em, { asOf, knownAt }: { asOf: string; knownAt: Date }): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const byThen = sql`< (${asOf}::date + 1)::timestamp at time zone 'utc'`;
  const later = sql`> ${knownAt.toISOString()}::timestamptz`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from ledger_transaction t left join ledger_posting p on p.transaction_uid = t.uid
    where t.workspace_uid = ${workspace} and t.environment = ${environment}
      and ((t.recorded_at ${later} and t.booked_at ${byThen}) or (p.recorded_at ${later} and p.booked_at ${byThen}))
  `.execute(em.getKysely());
  return rows[0]!.count;
}

/**
 * Returns the time of the latest record of the tenant's ledger, but not earlier than `now`. A record can be later than
 * `now` if the clock that dated it was ahead.
 */
export async function recordedBy(em: Em, now: Date): Promise<Date> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ late: number }>`
    select greatest(0, ceil(extract(epoch from max(recorded_at) - ${now.toISOString()}::timestamptz) * 1000))::float8 as late
    from (
      select max(recorded_at) as recorded_at from ledger_transaction
      where workspace_uid = ${workspace} and environment = ${environment}
      union all
      select max(recorded_at) from ledger_posting where workspace_uid = ${workspace} and environment = ${environment}
    ) newest
  `.execute(em.getKysely());
  return instantOf(now.getTime() + (rows[0]?.late ?? 0));
}
