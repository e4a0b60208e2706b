import { drawRates, retryAfterS } from './gcra.ts';

const KEYS_MAX = 10_000;

/** Counts failed attempts in this process, by who made them. */
export type Failures = {
  /** Seconds until this one may try again; 0 where that is now. */
  waitS(who: string): number;
  count(who: string): void;
};

/** Bears `quota` failures a minute of each, and remembers the 10,000 that failed last. `now` is in seconds. */
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
