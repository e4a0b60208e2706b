import type { Config } from '#lib/core/config.ts';
import { findEmbedded } from './embedded.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import { KEEPS_AFTER } from './statement-cache.ts';
import { operatorPassword, ownerUrl, roleUrl, type Role } from './roles.ts';

/** The name of the database in the embedded cluster. */
export const EMBEDDED_DATABASE = 'assay';

/**
 * Returns the database URL of a process with this role: `DATABASE_URL`, or the running embedded cluster of
 * `ASSAY_HOME`. Throws if the variable is not set and no cluster is running.
 */
export async function databaseUrl(config: Config, role: Role): Promise<string> {
  if (config.DATABASE_URL) return roleUrl(config.DATABASE_URL, role, config);
  const superuserUrl = await findEmbedded(config.ASSAY_HOME);
  if (!superuserUrl) {
    throw new Error('there is no database: set DATABASE_URL, or start the embedded one with `npm run serve`');
  }
  return roleUrl(ownerUrl(superuserUrl, EMBEDDED_DATABASE), role, config);
}

/**
 * Returns the URL at which a process of this role reaches PostgreSQL itself: `DATABASE_DIRECT_URL`, or else its database
 * URL. A pooler in transaction mode delivers no notices.
 */
export async function directUrl(config: Config, role: Role): Promise<string> {
  if (config.DATABASE_DIRECT_URL) return roleUrl(config.DATABASE_DIRECT_URL, role, config);
  return databaseUrl(config, role);
}

/** Whether the processes reach PostgreSQL through a pooler, which the direct URL bypasses. */
export function isPooled({ DATABASE_DIRECT_URL }: Pick<Config, 'DATABASE_DIRECT_URL'>): boolean {
  return DATABASE_DIRECT_URL !== undefined;
}

/**
 * Returns after how many uses the connections of a service keep a statement prepared. A pooler in transaction mode gives
 * each transaction another connection, so no statement is kept.
 */
export function keptStatements(config: Config): { keepsAfter?: number } {
  return isPooled(config) ? {} : { keepsAfter: KEEPS_AFTER };
}

/**
 * Returns the key of the secrets of one-time codes: `ENCRYPTION_KEY`, or the key derived from the operator's password.
 * Returns undefined if neither is known. This is the case in a process that connects with the password of another role.
 */
export async function codeKey(config: Config): Promise<Buffer | undefined> {
  if (config.ENCRYPTION_KEY !== undefined) return encryptionKey(config.ENCRYPTION_KEY, '');
  const url = config.DATABASE_URL ?? (await databaseUrl(config, 'operator'));
  const password = operatorPassword(url, config);
  return password === undefined ? undefined : encryptionKey(undefined, password);
}
