import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { changeProductionAccess } from '#lib/workspace/production-access.repository.ts';
import {
  productionAccessEvents,
  REQUEST_DAYS,
  type ProductionAccessEvent,
  type ProductionAccessVerdict,
} from '#lib/workspace/production-access.ts';
import { findApplication } from './find-application.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

const descriptions: Record<ProductionAccessEvent, string> = {
  request: 'ask that the production credentials of an application be accepted',
  approve: `grant what another person has requested within ${REQUEST_DAYS} days`,
  revoke: 'refuse its production credentials from the next request on',
};

const ops = {
  request: 'production_access.requested',
  approve: 'production_access.approved',
  revoke: 'production_access.revoked',
} as const satisfies Record<ProductionAccessEvent, string>;

const refusals: Record<Extract<ProductionAccessVerdict, { ok: false }>['code'], string> = {
  production_access_not_requested: 'nobody has requested it, or it was revoked',
  production_access_requested: 'it is requested already and waits for a second person',
  production_access_approved: 'it is approved already',
  production_access_request_lapsed: `the request is older than ${REQUEST_DAYS} days; make it again`,
  second_person_required: 'who requested it cannot approve it',
};

/** Production access has its own control: no scope gives it, and two persons have to want it. */
export function registerProductionAccess(app: Command): void {
  const group = app.command('production-access').description('whether production credentials are accepted');
  for (const event of productionAccessEvents) {
    withPerson(withJson(group.command(`${event} <application>`)))
      .description(descriptions[event])
      .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
        const verdict = await asOperator((operator) =>
          operator.everywhere(async (em) => {
            const application = await findApplication(em, uid);
            const { workspaceUid: workspace, environment } = application;
            if (environment !== 'production') {
              throw new Refusal(
                'not_production',
                'the application is one of the sandbox, which needs no leave',
              );
            }
            const person = await governingPerson(em, operator, { workspace, environment }, options);
            const now = systemClock.now();
            const verdict = await changeProductionAccess(em, application, event, person.uid, now);
            const refused = verdict.ok ? undefined : verdict.code;
            await record(em, {
              op: ops[event],
              by: person.uid,
              refused,
              ...ofTenant('application', application),
            });
            return verdict;
          }),
        );
        if (!verdict.ok) throw new Refusal(verdict.code, refusals[verdict.code]);
        print({ uid, production_access: verdict.next }, options);
      });
  }
}
