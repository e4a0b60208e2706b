import path from 'node:path';
import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { startChild, type Child } from '../bench/child.ts';
import { buildTenancy } from '../support/build.ts';
import { userOf } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { onEachBackend } from '../support/live.ts';
import { ticketQueue } from '../support/queue.ts';
import { runRows } from '../support/runs.ts';

const FACTORS = '/investment/theme-watch/factors';
const RUNS = 12;
/** Of every three runs, one loses its queue job. */
const LOSES = 3;

onEachBackend('Three schedulers at the same time', (live) => {
  const more: Child<unknown>[] = [];

  before(async () => {
    const { ownerUrl, redis, logDirectory } = live();
    const env = {
      ...{ DATABASE_URL: roleUrl(ownerUrl, 'worker'), REDIS_URL: redis?.url ?? '' },
      ...{ OPS_PORT: '0', SWEEP_MS: '100' },
    };
    const entry = new URL('../../workers/process/scheduler.ts', import.meta.url);
    for (const number of [2, 3])
      more.push(await startChild(entry, path.join(logDirectory, `scheduler-${number}.log`), env));
  });

  after(() => Promise.all(more.map((child) => child.stop())));

  it('seal every run once, also runs whose queue jobs are lost', async () => {
    const tenancy = await buildTenancy(live());
    const user = userOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
    const queue = ticketQueue(live());
    const runs = [];
    for (let count = 0; count < RUNS; count += 1) {
      const run = await user.submit(FACTORS);
      // A job that a worker has already started cannot be removed.
      if (count % LOSES === 0) await queue.remove(run.uid).catch(() => 0);
      runs.push(run);
    }
    await queue.close();
    for (const run of runs) expect(checkSeal(await run.sealed())).to.include({ intact: true });
    const rows = await runRows(live(), tenancy.workspace);
    expect(rows.map(({ state, results }) => ({ state, results }))).to.deep.equal(
      Array.from({ length: RUNS }, () => ({ state: 'succeeded', results: 1 })),
    );
  });
});
