import { runMigrations } from 'bullmq';
import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import { QUEUE_SCHEMA } from './base.ts';
import { applyGrants } from './grants.ts';
import { openOrm } from './orm.ts';
import { databaseName, ensureRoles } from './roles.ts';

/** Held while the schema changes; shared by who needs it to stay as it is. */
export const MIGRATION_LOCK = 7_265_189;

/**
 * Brings a database to the newest schema: login roles, migrations, the queue's own schema, privileges. Safe to run
 * from several processes at once: they take turns. Returns the names of the migrations that ran.
 */
export async function migrate(ownerUrl: string, config: Partial<Config> = {}): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const orm = openOrm(ownerUrl, 2);
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await ensureRoles(client, ownerUrl, config);
    const done = await orm.migrator.up();
    await runMigrations(client, QUEUE_SCHEMA);
    await applyGrants(client, databaseName(ownerUrl));
    return done.map((migration) => migration.name);
  } finally {
    await client.end();
    await orm.close();
  }
}
