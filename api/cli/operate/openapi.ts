import type { Command } from 'commander';
import { version } from '#lib/core/version.ts';
import { catalog } from '../../catalog.ts';
import { openApi } from '../../derive/openapi.ts';

export function register(program: Command): void {
  program.command('openapi').action(() => {
    process.stdout.write(`${JSON.stringify(openApi(catalog, version), null, 2)}\n`);
  });
}
