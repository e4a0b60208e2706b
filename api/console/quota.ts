import type { Clock } from '#lib/core/clock.ts';
import { retryAfterS } from '#lib/limits/gcra.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';

/**
 * Counts a request of a person. Returns the seconds until the next request is accepted; undefined if it is accepted
 * now.
 */
export type Quota = (person: string, perMinute: number) => Promise<number | undefined>;

/**
 * Returns the quota of requests per person. The requests are counted in this process, because a deployment runs one
 * console.
 */
export function createQuota(clock: Clock): Quota {
  const rates = createLocalRates(1, () => clock.now().getTime() / 1_000);
  return async (person, perMinute) => {
    const decision = await rates.take('console', [{ name: 'person', key: person, quota: perMinute }]);
    return decision.allowed ? undefined : retryAfterS(decision);
  };
}
