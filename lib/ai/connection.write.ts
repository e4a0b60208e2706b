import { sql } from 'kysely';
import { rewrapEnvelope, sealEnvelope, type Envelope } from '#lib/core/envelope-encryption.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { KeyChange } from '#lib/core/rewrap.ts';
import { tenantOf, type Environment, type Em, type Tenant } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type Connection = {
  uid: string;
  label: string;
  provider: string;
  baseUrl: string;
  models: string[];
  state: 'active' | 'revoked';
  createdAt: string;
  /** The last four characters of the connection's key, so that a person can recognise the key. */
  lastFour: string;
  keySetAt: string;
};

export type NewConnection = Pick<Connection, 'label' | 'provider' | 'baseUrl' | 'models'>;

/** A provider's key as it is stored: encrypted, with its last four characters in clear text. */
export type KeptKey = { envelope: Envelope; lastFour: string };

/** Encrypts a provider's key for a connection. */
export function keptKey(wrappingKey: Buffer, connection: string, key: string): KeptKey {
  return { envelope: sealEnvelope(key, wrappingKey, connection), lastFour: key.slice(-4) };
}

/**
 * Locks the connections of the current tenant until the transaction ends. No other transaction can create a connection
 * meanwhile.
 */
export async function lockConnections(em: Em): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const lock = `ai connections ${workspace} ${environment}`;
  await acquireNamedLock(em, lock);
}

/** Locks a connection until the transaction ends. Returns its state. */
export async function lockConnection(em: Em, uid: string): Promise<Connection['state']> {
  const { rows } = await sql<{ state: Connection['state'] }>`
    select state from ai_connection where uid = ${uid} for update
  `.execute(em.getKysely());
  return rows[0]!.state;
}

/** Returns a connection of the current tenant; undefined if the tenant has no connection with this uid. */
export async function findConnection(em: Em, uid: string): Promise<Connection | undefined> {
  return (await listConnections(em, uid))[0];
}

/** Returns a connection of the current tenant. The connection must exist. */
export async function readConnection(em: Em, uid: string): Promise<Connection> {
  return (await findConnection(em, uid))!;
}

/**
 * Creates a connection of the tenant. The connection has no key yet: the caller must set the key afterwards. Returns
 * undefined if another connection has the same label.
 */
export async function createConnection(
  em: Em,
  { label, provider, baseUrl, models }: NewConnection,
  { by, now }: { by: string; now: Date },
): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string }>`
    insert into ai_connection (uid, workspace_uid, environment, label, provider, base_url, models, created_by_uid, created_at)
    values (${newUid(prefixes.aiConnection)}, ${workspace}, ${environment}, ${label}, ${provider}, ${baseUrl}, ${models},
      ${by}, ${now})
    on conflict (workspace_uid, environment, label) where state = 'active' do nothing returning uid
  `.execute(em.getKysely());
  return rows[0]?.uid;
}

/** Sets the key of a connection. From now on, calls use only this key. */
export async function setConnectionKey(
  em: Em,
  connection: string,
  { envelope, lastFour }: KeptKey,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const { keyId, wrappedKey, sealed } = envelope;
  await sql`
    insert into ai_connection_key (connection_uid, workspace_uid, environment, key_id, wrapped_key, sealed, last_four,
      set_by_uid, set_at)
    values (${connection}, ${workspace}, ${environment}, ${keyId}, ${wrappedKey}, ${sealed}, ${lastFour}, ${by}, ${now})
  `.execute(em.getKysely());
}

/** Revokes a connection. No further calls are made on it. */
export async function revokeConnection(
  em: Em,
  connection: string,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await sql`
    update ai_connection set state = 'revoked', revoked_by_uid = ${by}, revoked_at = ${now}
    where uid = ${connection}
  `.execute(em.getKysely());
}

/**
 * Lists the connections of the tenant, newest first, or only the connection with this uid. For callers who may read
 * keys.
 */
export async function listConnections(em: Em, uid?: string): Promise<Connection[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Connection>`
    select c.uid, c.label, c.provider, c.base_url as "baseUrl", c.models, c.state,
      ${instant(sql`c.created_at`)} as "createdAt", k.last_four as "lastFour", ${instant(sql`k.set_at`)} as "keySetAt"
    from ai_connection c
    join lateral (
      select last_four, set_at from ai_connection_key k where k.connection_uid = c.uid order by id desc limit 1
    ) k on true
    where c.workspace_uid = ${workspace} and c.environment = ${environment} and (${uid ?? null}::text is null or c.uid = ${uid ?? null})
    order by c.uid desc
  `.execute(em.getKysely());
  return rows;
}

/** Returns the workspace and environment of a connection of any workspace. For operators only. */
export async function placeOfConnection(em: Em, uid: string): Promise<Tenant | undefined> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from ai_connection where uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** Returns the newest key of a connection, as it is stored. */
export async function readKey(em: Em, connection: string): Promise<Envelope | undefined> {
  const { rows } = await sql<Envelope>`
    select key_id as "keyId", wrapped_key as "wrappedKey", sealed from ai_connection_key
    where connection_uid = ${connection} order by id desc limit 1
  `.execute(em.getKysely());
  return rows[0];
}

type Wrapped = {
  id: string;
  uid: string;
  workspaceUid: string;
  environment: Environment;
  wrappedKey: string;
};

/**
 * Encrypts all stored keys, including replaced keys, with another key encryption key. Returns the connections whose
 * keys changed. For operators only.
 */
export async function rewrapConnectionKeys(em: Em, change: KeyChange): Promise<Wrapped[]> {
  const { rows } = await sql<Wrapped>`
    select id, connection_uid as uid, workspace_uid as "workspaceUid", environment, wrapped_key as "wrappedKey"
    from ai_connection_key order by id for update
  `.execute(em.getKysely());
  const changed = new Map<string, Wrapped>();
  for (const row of rows) {
    const rewrapped = rewrapEnvelope(row.wrappedKey, change, row.uid);
    if (!rewrapped) continue;
    await sql`
      update ai_connection_key set key_id = ${rewrapped.keyId}, wrapped_key = ${rewrapped.wrappedKey} where id = ${row.id}
    `.execute(em.getKysely());
    changed.set(row.uid, row);
  }
  return [...changed.values()];
}
