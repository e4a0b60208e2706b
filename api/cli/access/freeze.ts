import type { Command } from 'commander';
import { freezeWorkspace } from '#lib/access/freeze-workspace.command.ts';
import { provenFreezer } from '#lib/access/prove-person.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governProven } from '../shell/govern.ts';

const descriptions = {
  freeze: 'stop all financial actions at once: nothing is authorized or released; one person is enough',
  thaw: 'resume financial actions; the person who stopped them cannot resume them',
};

/**
 * Registers the commands that stop all financial actions of a workspace in an emergency, and allow them
 * again.
 */
export function registerFreeze(group: Command): void {
  for (const event of ['freeze', 'thaw'] as const) {
    withPerson(withJson(group.command(`${event} <workspace>`)))
      .description(descriptions[event])
      .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
      .action(async (uid: string, options: OutputOptions & GovernedOptions & { reason: string }) => {
        const change = { workspace: uid, event, reason: checkText('--reason', options.reason) };
        const { next } = await governProven(freezeWorkspace, change, (means) =>
          provenFreezer(means, event, options),
        );
        print({ uid, financial_actions: next }, options);
      });
  }
}
