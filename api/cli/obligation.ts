import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { conflictDecisions, type ConflictDecision } from '#lib/governance/evidence-conflict.ts';
import { resolveConflict, withdrawObligation } from '#lib/actions/obligation-conflict.repository.ts';
import { environments, type Environment } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import { conflictRefusals, openConflicts, recordDecision } from './evidence-conflicts.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { onRecordAs } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from './refusal.ts';

type ResolveOptions = OutputOptions & GovernedOptions & { reason: string };

const refusals = { ...conflictRefusals, conflict_unknown: 'there is no such conflict' };

const withdrawals = {
  obligation_unknown: 'there is no such obligation',
  transition_not_allowed: 'it was superseded or withdrawn before',
};

const descriptions: Record<ConflictDecision, string> = {
  keep: 'keep the record, and leave the contradicting source aside',
  supersede: 'put the contradicting source in the place of the record',
};

export function register(program: Command): void {
  const group = program.command('obligation').description('obligations, and evidence that contradicts them');
  withJson(group.command('conflicts'))
    .description('list the contradicting evidence that waits for a person')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .action(async (options: OutputOptions & { workspace: string; environment: Environment }) =>
      printRows(await openConflicts('obligation', options), options),
    );
  const resolve = group.command('resolve').description('decide a conflict, as a person of neither side');
  for (const decision of conflictDecisions) {
    withPerson(withJson(resolve.command(`${decision} <conflict>`)))
      .description(descriptions[decision])
      .requiredOption('--reason <text>', 'why; it is kept with the conflict')
      .action(async (uid: string, options: ResolveOptions) => {
        const reason = checkText('--reason', options.reason);
        const find = (em: Em) =>
          em.findOne(EvidenceConflict, { uid, subjectType: 'obligation' }, { filters: false });
        const about = { find, code: 'conflict_unknown', what: 'conflict' };
        const resolved = await onRecordAs(about, options, async (em, { uid: person }) => {
          const now = systemClock.now();
          const change = await resolveConflict(em, { conflict: uid, decision, person, reason, now });
          if (!change.ok && change.code === 'conflict_unknown') return change;
          const told = change.ok
            ? { to: change.obligation.governanceState, successor_uid: change.successor?.uid ?? null }
            : {};
          await recordDecision(em, change, { person, decision, reason, told });
          return change;
        });
        if (!resolved.ok) throw new Refusal(resolved.code, refusals[resolved.code]);
        const { conflict, obligation, successor } = resolved;
        print(
          {
            uid,
            state: conflict.state,
            obligation_uid: successor?.uid ?? obligation.uid,
            governance_state: successor?.governanceState ?? obligation.governanceState,
          },
          options,
        );
      });
  }
  withPerson(withJson(group.command('withdraw <obligation>')))
    .description('take a record back for ever; nothing acts on it any more')
    .requiredOption('--reason <text>', 'why; the audit log keeps it')
    .action(async (uid: string, options: ResolveOptions) => {
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
