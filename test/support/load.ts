import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

const FACTORS = '/investment/theme-watch/factors';
/** The statuses after which a careful client sends the same request again. */
const AGAIN = new Set([429, 500, 502, 503, 504]);

/**
 * Submits one run as a careful client does: with an idempotency key, and again after every failure, until the
 * run is accepted or sealed. Returns the uid of the run and the number of requests.
 */
export async function submitUntilAccepted(
  client: Client,
  prefer = 'respond-async',
): Promise<{ uid: string; sent: number; status: number }> {
  const key = randomUUID();
  for (let sent = 1; ; sent++) {
    const answer = await client
      .post(FACTORS, {}, { prefer, 'idempotency-key': key })
      .catch(() => ({ status: 0, body: undefined }));
    if (answer.status === 201 || answer.status === 202) {
      return { uid: answer.body.uid, sent, status: answer.status };
    }
    if (answer.status !== 0 && !AGAIN.has(answer.status)) throw new Error(JSON.stringify(answer.body));
    await delay(100);
  }
}

/** Submits runs until stopped, `clients` at a time, so that a fault occurs during work. */
export function underLoad(client: Client, clients = 2): { stop(): Promise<string[]>; count(): number } {
  const uids: string[] = [];
  const running = { stopped: false };
  const loops = Array.from({ length: clients }, async () => {
    while (!running.stopped) {
      uids.push((await submitUntilAccepted(client)).uid);
      await delay(20);
    }
  });
  return {
    count: () => uids.length,
    async stop() {
      running.stopped = true;
      await Promise.all(loops);
      return uids;
    },
  };
}
