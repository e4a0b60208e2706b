import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { openWholeDatabase } from '#lib/database/open.ts';
import type { Manifest } from '#lib/cells/manifest.ts';
import { recordExport } from '#lib/cells/record-export.command.ts';
import { governUnnamed } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { notice, print, type OutputOptions } from '../shell/output.ts';
import { cellKeys } from './cell-keys.ts';

/** Adds the commands that write a workspace to a file and read it into another cell. */
export function registerTransfer(group: Command): void {
  withJson(group.command('export <workspace> <file>'))
    .description(
      'write everything of a workspace to a file while the service runs; prints a one-time secret that the import needs',
    )
    .option('--force', 'replace the file if it exists')
    .action(async (workspace: string, file: string, options: OutputOptions & { force?: true }) => {
      const { exportWorkspace } = await import('#lib/cells/export-workspace.ts');
      const started = performance.now();
      const { manifest, secret } = await inWholeDatabase(({ url, ownerUrl, config }) =>
        exportWorkspace(url, workspace, file, {
          force: options.force,
          clock: systemClock,
          keys: cellKeys(config, ownerUrl),
        }),
      );
      await governUnnamed(recordExport, { workspace, manifestHash: canonicalHash(manifest) });
      const { size } = await stat(file);
      print(
        { file, bytes: size, ...describe(manifest, started), transfer_secret: secret.toString('base64url') },
        options,
      );
    });
  withJson(group.command('import <file>'))
    .description(
      'bring an exported workspace into this cell, whole or not at all, while the service runs; TRANSFER_SECRET holds the secret that the export printed',
    )
    .action(async (file: string, options: OutputOptions) => {
      const { importWorkspace } = await import('#lib/cells/import-workspace.ts');
      const started = performance.now();
      const { manifest, seals } = await inWholeDatabase(({ url, ownerUrl, config }) => {
        if (config.TRANSFER_SECRET === undefined)
          throw new Refusal(
            'transfer_secret_missing',
            'set TRANSFER_SECRET to the secret that the export printed',
          );
        return importWorkspace(url, file, {
          secret: Buffer.from(config.TRANSFER_SECRET, 'base64url'),
          keys: cellKeys(config, ownerUrl),
          clock: systemClock,
        });
      });
      print({ file, ...describe(manifest, started), seals_verified: seals }, options);
    });
}

type Whole = { url: string; ownerUrl: string; config: ReturnType<typeof readConfig> };

/** Runs work with the database of this deployment, with the rights to read and write all of it. */
async function inWholeDatabase<T>(work: (database: Whole) => Promise<T>): Promise<T> {
  const config = readConfig();
  const database = await openWholeDatabase(config, { create: false, log: notice });
  if (!database) throw new Refusal('no_database', 'there is no Assay database here');
  try {
    return await work({ url: database.url, ownerUrl: config.DATABASE_URL ?? database.ownerUrl, config });
  } finally {
    await database.release();
  }
}

/** Returns the fields that both commands print. `started`: the value of `performance.now()` when the command began. */
function describe(manifest: Manifest, started: number): Record<string, unknown> {
  return {
    workspace: manifest.workspace.uid,
    schema_version: manifest.schema_version,
    created_at: manifest.created_at,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    logs: manifest.logs,
    manifest_hash: canonicalHash(manifest),
    seconds: Math.round(performance.now() - started) / 1_000,
  };
}
