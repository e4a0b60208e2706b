import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { simulationParts } from '#lib/quant/simulations/simulation-parts.ts';
import { openThreads } from '#workers/process/threads.ts';
import { simulationOf } from '../unit/quant/simulations/simulation-cases.ts';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { assay } from '../support/cli.ts';
import { clientOf } from '../support/client.ts';
import { showFigure } from '../support/fault-table.ts';
import { partsKept } from '../support/kept-parts.ts';
import { slowed } from '../support/patience.ts';
import { times } from '../support/repetitions.ts';
import { eventually, runRows } from '../support/runs.ts';

const SIMULATIONS = '/quant/compute/simulations';
const WORKER = 'worker-numerics-1';
const law = { kind: 'parametric', means: [0.005], covariance: [[0.0016]] } as const;
const request = { source: law, horizon: 100, paths: 245_760, seed: 3 };
const PARTS = simulationParts({ ...request, assets: ['a'] })!.length;
const CANCELLATIONS = times({ usual: 3, full: 10, all: 100 });

for (const name of backendNames) {
  describe(`A simulation divided among workers, under faults (queue on ${name})`, () => {
    let live: Backend;
    let tenancy: Tenancy;
    before(async () => {
      live = await startBackend(name, `assay_test_simulation_parts_${name}`, {
        LOCK_MS: String(slowed(1_000)),
        SWEEP_MS: '500',
        NUMERICS_CONCURRENCY: '1',
      });
    });
    beforeEach(async () => (tenancy = await buildTenancy(live)));
    after(() => live?.stop());

    const submit = async (): Promise<string> =>
      (await clientOf(live, tenancy.key).post(SIMULATIONS, request, { prefer: 'respond-async' })).body.uid;
    const recordOf = async (uid: string) =>
      (await runRows(live, tenancy.workspace)).find((row) => row.uid === uid)!;
    /** Returns the processes that computed and stored a part of a run, once for each part. */
    const computedBy = (uid: string): number[] =>
      readFileSync(path.join(live.logDirectory, `${WORKER}.log`), 'utf8')
        .split('\n')
        .filter((line) => line.includes(uid) && line.includes('"outcome":"kept"'))
        .map((line) => (JSON.parse(line) as { pid: number }).pid);
    /** Waits until the first part is stored. */
    const firstPart = () => eventually(async () => (await partsKept(live, tenancy)) > 0);
    const expectSameBytes = async (uid: string) => {
      await eventually(async () => (await recordOf(uid)).state === 'succeeded');
      expect(await recordOf(uid)).to.include({ results: 1 });
      expect(await partsKept(live, tenancy)).to.equal(0);
      const replay = await assay(live, 'replay', uid, '--json');
      expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    };
    const another = (pid: number) => eventually(async () => (live.pid(WORKER) ?? pid) !== pid);

    it('computes only the lost part again if its worker is killed', async () => {
      const uid = await submit();
      await firstPart();
      const killed = live.pid(WORKER)!;
      process.kill(killed, 'SIGKILL');
      await another(killed);
      const left = PARTS - (await partsKept(live, tenancy));
      await expectSameBytes(uid);
      const after = computedBy(uid).filter((pid) => pid !== killed);
      // The new worker may have stored a part before the parts were counted.
      expect(after.length).to.be.within(left, left + 1);
      showFigure(live, 'kill -9 within a divided simulation', `${after.length} of ${PARTS} parts after it`);
    });

    it('continues after a deploy and repeats no part', async () => {
      const uid = await submit();
      await firstPart();
      const drained = live.pid(WORKER)!;
      process.kill(drained, 'SIGTERM');
      await eventually(async () => live.notices.includes(`${WORKER} ended (0); starting it again`));
      await another(drained);
      await expectSameBytes(uid);
      const workers = computedBy(uid);
      expect(workers).to.have.length(PARTS);
      expect((await recordOf(uid)).attempts).to.equal(1);
      const after = workers.filter((pid) => pid !== drained).length;
      showFigure(live, 'deploy within a divided simulation', `${after} of ${PARTS} parts after it`);
    });
  });
}

describe('A thread that simulates ten million paths', () => {
  it(`stops by itself in each of ${CANCELLATIONS} cancellations`, async () => {
    const threads = openThreads(1);
    const input = simulationOf({ paths: 10_000_000, horizon: 600 });
    const part = simulationParts(input)!.at(-1)!;
    const compute = new URL('../../workers/quant/simulations.compute.ts', import.meta.url);
    const took: number[] = [];
    try {
      for (let round = 0; round < CANCELLATIONS; round += 1) {
        const thread = threads.run(compute, input, { kind: 'parametric' }, {
          part,
          before: new Float64Array(0),
        } as never);
        await eventually(async () => thread.progress() > 0);
        const requested = performance.now();
        thread.cancel();
        const error = await thread.outcome.then(
          () => undefined,
          (thrown: Error) => thrown,
        );
        took.push(performance.now() - requested);
        // A thread that does not stop by itself is terminated, with another error.
        expect(error?.message).to.equal('the simulation was cancelled');
      }
    } finally {
      await threads.close();
    }
    expect(Math.max(...took)).to.be.below(slowed(500));
    console.log(`      cancelled within ${Math.max(...took).toFixed(1)} ms`);
  });
});
