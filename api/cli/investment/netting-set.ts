import type { Command } from 'commander';
import { resolveTermsConflict } from '#lib/investment/netting/resolve-terms-conflict.command.ts';
import { registerConflicts } from '../shell/evidence-conflicts.ts';

export function register(program: Command): void {
  const group = program.command('netting-set');
  registerConflicts(group, {
    subject: 'netting_set',
    what: 'evidence about terms',
    descriptions: {
      keep: 'keep the recorded terms, and reject the contradicting terms',
      supersede: 'replace the recorded terms with the contradicting terms, under the same reference',
    },
    command: resolveTermsConflict,
    answer: ({ uid }) => ({ netting_set_uid: uid }),
  });
}
