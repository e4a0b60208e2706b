import { LockMode } from '@mikro-orm/core';
import type { Command } from 'commander';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import { decideFreeze, type FreezeVerdict } from '#lib/workspace/freeze.ts';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Event = 'freeze' | 'thaw';

const descriptions: Record<Event, string> = {
  freeze: 'stop all financial actions at once: nothing is authorized or released; one person is enough',
  thaw: 'let financial actions go on, as another person than who stopped them',
};

const refusals: Record<Extract<FreezeVerdict, { ok: false }>['code'], string> = {
  already_frozen: 'they are stopped already',
  not_frozen: 'they are not stopped',
  second_person_required: 'who stopped them does not let them go on',
};

/** The emergency stop of a workspace. It can only take power away. */
export function registerFreeze(group: Command): void {
  for (const event of Object.keys(descriptions) as Event[]) {
    withPerson(withJson(group.command(`${event} <workspace>`)))
      .description(descriptions[event])
      .requiredOption('--reason <text>', 'why; the audit log keeps it')
      .action(async (uid: string, options: OutputOptions & GovernedOptions & { reason: string }) => {
        const reason = checkText('--reason', options.reason);
        const verdict = await asOperator((operator) =>
          operator.everywhere(async (em) => {
            await findWorkspace(em, uid);
            // to stop is never slowed down; to go on asks for a code as soon as production is in use
            const inProduction = { workspaceUid: uid, environment: 'production' as const };
            const isLive =
              event === 'thaw' && (await em.count(Application, inProduction, { filters: false })) > 0;
            const place = {
              workspace: uid,
              environment: isLive ? ('production' as const) : ('sandbox' as const),
            };
            const { uid: by } = await governingPerson(em, operator, place, options);
            await lockControl(em, uid, 'change');
            const workspace = await em.findOneOrFail(
              Workspace,
              { uid },
              { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
            );
            const facts = { state: workspace.financialActions, frozenBy: workspace.frozenByUid ?? null };
            const verdict = decideFreeze(facts, event, by);
            if (verdict.ok) {
              em.assign(workspace, {
                financialActions: verdict.next,
                frozenByUid: verdict.next === 'frozen' ? by : null,
              });
            }
            const op = event === 'freeze' ? 'workspace.frozen' : 'workspace.thawed';
            const refused = verdict.ok ? undefined : verdict.code;
            await record(em, {
              op,
              workspace: uid,
              by,
              subject: { type: 'workspace', uid },
              refused,
              details: { reason },
            });
            return verdict;
          }),
        );
        if (!verdict.ok) throw new Refusal(verdict.code, refusals[verdict.code]);
        print({ uid, financial_actions: verdict.next }, options);
      });
  }
}
