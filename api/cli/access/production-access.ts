import type { Command } from 'commander';
import { changeProductionAccess } from '#lib/access/change-production-access.command.ts';
import { REQUEST_DAYS, type ProductionAccessEvent } from '#lib/access/production-access.ts';
import { registerEvents } from '../shell/events.ts';

const descriptions: Record<ProductionAccessEvent, string> = {
  request: 'ask that the production credentials of an application be accepted',
  approve: `grant what another person has requested within ${REQUEST_DAYS} days`,
  revoke: 'refuse its production credentials from the next request on',
};

/** Production access has its own control: no scope gives it, and two persons have to want it. */
export function registerProductionAccess(app: Command): void {
  const group = app.command('production-access').description('whether production credentials are accepted');
  registerEvents(group, 'application', {
    descriptions,
    command: changeProductionAccess,
    inputOf: (application, event) => ({ application, event }),
    present: ({ next }, uid) => ({ uid, production_access: next }),
  });
}
