import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { cellOf, readDirectory, setCell } from '#lib/cells/directory.ts';
import { moveWorkspace } from '#lib/cells/move-workspace.ts';
import { rehearseMove, type Rehearsal } from '#lib/cells/rehearse-move.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { configOf, inCell } from './in-cell.ts';

type MoveOptions = OutputOptions &
  GovernedOptions & { to: string; directory: string; wait: string; dryRun?: true };

/** Adds the command that moves a workspace from this cell to another. */
export function registerMove(group: Command): void {
  withPerson(withJson(group.command('move <workspace>')))
    .description(
      'move a workspace from this cell to another: writes answer 503 during the move, and this cell refers callers to the other one afterwards',
    )
    .requiredOption('--to <cell>', 'the name of the other cell in the directory')
    .requiredOption('--directory <file>', 'the directory file, which is changed at the end')
    .option('--wait <seconds>', 'how long to wait for transactions in progress', '60')
    .option(
      '--dry-run',
      'print what prevents the move, or else the size of the workspace and how long its copy takes, and move nothing',
    )
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
      const what = { workspace, to, clock: systemClock, folder: tmpdir() };
      if (options.dryRun) {
        const rehearsal = await inCell(config, (source) =>
          inCell(target, (access) => rehearseMove(source, access, what)),
        );
        return printRehearsal(rehearsal, { workspace, to }, options);
      }
      const moved = await inCell(config, (source, means) =>
        inCell(target, (access) =>
          moveWorkspace(source, access, {
            ...what,
            address: cell.address,
            actor: provenInWorkspace(means, options, environmentInUse),
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

/** Prints the result of a rehearsal. Refuses if something prevents the move, after all of it was printed. */
function printRehearsal(
  { blockers, size, exportSeconds, importSeconds }: Rehearsal,
  about: { workspace: string; to: string },
  options: OutputOptions,
): void {
  const lines = blockers.map((blocker) =>
    'detail' in blocker
      ? `${blocker.code}: ${blocker.detail}`
      : `${blocker.code}: ${blocker.table} ${blocker.record} refers to ${blocker.to} ${blocker.target}: ${blocker.remedy}`,
  );
  print(
    {
      ...about,
      blockers: options.json ? blockers : lines.join('\n') || 'none',
      rows: size?.rows ?? null,
      bytes: size?.bytes ?? null,
      ...(options.json && { tables: size?.tables ?? null }),
      export_seconds: exportSeconds,
      import_seconds: importSeconds,
      expected_frozen_seconds:
        exportSeconds === null || importSeconds === null ? null : exportSeconds + importSeconds,
    },
    options,
  );
  if (blockers.length > 0)
    throw new Refusal(
      'move_blocked',
      `the move would be refused for ${blockers.length === 1 ? 'a reason' : `${blockers.length} reasons`}`,
    );
}

const WAIT_SECONDS_MAX = 3_600;

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > WAIT_SECONDS_MAX)
    throw new Refusal('wait_invalid', `--wait is a number of seconds from 1 to ${WAIT_SECONDS_MAX}`, 2);
  return seconds;
}
