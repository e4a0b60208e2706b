import type { Command } from 'commander';
import { changeProductionAccess } from '#lib/access/change-production-access.command.ts';
import {
  productionAccessEvents,
  REQUEST_DAYS,
  type ProductionAccessEvent,
} from '#lib/access/production-access.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { governAs } from './shell/govern.ts';

const descriptions: Record<ProductionAccessEvent, string> = {
  request: 'ask that the production credentials of an application be accepted',
  approve: `grant what another person has requested within ${REQUEST_DAYS} days`,
  revoke: 'refuse its production credentials from the next request on',
};

/** Production access has its own control: no scope gives it, and two persons have to want it. */
export function registerProductionAccess(app: Command): void {
  const group = app.command('production-access').description('whether production credentials are accepted');
  for (const event of productionAccessEvents) {
    withPerson(withJson(group.command(`${event} <application>`)))
      .description(descriptions[event])
      .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
        const { next } = await governAs(changeProductionAccess, { application: uid, event }, options);
        print({ uid, production_access: next }, options);
      });
  }
}
