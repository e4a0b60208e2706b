import { WINDOW_S, type Rate, type RateDecision } from './policy.ts';

/**
 * Takes one request from several quotas at once, by the generic cell rate algorithm (ITU-T I.371, virtual scheduling).
 * `fullAt` contains the time, in seconds, at which each quota is full again. A full quota can be used up in one burst.
 * A quota refills at a constant rate.
 */
export function drawRates(
  rates: readonly Rate[],
  fullAt: (key: string) => number | undefined,
  now: number,
): RateDecision & { fullAt: number[] } {
  const before = rates.map(({ key }) => Math.max(fullAt(key) ?? now, now));
  const allowed = rates.every(({ quota }, at) => before[at]! + WINDOW_S / quota - now <= WINDOW_S);
  const after = allowed ? rates.map(({ quota }, at) => before[at]! + WINDOW_S / quota) : before;
  return { allowed, fullAt: after, states: rates.map((rate, at) => stateOf(rate, after[at]! - now)) };
}

/** Returns the state of a quota as the caller sees it. The quota is full again in `fullInS` seconds. */
export function stateOf({ name, quota }: Rate, fullInS: number) {
  const remaining = Math.max(0, Math.floor(((WINDOW_S - fullInS) * quota) / WINDOW_S + 0.001));
  return { name, quota, remaining, fullInS };
}

/** Returns the number of seconds, at least 1, until every quota allows one more request. */
export function retryAfterS({ states }: RateDecision): number {
  const waits = states.map(({ quota, fullInS }) => fullInS + WINDOW_S / quota - WINDOW_S);
  return Math.max(1, Math.ceil(Math.max(...waits)));
}
