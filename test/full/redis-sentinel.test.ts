import type { Redis } from 'ioredis';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { assay } from '../support/cli.ts';
import { expect } from 'chai';
import { expectFailoverWithLoss } from '../support/failover.ts';
import { slowed } from '../support/patience.ts';
import { startSentinels, type Sentinels } from '../support/sentinel.ts';

const DATABASE = 'assay_test_sentinel';

(backendNames.includes('redis') ? describe : describe.skip)(
  'A Redis with a replica and three Sentinels',
  () => {
    let sentinels: Sentinels;
    let live: Backend;
    const clients: Redis[] = [];

    beforeEach(async () => {
      sentinels = await startSentinels();
      live = await startBackend('redis', DATABASE, {
        REDIS_URL: sentinels.url,
        LOCK_MS: String(slowed(2_000)),
        SWEEP_MS: '500',
        RATE_LIMIT_FACTOR: '1',
      });
      clients.push(sentinels.client(sentinels.master), sentinels.client(sentinels.replica));
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.disconnect();
      await live?.stop();
      await sentinels?.stop();
    });

    for (const [fault, signal] of [
      ['killed', 'SIGKILL'],
      ['frozen', 'SIGSTOP'],
    ] as const) {
      it(`seals each run once if the master is ${fault} and its replica lacks the last second`, async () => {
        const [master, replica] = clients as [Redis, Redis];
        await expectFailoverWithLoss(live, `Redis master ${fault}, last second lost`, {
          ...{ master, replica, holds: async () => true },
          fail: () => sentinels.master.process.kill(signal),
        });
        const { json, status } = await assay(
          { ownerUrl: live.ownerUrl, redis: { url: sentinels.url } },
          'doctor',
          '--json',
        );
        expect(status, JSON.stringify(json)).to.equal(0);
      });
    }
  },
);
