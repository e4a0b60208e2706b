import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectFailoverWithLoss } from '../support/failover.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { submitUntilAccepted } from '../support/load.ts';
import { slowed } from '../support/patience.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';

const RUNS = 30;

(backendNames.includes('redis') ? describe : describe.skip)('A Redis Cluster of three masters', () => {
  let cluster: RedisCluster;
  let live: Backend;
  const clients: Redis[] = [];

  before(async () => {
    cluster = await startRedisCluster();
    live = await startBackend('redis', 'assay_test_cluster', {
      REDIS_URL: cluster.url,
      LOCK_MS: String(slowed(2_000)),
      SWEEP_MS: '500',
      RATE_LIMIT_FACTOR: '1',
    });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });
  after(async () => {
    await live?.stop();
    await cluster?.stop();
  });

  it('holds the queue with all its keys in one slot', async () => {
    const tenancy = await buildTenancy(live);
    await importTiny(live, tenancy.workspace);
    const client = clientOf(live, tenancy.key);
    const uids: string[] = [];
    for (let run = 0; run < RUNS; run++) uids.push((await submitUntilAccepted(client)).uid);
    await expectSealedOnce(live, 'none, on a Redis Cluster', tenancy.workspace, uids);

    clients.push(...cluster.masters.map(cluster.client));
    const all = (await Promise.all(clients.map((each) => each.keys('*')))).flat();
    const keys = all.filter((key) => !key.startsWith('{assay:rates:'));
    const slots = new Set(await Promise.all(keys.map((key) => clients[0]!.cluster('KEYSLOT', key))));
    expect(keys.some((key) => key.startsWith('{assay}:numerics:'))).to.equal(true);
    expect(slots.size).to.equal(1);
  });

  // This test ends the master of the queue, so it is the last one.
  it('seals each run once if the master of the queue is killed and its replica lacks the last second', async () => {
    const master = cluster.client(cluster.holder);
    const replica = cluster.client(cluster.replica);
    clients.push(master, replica);
    await expectFailoverWithLoss(live, 'master of a Redis Cluster killed, last second lost', {
      ...{ master, replica },
      holds: async (key) =>
        master.exists(key).then(
          () => true,
          () => false,
        ),
      fail: () => cluster.holder.process.kill('SIGKILL'),
    });
  });
});
