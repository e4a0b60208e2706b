import { PATIENCE_MS } from './patience.ts';
import { readState } from './state.ts';

/**
 * The minimum interval between checks of the services' progress, in milliseconds. A shorter wait never checks
 * the progress.
 */
const STATE_EVERY_MS = 1_000;
/**
 * The minimum number of checks without progress before a wait ends. While the machine is suspended, time
 * passes but no checks are made.
 */
const STILL_MIN = 10;

export type Stillness = {
  /**
   * Receives the result of a check. Returns a description of the unchanged state once nothing has changed for
   * `PATIENCE_MS`.
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
