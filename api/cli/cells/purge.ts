import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { cellOf, readDirectory } from '#lib/cells/directory.ts';
import { purgeCopy } from '#lib/cells/purge-copy.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { configOf, inCell } from './in-cell.ts';

type PurgeOptions = OutputOptions & GovernedOptions & { directory: string };

/** Adds the command that deletes the old copy of a workspace that was moved away. */
export function registerPurge(group: Command): void {
  withPerson(withJson(group.command('purge <workspace>')))
    .description(
      'delete the old copy of a workspace that was moved away from this cell: one person requests it, and the same command of another person carries it out',
    )
    .requiredOption(
      '--directory <file>',
      'the directory file, which names the cell that has the workspace now',
    )
    .action(async (workspace: string, { directory: file, ...options }: PurgeOptions) => {
      const directory = await readDirectory(file);
      const config = await configOf(file, directory, cellOf(directory, workspace));
      const { step, rows } = await inCell(readConfig(), (old) =>
        inCell(config, (current, means) =>
          purgeCopy(old, current, {
            workspace,
            actor: provenInWorkspace(means, options, environmentInUse),
            clock: systemClock,
          }),
        ),
      );
      print({ workspace, state: step === 'requested' ? 'requested' : 'purged', rows }, options);
    });
}
