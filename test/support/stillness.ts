import { PATIENCE_MS } from './patience.ts';
import { readState } from './state.ts';

/** The services are asked what they have done no more often than this, and not in a wait that ends before. */
const STATE_EVERY_MS = 1_000;
/** So often the services are seen to stand still before a wait ends, however much time a machine that slept has lost. */
const STILL_MIN = 10;

export type Stillness = {
  /** Takes what a look gave. Says what stands still once nothing has moved for the patience of this machine. */
  lookedAt(seen: unknown): Promise<string | undefined>;
};

/** Watches, during a wait, whether anything moves: what the looks give, or the services of this process. */
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
