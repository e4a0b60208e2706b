import type { Command } from 'commander';
import { resolveTerms } from '#lib/investment/netting-set-conflict.repository.ts';
import { registerConflicts } from './evidence-conflicts.ts';

export function register(program: Command): void {
  const group = program.command('netting-set').description('terms of agreements, and what contradicts them');
  registerConflicts(group, {
    subject: 'netting_set',
    what: 'evidence of terms',
    descriptions: {
      keep: 'keep the recorded terms, and leave the others aside',
      supersede: 'record the other terms in the place of the recorded ones, under the same reference',
    },
    resolve: resolveTerms,
    entry: ({ successor }) => ({ successor_uid: successor?.uid ?? null }),
    answer: ({ nettingSet, successor }) => ({ netting_set_uid: (successor ?? nettingSet).uid }),
  });
}
