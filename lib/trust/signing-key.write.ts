import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { decrypt, encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import { createKeyPair, type PublicKey } from '#lib/core/signing.ts';
import type { Em } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type ListedKey = PublicKey & {
  validFrom: Date;
  retiredAt: Date | null;
  /**
   * For a key of another deployment, which an import brought: the workspaces whose packs it verifies. Null for a key of
   * this deployment, which verifies packs of all workspaces.
   */
  workspaces: readonly string[] | null;
};

type KeyRow = PublicKey & { valid_from: number; retired_at: number | null; workspaces: string[] | null };

/** Lists all current and retired signing keys, newest first, without their private halves. */
export async function listSigningKeys(em: Em): Promise<ListedKey[]> {
  const { rows } = await sql<KeyRow>`
    select keyid, public_x as x, (extract(epoch from valid_from) * 1000)::float8 as valid_from,
      (extract(epoch from retired_at) * 1000)::float8 as retired_at, workspace_uids as workspaces
    from signing_key order by valid_from desc, keyid
  `.execute(em.getKysely());
  return rows.map(({ keyid, x, valid_from, retired_at, workspaces }) => ({
    keyid,
    x,
    workspaces,
    validFrom: new Date(valid_from),
    retiredAt: retired_at === null ? null : new Date(retired_at),
  }));
}

/** Returns the active signing key; undefined if no key is active. */
export async function activeSigningKey(em: Em): Promise<ListedKey | undefined> {
  return (await listSigningKeys(em)).find(({ retiredAt }) => retiredAt === null);
}

/**
 * Returns the public halves of all current and retired signing keys (RFC 7517), with their periods of use. Keys of other
 * deployments are in a member of their own, so that a verifier that ignores their workspaces does not know them. The
 * workspaces are hashed, because everybody can read the keys.
 */
export async function publishedKeys(em: Em) {
  const [own, imported] = [[], []] as [ListedKey[], ListedKey[]];
  for (const key of await listSigningKeys(em)) (key.workspaces === null ? own : imported).push(key);
  return {
    keys: own.map(presentKey),
    imported_keys: imported.map((key) => ({
      ...presentKey(key),
      workspace_hashes: key.workspaces!.map((uid) => createHash('sha256').update(uid).digest('hex')),
    })),
  };
}

const presentKey = ({ keyid, x, validFrom, retiredAt }: ListedKey) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid: keyid,
  use: 'sig',
  alg: 'EdDSA',
  valid_from: validFrom.toISOString(),
  retired_at: retiredAt?.toISOString() ?? null,
});

/**
 * Decrypts the private half of a key. Returns undefined if the private half was destroyed or encrypted with another
 * secret.
 */
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
 * Retires the active key and creates a new key, in the caller's transaction. The private half of the old key is
 * destroyed. Its public half is kept to verify old signatures. If the clock of a worker was ahead of `now`, the key
 * retires at the time of its last signature.
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

/** Creates the first key, if the deployment has never had a key of its own. Returns whether it was created. */
export async function ensureSigningKey(em: Em, secret: Buffer, now: Date): Promise<boolean> {
  await lockKeys(em);
  if ((await listSigningKeys(em)).some(({ workspaces }) => workspaces === null)) return false;
  await insertKey(em, secret, now);
  return true;
}

/** Re-encrypts the private halves with another secret. Returns the ids of the keys that were changed. */
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

/** Locks the signing keys until the end of the transaction, so that changes run one after another. */
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
