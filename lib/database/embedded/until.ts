import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is not `undefined`; `undefined` when `timeoutMs` have passed. Asks at least once.
 * `everyMs`: pause between two questions, default 25.
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
