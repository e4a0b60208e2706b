import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { readDirectory } from '#lib/cells/directory.ts';
import { CONFIGURATION, configurationOf, MAP, mapOf, type RoutedCredential } from '#lib/cells/haproxy.ts';
import { routedCredentials } from '#lib/cells/routed-credentials.query.ts';
import { queriesOn } from '#lib/database/queries.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { configOf, inCell } from './in-cell.ts';

type RouteOptions = OutputOptions & { directory: string; out: string; bind: string };

export function register(program: Command): void {
  withJson(program.command('route'))
    .requiredOption('--directory <file>', 'the directory file: the cells, and the cell of each workspace')
    .requiredOption('--out <folder>', 'the folder for haproxy.cfg and cells.map')
    .option('--bind <address>', 'the address that HAProxy listens on, with its TLS options', ':8080')
    .action(async ({ directory: file, out, bind, ...options }: RouteOptions) => {
      if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(bind))
        throw new Refusal(
          'bind_invalid',
          '--bind is an address such as :8080 or "10.0.0.1:443 ssl crt /etc/a.pem"',
          2,
        );
      const directory = await readDirectory(file);
      const folder = path.resolve(out);
      if (!/^[A-Za-z0-9/._-]+$/.test(folder))
        throw new Refusal(
          'folder_invalid',
          'the path of --out has letters, digits, dots, hyphens and underscores only',
          2,
        );
      const byCell = Map.groupBy(Object.entries(directory.workspaces), ([, cell]) => cell);
      const credentials: RoutedCredential[] = [];
      for (const [cell, workspaces] of byCell) {
        if (cell === directory.default) continue;
        const config = await configOf(file, directory, cell);
        const uids = workspaces.map(([workspace]) => workspace);
        const ids = await inCell(config, ({ orm }) => queriesOn(orm)('everywhere', routedCredentials, uids));
        credentials.push(...ids.map((id) => ({ id, cell })));
      }
      await mkdir(folder, { recursive: true });
      await replace(path.join(folder, MAP), mapOf(credentials, directory));
      await replace(path.join(folder, CONFIGURATION), configurationOf(directory, { bind, folder }));
      print({ folder, cells: Object.keys(directory.cells).length, credentials: credentials.length }, options);
    });
}

/** Replaces a file as a whole, so that HAProxy never reads half of it. */
async function replace(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, text, { mode: 0o644 });
  await rename(partial, file);
}
