import { join } from 'node:path';
import { runMigrations } from 'bullmq';
import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import { appliedMigrations } from './backup/tables.ts';
import { QUEUE_SCHEMA } from './base.ts';
import { applyGrants } from './grants.ts';
import { migrations } from './migrations/index.ts';
import { claimNumbers } from './number-range.ts';
import { openOrm } from './orm.ts';
import { databaseName, ensureRoles } from './roles.ts';

/**
 * The key of the lock that protects the schema. A migration holds the lock exclusively. Work that needs an unchanged
 * schema holds it in share mode.
 */
export const MIGRATION_LOCK = 7_265_189;

/**
 * Brings a database to the newest schema: login roles, migrations, the queue's own schema, privileges. Concurrent calls
 * by several processes run one after another. Returns the names of the migrations that ran. Throws, before it changes
 * anything, if the first migration of the database is not the baseline.
 */
export async function migrate(ownerUrl: string, config: Partial<Config> = {}): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await appliedMigrations(client);
    if (!beginsWithBaseline(applied)) throw new Error(cannotBeUpgraded(ownerUrl, config));
    await ensureRoles(client, ownerUrl, config);
    const done = isNewest(applied) ? [] : await runPending(ownerUrl);
    await runMigrations(client, QUEUE_SCHEMA);
    if (config.CELL_NUMBER !== undefined) await claimNumbers(client, config.CELL_NUMBER);
    await applyGrants(client, databaseName(ownerUrl));
    return done;
  } finally {
    await client.end();
  }
}

function beginsWithBaseline(applied: readonly string[]): boolean {
  return applied.length === 0 || applied[0] === migrations[0]!.name;
}

function cannotBeUpgraded(ownerUrl: string, config: Partial<Config>): string {
  const remedy =
    config.ASSAY_HOME !== undefined && config.DATABASE_URL === undefined
      ? `delete ${join(config.ASSAY_HOME, 'postgres')} and start again`
      : 'drop it and create it again';
  return (
    `the database ${databaseName(ownerUrl)} was made by a development version of Assay and cannot be upgraded: ` +
    `${remedy}, or restore a backup of a later version with \`assay restore <file> --replace\``
  );
}

function isNewest(applied: readonly string[]): boolean {
  const known = new Set(applied);
  return migrations.every(({ name }) => known.has(name));
}

async function runPending(ownerUrl: string): Promise<string[]> {
  const orm = openOrm(ownerUrl, 2);
  try {
    const done = await orm.migrator.up();
    return done.map(({ name }) => name);
  } finally {
    await orm.close();
  }
}
