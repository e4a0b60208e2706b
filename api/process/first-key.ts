import { unnamed } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { workersKey } from '#lib/core/workers-key.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl, workerPassword } from '#lib/database/roles.ts';
import { govern } from '#lib/governance/govern.ts';
import { makeFirstKey, signingKeys } from '#lib/trust/signing-key.command.ts';

/**
 * Creates the first signing key of a deployment. Connects with the operator's role, whose URL is derived from the
 * owner's URL.
 */
export async function ensureFirstKey(ownerUrl: string, config: Config): Promise<void> {
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 1);
  try {
    const secret = workersKey(signingKeys, config, workerPassword(ownerUrl, config));
    await govern(orm, makeFirstKey, { secret }, { actor: unnamed, clock: systemClock });
  } finally {
    await orm.close();
  }
}
