import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { deliverTo } from './fan-out.write.ts';
import { Webhook } from './webhook.entity.ts';

export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** A delivery with its last attempt. */
export type ListedDelivery = {
  uid: string;
  event: string;
  type: string;
  state: string;
  attempts: number;
  dueAt: string;
  endedAt: string | null;
  status: number | null;
  error: string | null;
  durationMs: number | null;
  excerpt: string | null;
};

/** Lists the deliveries of a webhook, newest first. For operators. */
export async function listDeliveries(
  em: Em,
  webhook: Pick<Webhook, 'uid' | 'workspaceUid' | 'environment'>,
  { state, limit }: { state?: string | undefined; limit: number },
): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    select d.uid, d.event_uid as event, d.event_type as type, d.state,
      (select count(*)::integer from webhook_attempt where delivery_uid = d.uid) as attempts,
      ${iso('d.due_at')} as "dueAt", ${iso('d.ended_at')} as "endedAt",
      a.status, a.error, a.duration_ms as "durationMs", a.excerpt
    from webhook_delivery d left join lateral (
      select status, error, duration_ms, excerpt from webhook_attempt
      where delivery_uid = d.uid order by number desc limit 1
    ) a on true
    where d.workspace_uid = ${webhook.workspaceUid} and d.environment = ${webhook.environment}
      and d.webhook_uid = ${webhook.uid} and (${state ?? null}::text is null or d.state = ${state ?? null})
    order by d.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists deliveries as `listDeliveries` does, by the uid of the webhook. Returns undefined if the webhook does not
 * exist. For operators.
 */
export async function deliveriesOf(
  em: Em,
  uid: string,
  question: { state?: string | undefined; limit: number },
): Promise<ListedDelivery[] | undefined> {
  const webhook = await em.findOne(Webhook, { uid }, { filters: false });
  return webhook ? listDeliveries(em, webhook, question) : undefined;
}

function iso(column: string) {
  return sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}

/** Returns the webhook of a delivery; undefined if the delivery does not exist. For operators. */
export async function webhookOf(em: Em, delivery: string): Promise<string | undefined> {
  const { rows } = await sql<{ webhook: string }>`
    select webhook_uid as webhook from webhook_delivery where uid = ${delivery}
  `.execute(em.getKysely());
  return rows[0]?.webhook;
}

/**
 * Sends events to a webhook: the event of one delivery, or all stored events of the webhook's types since an instant.
 * The events may have been sent before. The message keeps the id of the event, so that a receiver recognises a
 * repetition. The transaction must belong to the webhook's tenant. Returns how many messages will be sent.
 */
export async function replay(
  em: Em,
  webhook: Webhook,
  wanted: { delivery: string } | { since: Date },
  now: Date,
): Promise<number> {
  const chosen =
    'delivery' in wanted
      ? sql`e.uid = (select event_uid from webhook_delivery where uid = ${wanted.delivery} and webhook_uid = ${webhook.uid})`
      : sql`e.occurred_at >= ${wanted.since}
          and (${webhook.types.length} = 0 or e.type = any(${webhook.types}::text[]))`;
  const { rows } = await sql<{ uid: string; type: string }>`
    select e.uid, e.type from event e
    where e.workspace_uid = ${webhook.workspaceUid} and e.environment = ${webhook.environment} and ${chosen}
    order by e.sequence
  `.execute(em.getKysely());
  return deliverTo(em, webhook.uid, rows, now);
}
