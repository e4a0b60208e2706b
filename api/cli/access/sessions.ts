import type { Command } from 'commander';
import { closeConsoleSession } from '#lib/access/console/close-session.command.ts';
import { openSessionsOf } from '#lib/access/console/session.query.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { systemClock } from '#lib/core/clock.ts';
import { governProven } from '../shell/govern.ts';
import { ask } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';

/** Registers the commands for the open sessions of a person in the console. */
export function registerSessions(group: Command): void {
  const sessions = group
    .command('sessions')
    .description('list or end the sessions of a person in the console');
  withJson(sessions.command('list <person>', { isDefault: true }))
    .description('list the open sessions of a person')
    .action(async (person: string, options: OutputOptions) => {
      const open = await ask('everywhere', openSessionsOf, person, systemClock.now());
      printRows(open, options, ({ environment, proof, openedAt, seenAt, endsAt, linkIssuer }) => ({
        environment,
        proof,
        opened_at: openedAt.toISOString(),
        seen_at: seenAt.toISOString(),
        ends_at: endsAt.toISOString(),
        link_issued_by: linkIssuer,
      }));
    });
  withJson(sessions.command('end <person>'))
    .description('end all sessions of a person, in both environments; needs no one-time code')
    .option('--as <person>', 'the person who ends the sessions (default: the owner of the workspace)')
    .action(async (person: string, { as, ...options }: OutputOptions & { as?: string }) => {
      await governProven(closeConsoleSession, { person, everywhere: true }, () => unprovenPerson(as));
      print({ uid: person, sessions: 'ended' }, options);
    });
}
