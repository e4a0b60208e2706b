import type { Rates } from './policy.ts';

/** The share of each quota that a process grants while the shared counter is unreachable. */
export const REDUCED_SHARE = 0.5;
/**
 * Seconds for which the shared counter is not used after it has failed, so that a counter that does not respond does
 * not delay every request.
 */
const REST_S = 1;

export type SharedRatesParts = {
  common: Rates;
  local: Rates;
  /** Returns the seconds since an arbitrary start. */
  now(): number;
  onAway(error: unknown): void;
};

/**
 * Creates a counter that uses the shared counter while the shared counter is reachable. Otherwise, requests are counted
 * in this process, and a share of each quota is granted.
 */
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
