import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { channels } from '#lib/pipeline/notices.ts';
import type { ProviderRequest, Purpose } from './request.ts';
import type { Told } from './turns.ts';

/** The largest number of requests of a workspace that wait for a provider at the same time. */
const WAITING_MAX = 50;
/** The time after which a request is no longer answered, in seconds. Later, it is deleted. */
const LIFETIME_S = 60;

/** Stores a request for a worker. Returns its uid; undefined if too many requests of the workspace are waiting. */
export async function askProvider(
  em: Em,
  { purpose, connection, model, messages, messagesHash }: ProviderRequest,
  now: Date,
): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const uid = newUid(prefixes.qlmProviderCall);
  const { rows } = await sql`
    insert into qlm_provider_call (uid, workspace_uid, environment, connection_uid, purpose, model, messages,
      messages_hash, created_at, expires_at)
    select ${uid}, ${workspace}, ${environment}, ${connection}, ${purpose}, ${model}, ${JSON.stringify(messages)}::json,
      ${messagesHash}, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz + make_interval(secs => ${LIFETIME_S})
    where (
      select count(*) from qlm_provider_call where workspace_uid = ${workspace} and environment = ${environment}
        and state <> 'done' and expires_at > ${now.toISOString()}::timestamptz
    ) < ${WAITING_MAX}
    returning uid
  `.execute(em.getKysely());
  if (rows.length === 0) return undefined;
  await sql`select pg_notify(${channels.asked}, ${uid})`.execute(em.getKysely());
  return uid;
}

/** Returns what the provider answered to a request; undefined while there is no answer. */
export async function readTold(em: Em, uid: string): Promise<Told | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Told>`
    select q.messages_hash as "messagesHash", q.answer as text, q.code, c.input_tokens::integer as "inputTokens",
      c.output_tokens::integer as "outputTokens", c.cost_micro::text as "costMicro", c.currency
    from qlm_provider_call q left join ai_call c on c.uid = q.call_uid
    where q.uid = ${uid} and q.workspace_uid = ${workspace} and q.environment = ${environment} and q.state = 'done'
  `.execute(em.getKysely());
  return rows[0];
}

/** Deletes requests whose answers were used. */
export async function forgetProviderCalls(em: Em, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  await sql`delete from qlm_provider_call where uid = any(${[...uids]})`.execute(em.getKysely());
}

/** Deletes the requests of all workspaces whose time is over. For workers. */
export async function forgetExpiredCalls(em: Em, now: Date): Promise<void> {
  await sql`
    delete from qlm_provider_call where expires_at <= ${now.toISOString()}::timestamptz
  `.execute(em.getKysely());
}

export type TakenCall = Tenant & {
  uid: string;
  connection: string;
  purpose: Purpose;
  model: string;
  messages: ProviderRequest['messages'];
};

/** Takes waiting requests of all workspaces, oldest first, so that no other worker takes them. For workers. */
export async function takeProviderCalls(em: Em, limit: number, now: Date): Promise<TakenCall[]> {
  const { rows } = await sql<TakenCall>`
    update qlm_provider_call q set state = 'taken' where q.uid in (
      select uid from qlm_provider_call where state = 'waiting' and expires_at > ${now.toISOString()}::timestamptz
      order by created_at limit ${limit} for update skip locked
    )
    returning q.uid, q.workspace_uid as workspace, q.environment, q.connection_uid as connection, q.purpose, q.model,
      q.messages
  `.execute(em.getKysely());
  return rows;
}

/** Stores the answer to a request. Does nothing if the request was deleted meanwhile. */
export async function endProviderCall(
  em: Em,
  uid: string,
  { text, code, callUid }: { text: string | null; code: string | null; callUid: string | null },
): Promise<void> {
  await sql`
    update qlm_provider_call set state = 'done', answer = ${text}, code = ${code}, call_uid = ${callUid}
    where uid = ${uid} and state = 'taken'
  `.execute(em.getKysely());
}
