import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the answer is not `undefined`. Returns `undefined` after `timeoutMs`. Polls at least once. `everyMs` is
 * the pause between two polls in milliseconds, default 25.
 */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  { timeoutMs, everyMs = 25 }: { timeoutMs: number; everyMs?: number },
): Promise<T | undefined> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > giveUpAt) return answer;
    await sleep(everyMs);
  }
}
