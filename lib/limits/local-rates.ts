import { drawRates } from './gcra.ts';
import type { Rates } from './policy.ts';

const KEYS_MAX = 10_000;

/**
 * Creates a counter that counts only the requests of this process and grants a share of each quota. Used while the
 * shared counter is unreachable. `now` returns the time in seconds.
 */
export function createLocalRates(share: number, now: () => number): Rates {
  const fullAt = new Map<string, number>();
  return {
    async take(_slot, rates) {
      if (fullAt.size > KEYS_MAX) forget(fullAt, now());
      if (fullAt.size > KEYS_MAX) forgetOldest(fullAt);
      const reduced = rates.map((rate) => ({ ...rate, quota: Math.max(1, Math.floor(rate.quota * share)) }));
      const decision = drawRates(reduced, (key) => fullAt.get(key), now());
      reduced.forEach(({ key }, at) => fullAt.set(key, decision.fullAt[at]!));
      return decision;
    },
  };
}

/**
 * Removes the oldest tenth of the keys at once. Many new keys in a short time therefore do not cause a scan of all keys
 * for each new key.
 */
function forgetOldest(fullAt: Map<string, number>): void {
  for (const key of [...fullAt.keys()].slice(0, KEYS_MAX / 10)) fullAt.delete(key);
}

function forget(fullAt: Map<string, number>, now: number): void {
  for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
}
