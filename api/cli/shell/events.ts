import type { Command } from 'commander';
import type { Done, InputOf, TenantCommand } from '#lib/governance/command.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { checkText, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { governAs } from './govern.ts';

/** The events that a person can apply to one kind of record, each with the help text of its command. */
export type RecordEvents<E extends string, C extends TenantCommand> = {
  descriptions: Readonly<Record<E, string>>;
  /** The help text of `--reason`, for each event that takes a reason. */
  reasons?: Readonly<Partial<Record<E, string>>>;
  command: C;
  inputOf(uid: string, event: E, reason: string | undefined): InputOf<C>;
  present(done: Done<C>, uid: string): Record<string, unknown>;
};

type EventOptions = OutputOptions & GovernedOptions & { reason?: string };

/**
 * Registers a command for each event of a record. The command applies the event in the name of a person, and
 * prints the outcome.
 */
export function registerEvents<E extends string, C extends TenantCommand>(
  group: Command,
  subject: string,
  { descriptions, reasons, command, inputOf, present }: RecordEvents<E, C>,
): void {
  for (const event of Object.keys(descriptions) as E[]) {
    const declared = withPerson(withJson(group.command(`${event} <${subject}>`)));
    const why: string | undefined = reasons?.[event];
    if (why !== undefined) declared.requiredOption('--reason <text>', why);
    declared.description(descriptions[event]).action(async (uid: string, options: EventOptions) => {
      const reason = options.reason === undefined ? undefined : checkText('--reason', options.reason);
      print(present(await governAs(command, inputOf(uid, event, reason), options), uid), options);
    });
  }
}
