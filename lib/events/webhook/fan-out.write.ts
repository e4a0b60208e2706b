import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Event } from '../event.ts';

type Wanted = Pick<Event, 'uid' | 'type'>;

/**
 * Adds the deliveries of events. Each event goes to all active webhooks of the current tenant that subscribe to its
 * type.
 */
export async function addDeliveries(em: Em, events: readonly Wanted[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string; types: string[] }>`
    select uid, types from webhook
    where workspace_uid = ${workspace} and environment = ${environment} and state = 'active'
    order by uid
  `.execute(em.getKysely());
  for (const { uid, types } of rows) {
    await deliverTo(
      em,
      uid,
      events.filter(({ type }) => isSubscribed(types, type)),
      now,
    );
  }
}

/** Whether a list of types includes a type. An empty list includes every type. */
export function isSubscribed(types: readonly string[], type: string): boolean {
  return types.length === 0 || types.includes(type);
}

/** Creates the deliveries of events to one webhook. Deliveries that already exist and have ended are sent again. */
export async function deliverTo(
  em: Em,
  webhook: string,
  events: readonly Wanted[],
  now: Date,
): Promise<number> {
  if (events.length === 0) return 0;
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    insert into webhook_delivery (uid, workspace_uid, environment, webhook_uid, event_uid, event_type, state, due_at,
      created_at)
    select made.uid, ${workspace}, ${environment}, ${webhook}, event_uid, event_type, 'pending', ${now}, ${now}
    from unnest(${events.map(() => newUid(prefixes.webhookDelivery))}::text[],
      ${events.map(({ uid }) => uid)}::text[], ${events.map(({ type }) => type)}::text[])
      as made (uid, event_uid, event_type)
    on conflict (webhook_uid, event_uid) do update
      set state = 'pending', attempts = 0, due_at = excluded.due_at, ended_at = null
      where webhook_delivery.state <> 'pending'
    returning uid
  `.execute(em.getKysely());
  return rows.length;
}
