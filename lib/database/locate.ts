import type { Config } from '#lib/core/config.ts';
import { findEmbedded } from './embedded.ts';
import { ownerUrl, roleUrl, type Role } from './roles.ts';

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
