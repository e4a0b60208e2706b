import type { Command } from 'commander';
import { changeProductionAccess } from '#lib/access/change-production-access.command.ts';
import { REQUEST_DAYS, type ProductionAccessEvent } from '#lib/access/production-access.ts';
import { registerEvents } from '../shell/events.ts';

const descriptions: Record<ProductionAccessEvent, string> = {
  request: 'request that the production credentials of an application be accepted',
  approve: `approve a request that another person made in the last ${REQUEST_DAYS} days`,
  revoke: 'reject the production credentials of an application from the next request on',
};

/**
 * Registers the commands for production access. No scope grants production access: one person must request it
 * and another person must approve it.
 */
export function registerProductionAccess(app: Command): void {
  const group = app
    .command('production-access')
    .description('production access: whether production credentials of an application are accepted');
  registerEvents(group, 'application', {
    descriptions,
    command: changeProductionAccess,
    inputOf: (application, event) => ({ application, event }),
    present: ({ next }, uid) => ({ uid, production_access: next }),
  });
}
