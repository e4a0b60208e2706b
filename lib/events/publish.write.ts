import { sql } from 'kysely';
import type { AuditEntry } from '#lib/audit/entry.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import { newestCheckpoint } from '#lib/audit/tree.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { eventTypes } from './catalog.ts';
import { eventOf, type Event } from './event.ts';
import { addDeliveries } from './webhook/fan-out.write.ts';

/** The largest number of log positions that one statement reads. The limit bounds the memory of one pass. */
const BATCH = 5_000;

/**
 * Gives a position in the log tree to all entries of the current tenant that have none, and creates events from these
 * entries. Returns the number of these entries.
 */
export async function placeEntries(em: Em, now: Date): Promise<number> {
  const placed = await placePending(em);
  await publishEvents(em, placed, now);
  return placed;
}

/**
 * Creates events from the new entries of the current tenant in the log tree, and a delivery of each event to every
 * subscribed webhook. Must run in the transaction that gave the entries their positions. This transaction holds the
 * lock of the log. An event therefore exists if and only if its entry has a position, and a new event always has a
 * later position than every event that a reader has seen. `placed` is the number of new entries. It determines the
 * first entry if the log has no events yet.
 */
async function publishEvents(em: Em, placed: number, now: Date): Promise<void> {
  if (placed === 0) return;
  const size = (await newestCheckpoint(em))!.size;
  for (let from = (await position(em)) ?? size - placed; from < size; from += BATCH) {
    const events = await readNew(em, from, Math.min(from + BATCH, size));
    await keep(em, events, now);
    await addDeliveries(em, events, now);
  }
  await moveTo(em, size);
}

async function position(em: Em): Promise<number | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ at: number }>`
    select published_to::float8 as at from event_position
    where workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0]?.at;
}

async function moveTo(em: Em, size: number): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into event_position (workspace_uid, environment, published_to)
    values (${workspace}, ${environment}, ${size})
    on conflict (workspace_uid, environment) do update set published_to = excluded.published_to
  `.execute(em.getKysely());
}

async function readNew(em: Em, from: number, before: number): Promise<Event[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ index: number; entry: AuditEntry }>`
    select l.leaf_index::float8 as index, e.body::json as entry
    from audit_leaf l cross join lateral (
      select body, op from audit_entry where id = l.entry_id limit 1
    ) e
    where l.workspace_uid = ${workspace} and l.environment = ${environment}
      and l.leaf_index >= ${from} and l.leaf_index < ${before} and e.op = any(${[...eventTypes.keys()]}::text[])
    order by l.leaf_index
  `.execute(em.getKysely());
  return rows.flatMap(({ index, entry }): Event[] => {
    const event = eventOf(entry);
    return event ? [{ uid: newUid(prefixes.event), sequence: index + 1, ...event }] : [];
  });
}

async function keep(em: Em, events: readonly Event[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into event (workspace_uid, environment, sequence, uid, type, subject_uid, occurred_at, published_at, body)
    select ${workspace}, ${environment}, sequence, uid, type, subject_uid, occurred_at, ${now}, body from unnest(
      ${events.map(({ sequence }) => sequence)}::bigint[], ${events.map(({ uid }) => uid)}::text[],
      ${events.map(({ type }) => type)}::text[], ${events.map(({ subject }) => subject.uid)}::text[],
      ${events.map((event) => event.occurred_at)}::timestamptz[],
      ${events.map((event) => JSON.stringify(event))}::text[]
    ) as made (sequence, uid, type, subject_uid, occurred_at, body)
  `.execute(em.getKysely());
}
