import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import type { WholeDatabase } from '../open.ts';
import { databaseName, ensureDatabase, ownerUrl, roleName, roles } from '../roles.ts';
import type { Manifest } from './manifest.ts';
import { restore, type RestoreOptions } from './restore.ts';

/**
 * Restores a backup that `checkBackup` has found intact into a temporary database on the same server, and deletes this
 * database afterwards. The service can run meanwhile. The role of the URL must be able to create databases and roles.
 * Returns the names of the migrations that ran after the backup was loaded.
 */
export async function rehearse(
  { url }: Pick<WholeDatabase, 'url'>,
  backup: { file: string; manifest: Manifest },
  { config, onProgress }: { config: Config; onProgress?: RestoreOptions['onProgress'] },
): Promise<string[]> {
  const name = `${databaseName(url)}_rehearsal`;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await ensureDatabase(client, url, name);
    const own = new URL(url);
    own.pathname = `/${name}`;
    return await restore({ url: own.href, ownerUrl: ownerUrl(url, name) }, backup, {
      config,
      replace: true,
      onProgress,
    });
  } finally {
    await deleteDatabase(client, name).finally(() => client.end());
  }
}

async function deleteDatabase(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  for (const role of [...roles.map((each) => roleName(name, each)), `${name}_owner`])
    await client.query(`drop role if exists ${client.escapeIdentifier(role)}`);
}
