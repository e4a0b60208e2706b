import { setTimeout as delay } from 'node:timers/promises';

/** Calls `read` until the subject has ended or the time limit has passed. Returns the last result. */
export async function pollUntil<T>(
  read: () => Promise<T>,
  isOver: (found: T) => boolean,
  { everyMs, forMs = Infinity }: { everyMs: number; forMs?: number },
): Promise<T> {
  const deadline = performance.now() + forMs;
  for (;;) {
    const found = await read();
    if (isOver(found) || performance.now() >= deadline) return found;
    await delay(everyMs);
  }
}
