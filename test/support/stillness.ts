import { PATIENCE_MS } from './patience.ts';
import { readState } from './state.ts';

/** The minimum interval between checks of the services' progress; a shorter wait never checks it. */
const STATE_EVERY_MS = 1_000;
/** The number of checks without progress before a wait ends, however much time a suspended machine has lost. */
const STILL_MIN = 10;

export type Stillness = {
  /**
   * Receives the result of a check. Reports what does not change once nothing has changed for the patience of
   * this machine.
   */
  lookedAt(seen: unknown): Promise<string | undefined>;
};

/**
 * Watches, during a wait, whether anything changes: the results of the checks, or the services of this
 * process.
 */
export function watchStillness({
  now = () => performance.now(),
  patienceMs = PATIENCE_MS,
  services = readState,
} = {}): Stillness {
  const begun = now();
  let [movedAt, requestedAt, still] = [begun, begun, 0];
  let seenBefore: unknown;
  let state: string | undefined;
  const moved = () => ([movedAt, still] = [now(), 0]);
  const inSeconds = (since: number) => `${Math.round((now() - since) / 1_000)} s`;
  return {
    async lookedAt(seen) {
      if (seen !== seenBefore) moved();
      seenBefore = seen;
      if (now() - requestedAt >= STATE_EVERY_MS) {
        const newest = await services();
        if (newest === state) still += 1;
        else moved();
        [state, requestedAt] = [newest, now()];
      }
      if (still < STILL_MIN || now() - movedAt <= patienceMs) return undefined;
      return `waited ${inSeconds(begun)}, and nothing has moved for ${inSeconds(movedAt)}; the last look gave ${String(seen)}\nservices: ${state}`;
    },
  };
}
