import { expect } from 'chai';
import { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { eventually, runRows } from '../../support/runs.ts';
import { BURN_MS } from '../../support/slow-thread.ts';
import { startWorker } from '../../support/worker.ts';

const FACTORS = '/investment/theme-watch/factors';
const LOCK_MS = 1_000;

// A run may take much longer than its lock lasts. The stack's own worker stands still, so the slow one has the runs.
onEachBackend('A computation that outlasts its lock', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let endWorker: () => Promise<void>;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    endWorker = await startWorker(live(), { lockMs: LOCK_MS, thread: './slow-thread.ts' });
  });
  after(async () => {
    await endWorker();
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
  });

  const submit = async () => (await client.post(FACTORS, {}, { prefer: 'respond-async' })).body.uid as string;

  it('keeps its lock, tells its progress, and is computed once', async () => {
    const uid = await submit();
    expect(BURN_MS).to.be.greaterThan(3 * LOCK_MS);
    const half = await eventually(async () => {
      const { body } = await client.get(`/quant/compute/jobs/${uid}`);
      return body.state === 'running' && body.progress > 0.1 && body;
    });
    expect(half.progress).to.be.lessThan(1);
    expect((await client.get(`${FACTORS}/${uid}?wait=20`)).body.state).to.equal('succeeded');
    const [row] = await runRows(live(), tenancy.workspace);
    expect(row).to.include({ uid, attempts: 1, results: 1 });
  });

  it('stops computing when it is cancelled, and leaves the worker to the next run', async () => {
    const [cancelled, next] = [await submit(), await submit()];
    await eventually(async () => (await client.get(`/quant/compute/jobs/${cancelled}`)).body.progress > 0.05);
    const answer = await client.post(`/quant/compute/jobs/${cancelled}/cancel`);
    expect(answer.body.state).to.equal('cancelled');
    await eventually(async () => (await client.get(`/quant/compute/jobs/${next}`)).body.state === 'running');
    expect((await client.get(`/quant/compute/jobs/${cancelled}`)).body.progress).to.be.lessThan(0.4);
    expect((await client.get(`${FACTORS}/${next}?wait=20`)).body.state).to.equal('succeeded');
  });

  it('ends a run that exceeds its time limit, and says so', async () => {
    const job = themeFactorsJob as { timeoutMs: number };
    const declared = job.timeoutMs;
    job.timeoutMs = 500;
    try {
      const uid = await submit();
      const { body } = await client.get(`${FACTORS}/${uid}?wait=20`);
      expect(body.state).to.equal('failed');
      expect(body.problem).to.deep.include({ code: 'time_limit_exceeded', status: 504 });
    } finally {
      job.timeoutMs = declared;
    }
  });
});
