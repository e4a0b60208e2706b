import { sql } from 'kysely';
import { decrypt } from '#lib/core/encryption.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Finding } from './controls.ts';

/** The largest number of secrets of a kind that one evaluation opens. */
const SECRETS_MAX = 1_000;

/** An encrypted secret, and the owner that its encryption names. */
export type StoredSecret = { about: string; sealed: string };

/** Reads the private halves of signing keys. */
export async function signingSecrets(em: Em): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`
    select keyid as about, private_sealed as sealed from signing_key
    where private_sealed is not null order by keyid limit ${SECRETS_MAX}
  `.execute(em.getKysely());
  return rows;
}

/** Reads the secrets of the webhooks of all workspaces. For workers. */
export async function webhookSecrets(em: Em): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`
    select uid as about, unnest(array_remove(array[secret, previous_secret], null)) as sealed
    from webhook order by uid limit ${SECRETS_MAX}
  `.execute(em.getKysely());
  return rows;
}

/** Reads the wrapped keys of the AI connections of the current tenant. */
export async function connectionSecrets(em: Em): Promise<StoredSecret[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<StoredSecret>`
    select connection_uid as about, wrapped_key as sealed from ai_connection_key
    where workspace_uid = ${workspace} and environment = ${environment} order by id limit ${SECRETS_MAX}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Opens every secret with the current key of its kind. The control fails if a secret cannot be opened, which means that
 * it is still encrypted with an earlier key.
 */
export function secretsFinding(
  kinds: readonly { kind: string; key: Buffer; secrets: readonly StoredSecret[] }[],
): Finding {
  const counts = kinds.map(({ kind, key, secrets }) => ({
    kind,
    secrets: secrets.length,
    unreadable: secrets.filter(({ about, sealed }) => !isOpenedBy(key, sealed, about)).length,
  }));
  if (counts.every(({ secrets }) => secrets === 0))
    return { status: 'not_applicable', detailCode: 'no_secrets' };
  const isCurrent = counts.every(({ unreadable }) => unreadable === 0);
  return {
    status: isCurrent ? 'pass' : 'fail',
    detailCode: isCurrent ? 'current_keys' : 'earlier_key',
    evidence: { kinds: counts },
  };
}

function isOpenedBy(key: Buffer, sealed: string, about: string): boolean {
  try {
    decrypt(sealed, key, about);
    return true;
  } catch {
    return false;
  }
}
