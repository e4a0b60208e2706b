import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { backUp } from '#lib/database/backup/back-up.ts';
import { BackupRefused } from '#lib/database/backup/backup-refused.ts';
import { openWholeDatabase } from '#lib/database/open.ts';
import { backupBar, describeBackup } from './backup-output.ts';
import { withJson } from '../shell/options.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';

export function register(program: Command): void {
  withJson(program.command('backup <file>'))
    .option('--force', 'replace the file if it exists')
    .action(async (file: string, options: OutputOptions & { force?: true }) => {
      const database = await openWholeDatabase(readConfig(), { create: false, log: notice });
      if (!database) throw new BackupRefused('nothing_to_back_up', 'there is no Assay database here');
      const bar = backupBar('Backing up', options);
      try {
        const started = performance.now();
        const manifest = await backUp(database.url, file, {
          force: options.force,
          clock: systemClock,
          onProgress: bar?.show,
        });
        bar?.stop();
        const { size } = await stat(file);
        print({ file, bytes: size, ...describeBackup(manifest, started) }, options);
      } finally {
        bar?.stop();
        await database.release();
      }
    });
}
