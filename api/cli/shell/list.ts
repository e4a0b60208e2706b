import type { Command } from 'commander';
import type { Query, Tenant } from '#lib/database/base.ts';
import { limitOption, withJson } from './options.ts';
import { printRows, type OutputOptions } from './output.ts';
import { askIn } from './ask.ts';
import { withPlace } from './place.ts';

/** Registers a command that lists the newest records of one kind in a workspace and environment, one row each. */
export function listInPlace<Found>(
  command: Command,
  read: Query<[limit: number], Found[]>,
  present: (found: Found) => Record<string, unknown>,
): void {
  withPlace(withJson(command))
    .addOption(limitOption(50))
    .action(async ({ limit, ...options }: OutputOptions & Tenant & { limit: number }) =>
      printRows(await askIn(options, read, limit), options, present),
    );
}

/** Registers a command that lists all records of one kind in a workspace and environment, one row each. */
export function listAllInPlace<Found>(
  command: Command,
  read: Query<[], Found[]>,
  present: (found: Found) => Record<string, unknown>,
): void {
  withPlace(withJson(command)).action(async (options: OutputOptions & Tenant) =>
    printRows(await askIn(options, read), options, present),
  );
}

/** Registers a command that lists the records of a tenant that match the options of the command, one row each. */
export function registerList<Options, Question, Found>(
  command: Command,
  {
    query,
    ask,
    present,
  }: {
    query: Query<[Question], readonly Found[]>;
    /** The arguments of the query, from the options. */
    ask(options: Options): Question;
    present(found: Found): Record<string, unknown>;
  },
): void {
  withPlace(withJson(command)).action(async (options: OutputOptions & Tenant & Options) => {
    printRows(await askIn(options, query, ask(options)), options, present);
  });
}
