import type { Command } from 'commander';
import { resolveObligationConflict } from '#lib/actions/obligations/resolve-obligation-conflict.command.ts';
import { withdrawObligation } from '#lib/actions/obligations/withdraw-obligation.command.ts';
import { registerConflicts } from '../shell/evidence-conflicts.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';

export function register(program: Command): void {
  const group = program.command('obligation');
  registerConflicts(group, {
    subject: 'obligation',
    what: 'evidence',
    descriptions: {
      keep: 'keep the recorded obligation, and reject the contradicting evidence',
      supersede: 'replace the recorded obligation with the contradicting evidence',
    },
    command: resolveObligationConflict,
    answer: ({ uid, governanceState }) => ({ obligation_uid: uid, governance_state: governanceState }),
  });
  withPerson(withJson(group.command('withdraw <obligation>')))
    .description('withdraw a record permanently; no action uses it any more')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(async (uid: string, options: OutputOptions & GovernedOptions & { reason: string }) => {
      const reason = checkText('--reason', options.reason);
      const { next } = await governAs(withdrawObligation, { uid, reason }, options);
      print({ uid, governance_state: next }, options);
    });
}
