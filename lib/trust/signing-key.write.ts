import { sql } from 'kysely';
import { decrypt, encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import { createKeyPair, type PublicKey } from '#lib/core/signing.ts';
import type { Em } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type ListedKey = PublicKey & { validFrom: Date; retiredAt: Date | null };

type KeyRow = PublicKey & { valid_from: number; retired_at: number | null };

/** All keys that have ever signed, newest first, without their private halves. */
export async function listSigningKeys(em: Em): Promise<ListedKey[]> {
  const { rows } = await sql<KeyRow>`
    select keyid, public_x as x, (extract(epoch from valid_from) * 1000)::float8 as valid_from,
      (extract(epoch from retired_at) * 1000)::float8 as retired_at
    from signing_key order by valid_from desc, keyid
  `.execute(em.getKysely());
  return rows.map(({ keyid, x, valid_from, retired_at }) => ({
    keyid,
    x,
    validFrom: new Date(valid_from),
    retiredAt: retired_at === null ? null : new Date(retired_at),
  }));
}

/** The key that signs now; undefined where there is none. */
export async function activeSigningKey(em: Em): Promise<ListedKey | undefined> {
  return (await listSigningKeys(em)).find(({ retiredAt }) => retiredAt === null);
}

/** The public halves of all keys that have ever signed evidence (RFC 7517), with the time in which each did. */
export async function publishedKeys(em: Em) {
  const keys = await listSigningKeys(em);
  return {
    keys: keys.map(({ keyid, x, validFrom, retiredAt }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid: keyid,
      use: 'sig',
      alg: 'EdDSA',
      valid_from: validFrom.toISOString(),
      retired_at: retiredAt?.toISOString() ?? null,
    })),
  };
}

/** Opens the private half of a key; undefined where it is gone, or was closed with another secret. */
export async function openSigningKey(em: Em, keyid: string, secret: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ sealed: string | null }>`
    select private_sealed as sealed from signing_key where keyid = ${keyid}
  `.execute(em.getKysely());
  const sealed = rows[0]?.sealed;
  if (sealed == null) return undefined;
  try {
    return decrypt(sealed, secret, keyid);
  } catch {
    return undefined;
  }
}

/**
 * Retires the key that signs and makes a new one in the caller's transaction. The private half of the old one is
 * destroyed; its public half stays, for what it has signed: by the clock of a worker that may have been after `now`.
 */
export async function rotateSigningKey(em: Em, secret: Buffer, now: Date): Promise<PublicKey> {
  await lockKeys(em);
  const { rows } = await sql<{ at: number }>`
    update signing_key set private_sealed = null, retired_at = greatest(${now}, valid_from, (
      select max(period_to) from evidence_pack where evidence_pack.keyid = signing_key.keyid
    ))
    where retired_at is null returning (extract(epoch from retired_at) * 1000)::float8 as at
  `.execute(em.getKysely());
  return insertKey(em, secret, new Date(Math.max(now.getTime(), ...rows.map(({ at }) => at))));
}

/** Makes the first key where there has been none. Returns whether it did. */
export async function ensureSigningKey(em: Em, secret: Buffer, now: Date): Promise<boolean> {
  await lockKeys(em);
  if ((await listSigningKeys(em)).length > 0) return false;
  await insertKey(em, secret, now);
  return true;
}

/** Puts the private halves that are kept under another secret. Names the keys whose halves were not under it yet. */
export async function rewrapSigningKeys(em: Em, change: KeyChange): Promise<string[]> {
  await lockKeys(em);
  const { rows } = await sql<{ keyid: string; sealed: string }>`
    select keyid, private_sealed as sealed from signing_key where private_sealed is not null order by keyid
  `.execute(em.getKysely());
  const changed: string[] = [];
  for (const { keyid, sealed } of rows) {
    const rewrapped = rewrap(sealed, change, keyid);
    if (rewrapped === undefined) continue;
    await sql`update signing_key set private_sealed = ${rewrapped} where keyid = ${keyid}`.execute(
      em.getKysely(),
    );
    changed.push(keyid);
  }
  return changed;
}

/** Lets changes of the keys come one after the other, to the end of the transaction. */
export async function lockKeys(em: Em): Promise<void> {
  await acquireNamedLock(em, 'signing keys');
}

async function insertKey(em: Em, secret: Buffer, now: Date): Promise<PublicKey> {
  const { keyid, x, privateKey } = createKeyPair();
  await sql`
    insert into signing_key (keyid, public_x, private_sealed, valid_from)
    values (${keyid}, ${x}, ${encrypt(privateKey, secret, keyid)}, ${now})
  `.execute(em.getKysely());
  return { keyid, x };
}
