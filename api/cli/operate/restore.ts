import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { BackupRefused } from '#lib/database/backup/backup-refused.ts';
import { checkBackup } from '#lib/database/backup/check.ts';
import type { Manifest } from '#lib/database/backup/manifest.ts';
import { rehearse } from '#lib/database/backup/rehearse.ts';
import { restore } from '#lib/database/backup/restore.ts';
import { isTrial, recordTrial } from '#lib/database/backup/restore-trial.ts';
import { openWholeDatabase } from '#lib/database/open.ts';
import { backupBar, describeBackup } from './backup-output.ts';
import { withJson } from '../shell/options.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';

type RestoreOptions = OutputOptions & { replace?: true; rehearse?: true };

export function register(program: Command): void {
  withJson(program.command('restore <file>'))
    .option(
      '--replace',
      'first delete, without confirmation, all workspaces, data and runs in the database; default: refuse if there are any',
    )
    .option(
      '--rehearse',
      'restore into a separate database on the same server, delete that database afterwards, and record the outcome; the service can run',
    )
    .action(run);
}

async function run(file: string, options: RestoreOptions): Promise<void> {
  const config = readConfig();
  const started = performance.now();
  const kind = options.rehearse ? ('rehearsal' as const) : ('restore' as const);
  const checked = await checkBackup(file).then(
    (manifest) => ({ manifest, error: undefined }),
    (error: unknown) => ({ manifest: undefined, error }),
  );
  // No database is created for a damaged file or for a rehearsal.
  const create = checked.error === undefined && !options.rehearse;
  const database = await openWholeDatabase(config, { create, log: notice });
  if (!database)
    throw checked.error ?? new BackupRefused('nothing_to_back_up', 'there is no Assay database here');
  const bar = backupBar(options.rehearse ? 'Rehearsing' : 'Restoring', options);
  let manifest: Manifest | undefined;
  try {
    if (checked.error !== undefined) throw checked.error;
    manifest = checked.manifest!;
    const work = options.rehearse ? rehearse : restore;
    const given = { config, replace: options.replace, onProgress: bar?.show };
    const migrated = await work(database, { file, manifest }, given);
    await recordTrial(database.url, { kind, manifest, now: systemClock.now() });
    bar?.stop();
    print({ file, ...describeBackup(manifest, started), kind, migrated }, options);
  } catch (error) {
    if (isTrial(error)) await recordTrial(database.url, { kind, manifest, error, now: systemClock.now() });
    throw error;
  } finally {
    bar?.stop();
    await database.release();
  }
}
