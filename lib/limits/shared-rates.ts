import type { Rates } from './policy.ts';

/** The share of each quota that a process grants while the shared counter is unreachable. */
export const REDUCED_SHARE = 0.5;
/**
 * Seconds without an attempt to reach the shared counter after it failed, so that a counter that hangs does
 * not slow down every request.
 */
const REST_S = 1;

export type SharedRatesParts = {
  common: Rates;
  local: Rates;
  /** Seconds since an arbitrary start. */
  now(): number;
  onAway(error: unknown): void;
};

/** Counts in the shared counter. While it is unreachable, counts in this process at the reduced rate. */
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
