import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import {
  dueForecasts,
  scoreWatchedForecast,
  tenantsWithDueForecasts,
} from '#lib/forecasting/forecast-score.write.ts';

/** The maximum number of forecasts of a tenant that one pass reads. */
const TURN_MAX = 2_000;

/**
 * Compares sealed forecasts with the values that were recorded since, one forecast per transaction. A failed
 * comparison does not stop the other comparisons: the first error is thrown at the end. Returns the number of
 * recorded comparisons.
 */
export async function forecastScoring(orm: Orm, now = systemClock.now()): Promise<number> {
  let noted = 0;
  const errors: unknown[] = [];
  for (const tenant of await inPlatform(orm, (em) => tenantsWithDueForecasts(em, now))) {
    for (const uid of await inTenant(orm, tenant, (em) => dueForecasts(em, { now, limit: TURN_MAX }))) {
      try {
        if (await inTenant(orm, tenant, (em) => scoreWatchedForecast(em, uid, now))) noted += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw errors[0];
  return noted;
}
