import { setTimeout as delay } from 'node:timers/promises';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { underLoad } from '../support/load.ts';
import { slowed } from '../support/patience.ts';
import { startRedis, type RedisServer } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';

/** The time for which Redis does not respond, in milliseconds: longer than every client timeout. */
const PAUSE_MS = 30_000;
const isOurs = backendNames.includes('redis') && !process.env['REDIS_URL'];

(isOurs ? describe : describe.skip)('Redis under load', () => {
  let live: Backend;
  let later: RedisServer | undefined;
  before(async () => {
    live = await startBackend('redis', 'assay_test_redis', {
      LOCK_MS: String(slowed(2_000)),
      SWEEP_MS: '500',
    });
  });
  after(async () => {
    await live?.stop();
    await later?.stop();
  });

  const prepare = async () => {
    const tenancy = await buildTenancy(live);
    await importTiny(live, tenancy.workspace);
    return { workspace: tenancy.workspace, client: clientOf(live, tenancy.key) };
  };

  it('is paused for 30 s: submissions are accepted and each run is sealed once', async () => {
    const { workspace, client } = await prepare();
    const load = underLoad(client);
    await eventually(async () => load.count() > 10);
    const redis = live.redis!.process!.pid!;
    process.kill(redis, 'SIGSTOP');
    const before = load.count();
    await delay(PAUSE_MS);
    const taken = load.count() - before;
    process.kill(redis, 'SIGCONT');
    await eventually(async () => load.count() > before + taken + 10);
    await expectSealedOnce(
      live,
      'Redis paused for 30 s',
      workspace,
      await load.stop(),
      `${taken} taken in the pause`,
    );
  });

  it('is killed and restarted without its data: each run is sealed once', async () => {
    const { workspace, client } = await prepare();
    const load = underLoad(client);
    await eventually(async () => load.count() > 10);
    const { url } = live.redis!;
    await live.redis!.stop();
    await delay(2_000); // the time for which Redis is down
    later = await startRedis(Number(new URL(url).port));
    const before = load.count();
    await eventually(async () => load.count() > before + 10);
    await expectSealedOnce(live, 'Redis killed, back empty', workspace, await load.stop());
  });
});
