import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { environments, type Environment } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { conflictDecisions } from '#lib/governance/evidence-conflict.ts';
import { resolveTerms } from '#lib/investment/netting-set-conflict.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { conflictRefusals, openConflicts, recordDecision } from './evidence-conflicts.ts';
import { onRecordAs } from './on-batch.ts';
import { checkText, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { Refusal } from './refusal.ts';

const descriptions = {
  keep: 'keep the recorded terms, and leave the others aside',
  supersede: 'record the other terms in the place of the recorded ones, under the same reference',
};

export function register(program: Command): void {
  const group = program.command('netting-set').description('terms of agreements, and what contradicts them');
  withJson(group.command('conflicts'))
    .description('list the contradicting terms that wait for a person')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .action(async (options: OutputOptions & { workspace: string; environment: Environment }) =>
      printRows(await openConflicts('netting_set', options), options),
    );
  const resolve = group.command('resolve').description('decide a conflict, as a person of neither side');
  for (const decision of conflictDecisions) {
    withPerson(withJson(resolve.command(`${decision} <conflict>`)))
      .description(descriptions[decision])
      .requiredOption('--reason <text>', 'why; it is kept with the conflict')
      .action(async (uid: string, options: OutputOptions & GovernedOptions & { reason: string }) => {
        const reason = checkText('--reason', options.reason);
        const find = (em: Em) =>
          em.findOne(EvidenceConflict, { uid, subjectType: 'netting_set' }, { filters: false });
        const about = { find, code: 'conflict_unknown', what: 'conflict' };
        const resolved = await onRecordAs(about, options, async (em, { uid: person }) => {
          const now = systemClock.now();
          const change = (await resolveTerms(em, { conflict: uid, decision, person, reason, now }))!;
          const told = change.ok ? { successor_uid: change.successor?.uid ?? null } : {};
          await recordDecision(em, change, { person, decision, reason, told });
          return change;
        });
        if (!resolved.ok) throw new Refusal(resolved.code, conflictRefusals[resolved.code]);
        const { conflict, nettingSet, successor } = resolved;
        print({ uid, state: conflict.state, netting_set_uid: (successor ?? nettingSet).uid }, options);
      });
  }
}
