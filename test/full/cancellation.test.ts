import { expect } from 'chai';
import { usualBackendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { showFigure } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { slowed } from '../support/patience.ts';
import { eventually, runRows } from '../support/runs.ts';
import { startWorker } from '../support/worker.ts';
import { times } from '../support/repetitions.ts';

const ROUNDS = times({ usual: 1, full: 2, all: 10 });

for (const name of usualBackendNames) {
  describe(`Repeated cancellation (queue on ${name})`, () => {
    let live: Backend;
    before(async () => (live = await startBackend(name, `assay_test_cancel_${name}`)));
    after(() => live?.stop());

    it(`frees the worker from a tight loop in each of ${ROUNDS} rounds without sealing a run`, async () => {
      const tenancy = await buildTenancy(live);
      await importTiny(live, tenancy.workspace);
      const client = clientOf(live, tenancy.key);
      const worker = live.pid('worker-numerics-1')!;
      process.kill(worker, 'SIGSTOP');
      const endWorker = await startWorker(live, { lockMs: slowed(5_000), thread: './deaf-thread.ts' });
      const submit = async () =>
        (await client.post('/investment/theme-watch/factors', {}, { prefer: 'respond-async' })).body.uid;
      const computes = (uid: string) =>
        eventually(async () => (await client.get(`/quant/compute/jobs/${uid}`)).body.state === 'running');
      let current: string = await submit();
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const next: string = await submit();
        await computes(current);
        const requested = performance.now();
        await client.post(`/quant/compute/jobs/${current}/cancel`);
        await computes(next);
        took.push(performance.now() - requested);
        current = next;
      }
      await client.post(`/quant/compute/jobs/${current}/cancel`);
      await endWorker();
      process.kill(worker, 'SIGCONT');
      const rows = await runRows(live, tenancy.workspace);
      expect(rows.map(({ state, results }) => `${state} ${results}`)).to.deep.equal(
        rows.map(() => 'cancelled 0'),
      );
      const max = Math.round(Math.max(...took));
      showFigure(live, `cancel in a tight loop, ${ROUNDS} x`, `the next run starts within ${max} ms`);
    });
  });
}
