import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { roleUrl } from '#lib/database/roles.ts';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { points, type Point } from '../support/doomed-worker.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importSample, importTiny } from '../support/import.ts';
import { slowed } from '../support/patience.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';
import { times } from '../support/repetitions.ts';

const FACTORS = '/investment/theme-watch/factors';
const KILLS = times({ usual: 1, full: 2, all: 20 });
const RUNS_A_ROUND = 5;

for (const name of backendNames) {
  describe(`kill -9 of a worker (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      live = await startBackend(name, `assay_test_kills_${name}`, {
        LOCK_MS: String(slowed(1_000)),
        SWEEP_MS: '500',
      });
    });
    after(() => live?.stop());

    const doomed = async (point: Point) => {
      const child = fork(new URL('../support/doomed-worker.ts', import.meta.url), [point], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: roleUrl(live.ownerUrl, 'worker'),
          REDIS_URL: live.redis?.url ?? '',
          LOCK_MS: String(slowed(1_000)),
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const [, signal] = await once(child, 'exit');
      expect(signal).to.equal('SIGKILL');
    };

    for (const point of points) {
      it(`${point}: each run is sealed once (${KILLS} kills)`, async () => {
        const tenancy = await buildTenancy(live);
        await importTiny(live, tenancy.workspace);
        const client = clientOf(live, tenancy.key);
        const healthy = live.pid('worker-numerics-1')!;
        process.kill(healthy, 'SIGSTOP');
        const uids: string[] = [];
        for (let kill = 0; kill < KILLS; kill++) {
          uids.push((await client.post(FACTORS, {}, { prefer: 'respond-async' })).body.uid);
          await doomed(point);
        }
        process.kill(healthy, 'SIGCONT');
        await expectSealedOnce(live, `kill -9 of the worker ${point}, ${KILLS} x`, tenancy.workspace, uids);
      });
    }

    // Each round kills the worker a little later than the previous round, so that the kills hit different
    // phases of a run.
    it(`at any point: each run is sealed once (${KILLS} kills)`, async () => {
      const tenancy = await buildTenancy(live);
      const client = clientOf(live, tenancy.key);
      await importSample(live, tenancy.workspace);
      const uids: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const worker = await eventually(async () => live.pid('worker-numerics-1'));
        const round: string[] = [];
        for (let run = 0; run < RUNS_A_ROUND; run++) {
          round.push((await client.post(FACTORS, {}, { prefer: 'respond-async' })).body.uid);
        }
        uids.push(...round);
        await eventually(async () =>
          (await runRows(live, tenancy.workspace)).some((row) => round.includes(row.uid) && row.attempts > 0),
        );
        await delay(kill * 8);
        process.kill(worker, 'SIGKILL');
        await eventually(async () => live.pid('worker-numerics-1') !== worker);
      }
      await expectSealedOnce(live, `kill -9 of the worker anywhere, ${KILLS} x`, tenancy.workspace, uids);
    });
  });

  describe(`a dead worker's run with the default duration of locks (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      live = await startBackend(name, `assay_test_takeover_${name}`, {
        NUMERICS_WORKERS: '2',
        LOCK_MS: '',
      });
    });
    after(() => live?.stop());

    it('is started again by another worker once its lock expires', async () => {
      const tenancy = await buildTenancy(live);
      await importTiny(live, tenancy.workspace);
      const client = clientOf(live, tenancy.key);
      const workers = ['worker-numerics-1', 'worker-numerics-2'].map((worker) => live.pid(worker)!);
      for (const worker of workers) process.kill(worker, 'SIGSTOP');
      const { uid } = (await client.post(FACTORS, {}, { prefer: 'respond-async' })).body;
      const child = fork(new URL('../support/doomed-worker.ts', import.meta.url), ['computing'], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: roleUrl(live.ownerUrl, 'worker'),
          REDIS_URL: live.redis?.url ?? '',
        },
        stdio: 'ignore',
      });
      await once(child, 'exit');
      const died = performance.now();
      for (const worker of workers) process.kill(worker, 'SIGCONT');
      await eventually(async () => (await runRows(live, tenancy.workspace))[0]!.state === 'succeeded');
      const seconds = ((performance.now() - died) / 1_000).toFixed(1);
      const attempts = await asSuperuser(live, (database) =>
        database.query('select attempts from run where uid = $1', [uid]),
      );
      expect(attempts.rows[0].attempts).to.equal(2);
      const fault = 'a dead worker, locks as shipped';
      await expectSealedOnce(live, fault, tenancy.workspace, [uid], `sealed ${seconds} s after the kill`);
    });
  });
}
