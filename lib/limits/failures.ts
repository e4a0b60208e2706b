import { drawRates, retryAfterS } from './gcra.ts';

const KEYS_MAX = 10_000;

/** Counts the failed attempts of each caller in this process. */
export type Failures = {
  /** Returns the seconds until the caller may try again; 0 if it may try now. */
  waitS(who: string): number;
  count(who: string): void;
};

/**
 * Creates a counter that allows `quota` failures per minute for each caller. The counter remembers the 10,000 callers
 * that failed last. `now` returns the time in seconds.
 */
export function createFailures(quota: number, now: () => number): Failures {
  const fullAt = new Map<string, number>();
  const draw = (who: string) =>
    drawRates([{ name: 'failures', key: who, quota }], (key) => fullAt.get(key), now());
  return {
    waitS(who) {
      const decision = draw(who);
      return decision.allowed ? 0 : retryAfterS(decision);
    },
    count(who) {
      const [until] = draw(who).fullAt;
      fullAt.delete(who);
      fullAt.set(who, until!);
      if (fullAt.size > KEYS_MAX) fullAt.delete(fullAt.keys().next().value!);
    },
  };
}
