import { setTimeout as delay } from 'node:timers/promises';

/** Reads again and again until what is read is over, or the time has passed; returns what was read last. */
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
