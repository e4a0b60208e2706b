import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import { acquireEmbedded } from './embedded.ts';
import { EMBEDDED_DATABASE } from './locate.ts';
import { migrate } from './migrate.ts';
import { ensureDatabase } from './roles.ts';

export type OwnedDatabase = { ownerUrl: string; release(): Promise<void> };

/**
 * The database with its owner's rights: the one of `DATABASE_URL` as it is, or the embedded one, started where it is
 * not running and brought to the newest schema. Hold it until `release`.
 */
export async function openOwnedDatabase(config: Config, log: (line: string) => void): Promise<OwnedDatabase> {
  if (config.DATABASE_URL) return { ownerUrl: config.DATABASE_URL, release: async () => {} };
  const cluster = await acquireEmbedded(config.ASSAY_HOME, { log });
  try {
    const ownerUrl = await createEmbeddedDatabase(cluster.url, EMBEDDED_DATABASE);
    await migrate(ownerUrl, config);
    return { ownerUrl, release: () => cluster.release() };
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
