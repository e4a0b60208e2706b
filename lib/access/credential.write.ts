import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { Application } from './application.entity.ts';
import { Credential } from './credential.entity.ts';

/** Returns the number of currently valid keys of an application. */
export function liveKeys(em: Em, { uid }: Application, now: Date): Promise<number> {
  const ended = { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  return em.count(Credential, { applicationUid: uid, revokedAt: null, ...ended }, { filters: false });
}

/** Whether a key exists and has not been revoked. */
export async function isLiveKey(em: Em, uid: string): Promise<boolean> {
  return (await em.count(Credential, { uid, revokedAt: null }, { filters: false })) > 0;
}

export type KeyUse = { key: Credential; lastUsedAt: Date | undefined; address: string | undefined };

/** Returns the keys of an application in order of issue, each with its last use. */
export async function credentialsOf(em: Em, application: string): Promise<KeyUse[]> {
  const keys = await em.find(
    Credential,
    { applicationUid: application },
    { filters: false, orderBy: { uid: 'asc' } },
  );
  const uses = await lastUses(
    em,
    keys.map(({ uid }) => uid),
  );
  return keys.map((key) => {
    const use = uses.get(key.uid);
    return { key, lastUsedAt: use?.last_used_at, address: use?.address };
  });
}

type Use = { credential_uid: string; last_used_at: Date; address: string };

async function lastUses(em: Em, credentials: readonly string[]): Promise<Map<string, Use>> {
  const { rows } = await sql<{ credential_uid: string; last_used_at: string; address: string }>`
    select credential_uid, last_used_at, address from credential_use
    where credential_uid = any(${[...credentials]}::text[])
  `.execute(em.getKysely());
  return new Map(
    rows.map((row) => [row.credential_uid, { ...row, last_used_at: new Date(row.last_used_at) }]),
  );
}

export type NewUse = { credential: string; network: string; userAgent: string | null; at: Date };

/** Records the last use of a credential in the tenant of `em`. Only the first use in a minute is recorded. */
export async function noteUse(em: Em, { credential, network, userAgent, at }: NewUse): Promise<void> {
  await sql`
    insert into credential_use as u (credential_uid, workspace_uid, environment, last_used_at, address, user_agent)
    values (${credential}, app_workspace(), app_environment(), ${at}, ${network}, ${userAgent})
    on conflict (credential_uid) do update
      set last_used_at = excluded.last_used_at, address = excluded.address, user_agent = excluded.user_agent
      where u.last_used_at < excluded.last_used_at - interval '59 seconds'
  `.execute(em.getKysely());
}
