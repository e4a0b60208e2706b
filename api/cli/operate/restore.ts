import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { checkBackup } from '#lib/database/backup/check.ts';
import { restore } from '#lib/database/backup/restore.ts';
import { openWholeDatabase } from '#lib/database/open.ts';
import { backupBar, describeBackup } from './backup-output.ts';
import { withJson } from '../shell/options.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';

export function register(program: Command): void {
  withJson(program.command('restore <file>'))
    .description('load a backup into an empty database and bring it to the newest schema')
    .option(
      '--replace',
      'first delete, without confirmation, all workspaces, data and runs in the database; default: refuse if there are any',
    )
    .action(async (file: string, options: OutputOptions & { replace?: true }) => {
      const config = readConfig();
      const started = performance.now();
      const manifest = await checkBackup(file);
      const database = (await openWholeDatabase(config, { create: true, log: notice }))!;
      const bar = backupBar('Restoring', options);
      try {
        const added = await restore(
          database,
          { file, manifest },
          {
            config,
            replace: options.replace,
            onProgress: bar?.show,
          },
        );
        bar?.stop();
        print({ file, ...describeBackup(manifest, started), migrated: added }, options);
      } finally {
        bar?.stop();
        await database.release();
      }
    });
}
