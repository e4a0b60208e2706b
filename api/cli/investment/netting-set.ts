import type { Command } from 'commander';
import { resolveTermsConflict } from '#lib/investment/netting/resolve-terms-conflict.command.ts';
import { registerConflicts } from '../shell/evidence-conflicts.ts';

export function register(program: Command): void {
  const group = program.command('netting-set').description('terms of agreements, and what contradicts them');
  registerConflicts(group, {
    subject: 'netting_set',
    what: 'evidence of terms',
    descriptions: {
      keep: 'keep the recorded terms, and leave the others aside',
      supersede: 'record the other terms in the place of the recorded ones, under the same reference',
    },
    command: resolveTermsConflict,
    answer: ({ uid }) => ({ netting_set_uid: uid }),
  });
}
