import type { Rates } from './policy.ts';

/** What a process grants by itself while the common count is away, of each quota. */
export const REDUCED_SHARE = 0.5;
/** After a failure the common count is not asked for so long, so that one that hangs does not slow down every request. */
const REST_S = 1;

export type SharedRatesParts = {
  common: Rates;
  local: Rates;
  /** Seconds, from any start. */
  now(): number;
  onAway(error: unknown): void;
};

/** Counts in common, and in this process at the reduced rate while the common count is away. */
export function createSharedRates({ common, local, now, onAway }: SharedRatesParts): Rates {
  let restsUntil = -Infinity;
  return {
    async take(slot, rates) {
      if (now() >= restsUntil) {
        try {
          return await common.take(slot, rates);
        } catch (error) {
          restsUntil = now() + REST_S;
          onAway(error);
        }
      }
      return local.take(slot, rates);
    },
  };
}
