import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { importSample } from '../support/import.ts';
import { eventually, runRows } from '../support/runs.ts';

const FACTORS = '/investment/theme-watch/factors';
const ROUNDS = 20;
const RUNS_A_ROUND = 5;

// Each round kills the worker a little later after it began to work than the one before, so that the kills fall on loading, computing,
// sealing, committing and acknowledging alike.
for (const name of backendNames) {
  describe(`A worker killed again and again (queue on ${name})`, () => {
    let live: Backend;
    before(async () => {
      live = await startBackend(name, `assay_test_kills_${name}`, { LOCK_MS: '1000', SWEEP_MS: '500' });
    });
    after(() => live?.stop());

    it(`seals each of ${ROUNDS * RUNS_A_ROUND} runs exactly once and loses none`, async () => {
      const tenancy = await buildTenancy(live);
      const client = clientOf(live, tenancy.key);
      await importSample(live, tenancy.workspace);
      for (let round = 0; round < ROUNDS; round++) {
        const worker = await eventually(async () => live.pid('worker-numerics-1'));
        for (let run = 0; run < RUNS_A_ROUND; run++) {
          expect((await client.post(FACTORS, {}, { prefer: 'respond-async' })).status).to.equal(202);
        }
        await eventually(async () =>
          (await runRows(live, tenancy.workspace)).some((row) => row.state === 'running'),
        );
        await delay(round * 8);
        process.kill(worker, 'SIGKILL');
        await eventually(async () => live.pid('worker-numerics-1') !== worker);
      }
      const rows = await eventually(async () => {
        const all = await runRows(live, tenancy.workspace);
        return all.every((row) => row.state === 'succeeded') && all;
      }, 120_000);
      expect(rows).to.have.length(ROUNDS * RUNS_A_ROUND);
      expect(rows.filter((row) => row.results !== 1)).to.deep.equal([]);
    });
  });
}
