import type { Command } from 'commander';
import type { Em } from '#lib/database/base.ts';
import type { Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { findWorkspace, limitOption, withJson } from './options.ts';
import { printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';

/** A command that lists the newest records of one kind in a workspace and environment, a row each. */
export function listInPlace<Found>(
  command: Command,
  read: (em: Em, most: number) => Promise<Found[]>,
  present: (found: Found) => Record<string, unknown>,
): void {
  withJson(command)
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .addOption(limitOption(50))
    .action(
      async ({ workspace, environment, limit, ...options }: OutputOptions & Place & { limit: number }) => {
        const found = await asOperator((operator) =>
          operator.inWorkspace(
            workspace,
            async (em) => {
              await findWorkspace(em, workspace);
              return read(em, limit);
            },
            environment,
          ),
        );
        printRows(found.map(present), options);
      },
    );
}
