import { sql } from 'kysely';
import type { Environment, Em } from '#lib/database/base.ts';
import type { Event } from '../event.ts';
import type { Format } from './message.ts';

/** A delivery that this worker has claimed. */
export type Claimed = {
  uid: string;
  webhook: string;
  workspace: string;
  environment: Environment;
  /** The number of this attempt, starting at 1. */
  attempt: number;
  url: string;
  format: Format;
  secret: string;
  /** The previous signer, decrypted; null if there is no previous signer or if it has expired. */
  previousSecret: string | null;
  /** The event to send; null if it is no longer stored. */
  event: Event | null;
};

export type ClaimOptions = {
  now: Date;
  /**
   * The end of the lease. If this worker has ended by then, other workers can claim the delivery afterwards.
   */
  leaseEndsAt: Date;
  /** The largest number of deliveries to claim in total. `maxEach` is the largest number per webhook. */
  max: number;
  maxEach: number;
  /** The number of deliveries that this worker is already sending, per webhook. */
  pending: ReadonlyMap<string, number>;
};

/**
 * Claims due deliveries of every workspace, longest overdue first. Claims at most `maxEach` deliveries per webhook, so
 * that a slow receiver does not delay other receivers. Claims only one delivery at a time for a failing webhook. A
 * crash of the database server can lose a claim; the delivery is then sent again. For workers.
 */
export async function claimDue(em: Em, options: ClaimOptions): Promise<Claimed[]> {
  const { now, leaseEndsAt, max, maxEach, pending } = options;
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(em.getKysely());
  const { rows } = await sql<Claimed>`
    with recursive waiting (uid) as (
      (select webhook_uid from webhook_delivery where state = 'pending' order by webhook_uid limit 1)
      union all
      select next.webhook_uid from waiting cross join lateral (
        select webhook_uid from webhook_delivery where state = 'pending' and webhook_uid > waiting.uid
        order by webhook_uid limit 1
      ) next
    ), due as (
      select d.uid from waiting
      join webhook w on w.uid = waiting.uid and w.state = 'active'
      left join unnest(${[...pending.keys()]}::text[], ${[...pending.values()]}::integer[])
        as busy (webhook_uid, count) on busy.webhook_uid = w.uid
      cross join lateral (
        select uid, due_at from webhook_delivery
        where webhook_uid = w.uid and state = 'pending' and due_at <= ${now}
        order by due_at
        limit greatest(0, case when w.failing_since is null then ${maxEach}::integer else 1 end - coalesce(busy.count, 0))
      ) d
      order by d.due_at limit ${max}
    ), held as (
      select uid from webhook_delivery
      where uid in (select uid from due) and state = 'pending' and due_at <= ${now}
      for update skip locked
    ), taken as (
      update webhook_delivery d set due_at = ${leaseEndsAt} from held where d.uid = held.uid
      returning d.uid, d.webhook_uid, d.event_uid, d.workspace_uid, d.environment, d.attempts
    )
    select t.uid, t.webhook_uid as webhook, t.workspace_uid as workspace, t.environment, t.attempts + 1 as attempt,
      w.url, w.format, w.secret,
      case when w.previous_ends_at > ${now} then w.previous_secret end as "previousSecret", e.body::json as event
    from taken t join webhook w on w.uid = t.webhook_uid left join event e on e.uid = t.event_uid
  `.execute(em.getKysely());
  return rows;
}
