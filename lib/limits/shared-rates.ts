import type { Rates } from './policy.ts';

/** What a process grants by itself while the common count is away, of each quota. */
export const REDUCED_SHARE = 0.5;

/** Counts in common, and in this process at the reduced rate while the common count is away. */
export function createSharedRates(common: Rates, local: Rates, onAway: (error: unknown) => void): Rates {
  return {
    async take(slot, rates) {
      try {
        return await common.take(slot, rates);
      } catch (error) {
        onAway(error);
        return local.take(slot, rates);
      }
    },
  };
}
