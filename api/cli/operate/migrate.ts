import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { migrate } from '#lib/database/migrate.ts';
import { openOwnedDatabase } from '#lib/database/open.ts';
import { ensureFirstKey } from '../../process/first-key.ts';
import { withJson } from '../shell/options.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';

export function register(program: Command): void {
  withJson(program.command('migrate')).action(async (options: OutputOptions) => {
    const config = readConfig();
    const database = await openOwnedDatabase(config, notice);
    try {
      const applied = await migrate(database.directUrl, config);
      await ensureFirstKey(database.ownerUrl, config);
      print({ applied }, options);
    } finally {
      await database.release();
    }
  });
}
