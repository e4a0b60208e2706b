import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

const PAUSE_MS = 50;

/** Watches the quota that the answers to a stream of reads report. */
export type QuotaWatch = {
  /** Returns each reported quota, in order and without repetitions. */
  seen(): readonly number[];
  stop(): Promise<void>;
};

/** Sends reads, one after the other, until stopped. */
export function watchQuota(client: Client): QuotaWatch {
  const seen: number[] = [];
  const running = { stopped: false };
  const loop = (async () => {
    while (!running.stopped) {
      const { headers } = await client.get('/workspace');
      const quota = /"application";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1];
      if (quota !== undefined && Number(quota) !== seen.at(-1)) seen.push(Number(quota));
      await delay(PAUSE_MS);
    }
  })();
  return {
    seen: () => seen,
    async stop() {
      running.stopped = true;
      await loop;
    },
  };
}
