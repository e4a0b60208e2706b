import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Event } from './event.ts';

/** Days for which events and the outcomes of their deliveries are kept. */
export const KEPT_DAYS = 30;

export type EventQuestion = {
  types: readonly string[];
  subject?: string | undefined;
  from?: Date | undefined;
  before?: Date | undefined;
  /** The sequence number after which the list begins. */
  after: number;
  limit: number;
};

/** Lists events of the current tenant in order, oldest first. */
export async function listEvents(em: Em, question: EventQuestion): Promise<Event[]> {
  const { types, subject, from, before, after, limit } = question;
  const { workspace, environment } = tenantOf(em);
  const conditions = [
    sql`workspace_uid = ${workspace} and environment = ${environment} and sequence > ${after}`,
    sql`type = any(${[...types]}::text[])`,
    ...(subject === undefined ? [] : [sql`subject_uid = ${subject}`]),
    ...(from === undefined ? [] : [sql`occurred_at >= ${from}`]),
    ...(before === undefined ? [] : [sql`occurred_at < ${before}`]),
  ];
  const { rows } = await sql<{ event: Event }>`
    select body::json as event from event where ${sql.join(conditions, sql` and `)}
    order by sequence limit ${limit}
  `.execute(em.getKysely());
  return rows.map(({ event }) => event);
}

/** Returns an event of the current tenant; undefined if it is unknown or no longer stored. */
export async function findEvent(em: Em, uid: string): Promise<Event | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ event: Event }>`
    select body::json as event from event
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0]?.event;
}

/** Deletes events and deliveries whose retention period has ended. For workers: in all workspaces. */
export async function forgetEvents(em: Em, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`delete from webhook_delivery where created_at < ${before}`.execute(em.getKysely());
  await sql`delete from event where published_at < ${before}`.execute(em.getKysely());
}
