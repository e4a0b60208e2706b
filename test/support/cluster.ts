import { Client } from 'pg';
import { acquireEmbedded } from '#lib/database/embedded.ts';
import { migrate } from '#lib/database/migrate.ts';
import { ensureDatabase } from '#lib/database/roles.ts';

/** An embedded PostgreSQL of a home of its own, with as many databases as are asked for. */
export type Cluster = {
  home: string;
  /** A new database with its roles and the newest schema; returns the owner's URL. */
  freshDatabase(name: string): Promise<string>;
  /** A new database without anything in it; returns the owner's URL. */
  emptyDatabase(name: string): Promise<string>;
  superuserUrl(database: string): string;
  release(): Promise<void>;
};

export async function openCluster(home: string): Promise<Cluster> {
  const { url, release } = await acquireEmbedded(home);
  const emptyDatabase = async (name: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
    const ownerUrl = await ensureDatabase(client, url, name);
    await client.end();
    return ownerUrl;
  };
  return {
    home,
    emptyDatabase,
    async freshDatabase(name) {
      const ownerUrl = await emptyDatabase(name);
      await migrate(ownerUrl);
      return ownerUrl;
    },
    superuserUrl(database) {
      const superuser = new URL(url);
      superuser.pathname = `/${database}`;
      return superuser.href;
    },
    release,
  };
}
