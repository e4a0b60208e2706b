import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { readDirectory } from '#lib/cells/directory.ts';
import { CONFIGURATION, configurationOf, MAP, mapOf, type RoutedCredential } from '#lib/cells/haproxy.ts';
import { routedCredentials } from '#lib/cells/routed-credentials.query.ts';
import { queriesOn } from '#lib/database/queries.ts';
import { withJson } from '../shell/options.ts';
import { notice, print, type OutputOptions } from '../shell/output.ts';
import { configOf, inCell } from './in-cell.ts';

type RouteOptions = OutputOptions & {
  directory: string;
  out: string;
  bind: string;
  reload?: string;
  watch?: string;
};

export function register(program: Command): void {
  withJson(program.command('route'))
    .requiredOption('--directory <file>', 'the directory file: the cells, and the cell of each workspace')
    .requiredOption('--out <folder>', 'the folder for haproxy.cfg and cells.map')
    .option('--bind <address>', 'the address that HAProxy listens on, with its TLS options', ':8080')
    .option('--reload <command>', 'a shell command, run when --watch begins and after a file has changed')
    .option(
      '--watch <seconds>',
      'keep running, and check for new keys and moved workspaces at this interval (1 to 3600)',
    )
    .action(async ({ directory, out, bind, reload, watch, ...options }: RouteOptions) => {
      if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(bind))
        throw new Refusal(
          'bind_invalid',
          '--bind is an address such as :8080 or "10.0.0.1:443 ssl crt /etc/a.pem"',
          2,
        );
      const folder = path.resolve(out);
      if (!/^[A-Za-z0-9/._-]+$/.test(folder))
        throw new Refusal(
          'folder_invalid',
          'the path of --out has letters, digits, dots, hyphens and underscores only',
          2,
        );
      const pauseMs = watch === undefined ? undefined : 1_000 * secondsOf(watch);
      await mkdir(folder, { recursive: true });
      // An earlier command may have written the files and ended before the router had read them.
      let isStale = pauseMs !== undefined;
      const turn = async () => {
        const written = await writeRoutes({ file: directory, folder, bind });
        isStale ||= written.changed;
        if (isStale && reload !== undefined) await run(reload);
        if (isStale || pauseMs === undefined) print({ folder, ...written }, options);
        isStale = false;
      };
      await turn();
      if (pauseMs === undefined) return;
      for (;;) {
        await delay(pauseMs);
        // The router keeps what it has while a cell does not answer. The next turn tries again.
        await turn().catch((error: Error) => notice(error.message));
      }
    });
}

/** Writes the files of the router. A file that is already right stays untouched. */
async function writeRoutes({ file, folder, bind }: { file: string; folder: string; bind: string }) {
  const directory = await readDirectory(file);
  const byCell = Map.groupBy(Object.entries(directory.workspaces), ([, cell]) => cell);
  const credentials: RoutedCredential[] = [];
  for (const [cell, workspaces] of byCell) {
    if (cell === directory.default) continue;
    const config = await configOf(file, directory, cell);
    const uids = workspaces.map(([workspace]) => workspace);
    const ids = await inCell(config, ({ orm }) => queriesOn(orm)('everywhere', routedCredentials, uids));
    credentials.push(...ids.map((id) => ({ id, cell })));
  }
  const changed = [
    await replace(path.join(folder, MAP), mapOf(credentials, directory)),
    await replace(path.join(folder, CONFIGURATION), configurationOf(directory, { bind, folder })),
  ].includes(true);
  return { cells: Object.keys(directory.cells).length, credentials: credentials.length, changed };
}

/** Replaces a file as a whole, so that HAProxy never reads half of it. Returns whether its text is new. */
async function replace(file: string, text: string): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false;
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, text, { mode: 0o644 });
  await rename(partial, file);
  return true;
}

/** Runs a command of the operator. Throws a refusal if it fails. */
async function run(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 2, 2] });
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (status !== 0)
    throw new Refusal('reload_failed', `the command of --reload ended with ${status ?? signal}`);
}

const WATCH_SECONDS_MAX = 3_600;

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > WATCH_SECONDS_MAX)
    throw new Refusal('watch_invalid', `--watch is a number of seconds from 1 to ${WATCH_SECONDS_MAX}`, 2);
  return seconds;
}
