import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { conflictDecisions, type ConflictDecision } from '#lib/governance/evidence-conflict.ts';
import {
  resolveConflict,
  withdrawObligation,
  type Resolved,
} from '#lib/actions/obligation-conflict.repository.ts';
import { environments, type Environment } from '#lib/database/base.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from './refusal.ts';

type ResolveOptions = OutputOptions & GovernedOptions & { reason: string };

const refusals: Record<Extract<Resolved, { ok: false }>['code'], string> = {
  conflict_unknown: 'there is no such conflict',
  conflict_resolved: 'the conflict was decided already',
  resolver_not_independent: 'who owns or answers for an application that offered a side of it cannot decide',
};

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
    .action(async (options: OutputOptions & { workspace: string; environment: Environment }) => {
      const open = await asOperator((operator) =>
        operator.inWorkspace(
          options.workspace,
          async (em) => {
            await findWorkspace(em, options.workspace);
            return em.find(
              EvidenceConflict,
              { state: 'open', subjectType: 'obligation' },
              { orderBy: { uid: 'asc' } },
            );
          },
          options.environment,
        ),
      );
      printRows(
        open.map(({ uid, subjectUid, kind, differing, timesOffered, offeredAt }) => ({
          uid,
          obligation_uid: subjectUid,
          kind,
          differing,
          times_offered: timesOffered,
          offered_at: offeredAt.toISOString(),
        })),
        options,
      );
    });
  const resolve = group.command('resolve').description('decide a conflict, as a person of neither side');
  for (const decision of conflictDecisions) {
    withPerson(withJson(resolve.command(`${decision} <conflict>`)))
      .description(descriptions[decision])
      .requiredOption('--reason <text>', 'why; it is kept with the conflict')
      .action(async (uid: string, options: ResolveOptions) => {
        const reason = checkText('--reason', options.reason);
        const resolved = await asOperator((operator) =>
          operator.everywhere(async (em) => {
            const found = await em.findOne(EvidenceConflict, { uid }, { filters: false });
            if (!found) throw new Refusal('conflict_unknown', refusals.conflict_unknown);
            const { workspaceUid: workspace, environment } = found;
            const { uid: person } = await governingPerson(em, operator, { workspace, environment }, options);
            const now = systemClock.now();
            const change = await resolveConflict(em, { conflict: uid, decision, person, reason, now });
            if (!change.ok) throw new Refusal(change.code, refusals[change.code]);
            const { conflict, obligation, successor } = change;
            await record(em, {
              op: 'obligation.conflict_resolved',
              by: person,
              ...ofTenant('obligation', obligation),
              details: { conflict_uid: uid, decision, reason, successor_uid: successor?.uid ?? null },
            });
            return { state: conflict.state, obligation, successor };
          }),
        );
        const { state, obligation, successor } = resolved;
        print(
          {
            uid,
            state,
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
