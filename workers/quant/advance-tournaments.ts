import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { govern } from '#lib/governance/govern.ts';
import { advanceRound } from '#lib/quant/tournaments/rounds/advance-round.command.ts';
import { dueRounds, tenantsWithDueRounds } from '#lib/quant/tournaments/rounds/tournament-rounds.query.ts';

/** The maximum number of rounds of a tenant that one pass advances. */
const TURN_MAX = 500;

/**
 * Carries out the next step of every live round that is due, one round per transaction. A failed step does not stop the
 * other rounds: the first error is thrown at the end. Returns the number of rounds.
 */
export async function advanceTournaments(orm: Orm, now = systemClock.now()): Promise<number> {
  const errors: unknown[] = [];
  let advanced = 0;
  for (const tenant of await inPlatform(orm, (em) => tenantsWithDueRounds(em, now))) {
    for (const key of await inTenant(orm, tenant, (em) => dueRounds(em, { now, limit: TURN_MAX }))) {
      try {
        await govern(orm, advanceRound, key, { actor: { kind: 'system' }, clock: { now: () => now } });
        advanced += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw errors[0];
  return advanced;
}
