import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig, type Config } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { openOrm } from '#lib/database/orm.ts';
import { openWholeDatabase } from '#lib/database/open.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { cellOf, readDirectory, setCell, type Directory } from '#lib/cells/directory.ts';
import { moveWorkspace, type CellAccess } from '#lib/cells/move-workspace.ts';
import { proofOf, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { notice, print, type OutputOptions } from '../shell/output.ts';
import { cellKeys } from './cell-keys.ts';

type MoveOptions = OutputOptions & GovernedOptions & { to: string; directory: string; wait: string };

/** Adds the command that moves a workspace from this cell to another. */
export function registerMove(group: Command): void {
  withPerson(withJson(group.command('move <workspace>')))
    .description(
      'move a workspace from this cell to another: writes answer 503 during the move, and this cell refers callers to the other one afterwards',
    )
    .requiredOption('--to <cell>', 'the name of the other cell in the directory')
    .requiredOption('--directory <file>', 'the directory file, which is changed at the end')
    .option('--wait <seconds>', 'how long to wait for transactions in progress', '60')
    .action(async (workspace: string, options: MoveOptions) => {
      const { to, directory: file } = options;
      const waitMs = 1_000 * secondsOf(options.wait);
      const directory = await readDirectory(file);
      const cell = directory.cells[to];
      if (!cell) throw new Refusal('cell_unknown', `${file} does not describe the cell ${to}`);
      if (cellOf(directory, workspace) === to)
        throw new Refusal('cell_unchanged', `${file} already has the workspace in the cell ${to}`);
      const config = readConfig();
      const target = await configOf(file, directory, to);
      const moved = await inCell(config, (source, means) =>
        inCell(target, (access) =>
          moveWorkspace(source, access, {
            workspace,
            to,
            address: cell.address,
            actor: provenInWorkspace(means, options, environmentInUse),
            clock: systemClock,
            folder: tmpdir(),
            waitMs,
          }),
        ),
      );
      await setCell(file, workspace, to);
      print(
        {
          workspace,
          to,
          address: cell.address,
          rows: moved.rows,
          seals_verified: moved.seals,
          manifest_hash: moved.manifestHash,
          frozen_ms: moved.frozenMs,
        },
        options,
      );
    });
}

const WAIT_SECONDS_MAX = 3_600;

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > WAIT_SECONDS_MAX)
    throw new Refusal('wait_invalid', `--wait is a number of seconds from 1 to ${WAIT_SECONDS_MAX}`, 2);
  return seconds;
}

/** Reads the operator's variables of a cell. The path is relative to the directory file. */
async function configOf(file: string, { cells }: Directory, name: string): Promise<Config> {
  const { environment } = cells[name]!;
  if (environment === undefined)
    throw new Refusal(
      'environment_missing',
      `${file} does not name the environment file of the cell ${name}`,
    );
  const at = path.resolve(path.dirname(file), environment);
  const text = await readFile(at, 'utf8').catch((error: Error) => {
    throw new Refusal('environment_missing', error.message);
  });
  return readConfig(parseEnv(text));
}

/** Runs work with the database of a cell, once with the rights of the operator and once with those to read every row. */
async function inCell<T>(
  config: Config,
  work: (access: CellAccess, means: ReturnType<typeof proofOf>) => Promise<T>,
): Promise<T> {
  const database = await openWholeDatabase(config, { create: false, log: notice });
  if (!database) throw new Refusal('no_database', 'there is no Assay database here');
  const ownerUrl = config.DATABASE_URL ?? database.ownerUrl;
  const databaseUrl = roleUrl(ownerUrl, 'operator', config);
  const orm = openOrm(databaseUrl, 2);
  try {
    const access = { url: database.url, orm, keys: cellKeys(config, ownerUrl) };
    return await work(access, proofOf({ orm, config, databaseUrl }));
  } finally {
    await orm.close();
    await database.release();
  }
}
