import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import { acquireEmbedded } from './embedded.ts';
import { EMBEDDED_DATABASE } from './locate.ts';
import { migrate } from './migrate.ts';
import { ensureDatabase, ownerUrl } from './roles.ts';

export type OwnedDatabase = {
  ownerUrl: string;
  /**
   * The owner's URL without a pooler. A migration needs it, because it holds a lock for its whole session, which a pooler
   * in transaction mode does not keep together.
   */
  directUrl: string;
  /**
   * Supervises an embedded server from now on. If the server ends unexpectedly, it is started again and `log`
   * is called with a line.
   */
  supervise(log: (line: string) => void): void;
  release(): Promise<void>;
};

/**
 * Opens the database with its owner's rights. A database in `DATABASE_URL` is used as it is. The embedded
 * database is started if necessary and migrated to the newest schema. It keeps running until the caller calls
 * `release`.
 */
export async function openOwnedDatabase(config: Config, log: (line: string) => void): Promise<OwnedDatabase> {
  const { DATABASE_URL: given, DATABASE_DIRECT_URL: directUrl = given } = config;
  if (given && directUrl) return { ownerUrl: given, directUrl, supervise: () => {}, release: async () => {} };
  const cluster = await acquireEmbedded(config.ASSAY_HOME, { log });
  try {
    const url = await createEmbeddedDatabase(cluster.url, EMBEDDED_DATABASE);
    await migrate(url, config);
    return { ownerUrl: url, directUrl: url, supervise: cluster.supervise, release: cluster.release };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

export type WholeDatabase = Omit<OwnedDatabase, 'supervise' | 'directUrl'> & {
  /**
   * The URL of the role that can read every row: the superuser of the embedded server, or the user of
   * `DATABASE_DIRECT_URL` or `DATABASE_URL`.
   */
  url: string;
};

/**
 * Opens the database with the rights to read and write all of it, without changing its schema. If the
 * embedded database was never set up, creates it if `create` is set, and otherwise returns `undefined`. The
 * embedded database keeps running until the caller calls `release`.
 */
export async function openWholeDatabase(
  config: Config,
  { create, log }: { create: boolean; log: (line: string) => void },
): Promise<WholeDatabase | undefined> {
  // A backup holds locks and a snapshot for its whole session, which a pooler in transaction mode does not keep together.
  const given = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (given) return { url: given, ownerUrl: given, release: async () => {} };
  if (!create && !existsSync(join(config.ASSAY_HOME, 'postgres'))) return undefined;
  const cluster = await acquireEmbedded(config.ASSAY_HOME, { log });
  try {
    if (create) await createEmbeddedDatabase(cluster.url, EMBEDDED_DATABASE);
    const url = new URL(cluster.url);
    url.pathname = `/${EMBEDDED_DATABASE}`;
    return {
      url: url.href,
      ownerUrl: ownerUrl(cluster.url, EMBEDDED_DATABASE),
      release: cluster.release,
    };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

async function createEmbeddedDatabase(superuserUrl: string, database: string): Promise<string> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    return await ensureDatabase(client, superuserUrl, database);
  } finally {
    await client.end();
  }
}
