import type { Command } from 'commander';
import { resolveConflict, withdrawObligation } from '#lib/actions/obligation-conflict.repository.ts';
import { registerConflicts } from './evidence-conflicts.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { checkText, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type WithdrawOptions = OutputOptions & GovernedOptions & { reason: string };

const withdrawals = {
  obligation_unknown: 'there is no such obligation',
  transition_not_allowed: 'it was superseded or withdrawn before',
};

export function register(program: Command): void {
  const group = program.command('obligation').description('obligations, and evidence that contradicts them');
  registerConflicts(group, {
    subject: 'obligation',
    what: 'evidence',
    descriptions: {
      keep: 'keep the record, and leave the contradicting source aside',
      supersede: 'put the contradicting source in the place of the record',
    },
    resolve: resolveConflict,
    entry: ({ obligation, successor }) => ({
      to: obligation.governanceState,
      successor_uid: successor?.uid ?? null,
    }),
    answer: ({ obligation, successor = obligation }) => ({
      obligation_uid: successor.uid,
      governance_state: successor.governanceState,
    }),
  });
  withPerson(withJson(group.command('withdraw <obligation>')))
    .description('take a record back for ever; nothing acts on it any more')
    .requiredOption('--reason <text>', 'why; the audit log keeps it')
    .action(async (uid: string, options: WithdrawOptions) => {
      const reason = checkText('--reason', options.reason);
      const withdrawn = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const changed = await withdrawObligation(em, uid);
          if (!changed.ok) throw new Refusal(changed.code, withdrawals[changed.code]);
          const { obligation, from } = changed;
          const place = { workspace: obligation.workspaceUid, environment: obligation.environment };
          const { uid: by } = await governingPerson(em, operator, place, options);
          await record(em, {
            op: 'obligation.withdrawn',
            by,
            ...ofTenant('obligation', obligation),
            details: { from, reason },
          });
          return obligation;
        }),
      );
      print({ uid, governance_state: withdrawn.governanceState }, options);
    });
}
