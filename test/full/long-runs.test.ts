import { expect } from 'chai';
import { ApiProblem } from '#lib/client/client.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { userOf, type User } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { onEachBackend } from '../support/live.ts';
import { slowed } from '../support/patience.ts';
import { eventually, runRows } from '../support/runs.ts';
import { BURN_MS } from '../support/slow-thread.ts';
import { startWorker } from '../support/worker.ts';

const FACTORS = '/investment/theme-watch/factors';
const LOCK_MS = slowed(1_000);

// A run may take much longer than the duration of its lock. The stack's own worker is stopped, so that the
// slow worker takes the runs.
onEachBackend('A computation that outlasts its lock', function (live) {
  let tenancy: Tenancy;
  let user: User;
  let endWorker: () => Promise<void>;

  before(async () => {
    tenancy = await buildTenancy(live());
    user = userOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    endWorker = await startWorker(live(), { lockMs: LOCK_MS, thread: './slow-thread.ts' });
  });
  after(async () => {
    await endWorker();
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
  });

  const submit = () => user.submit(FACTORS);

  it('keeps its lock and is computed once', async () => {
    const run = await submit();
    expect(BURN_MS).to.be.greaterThan(3 * LOCK_MS);
    const reported: number[] = [];
    await run.sealed({ onProgress: ({ progress }) => reported.push(progress) });
    expect(reported.toSorted()).to.deep.equal(reported);
    expect(reported.some((progress) => progress > 0.1 && progress < 1)).to.equal(true);
    const [row] = await runRows(live(), tenancy.workspace);
    expect(row).to.include({ uid: run.uid, attempts: 1, results: 1 });
  });

  it('stops when it is cancelled and frees the worker for the next run', async () => {
    const [cancelled, next] = [await submit(), await submit()];
    await eventually(async () => (await user.job(cancelled.uid)).progress > 0.05);
    expect((await user.cancel(cancelled.uid)).state).to.equal('cancelled');
    await eventually(async () => (await user.job(next.uid)).state === 'running');
    expect((await user.job(cancelled.uid)).progress).to.be.lessThan(0.4);
    expect((await next.sealed()).state).to.equal('succeeded');
  });

  it('ends a run that exceeds its time limit, with the reason', async () => {
    const job = themeFactorsRun as { timeoutMs: number };
    const declared = job.timeoutMs;
    job.timeoutMs = 500;
    try {
      const end = await (await submit()).sealed().catch((error: unknown) => error);
      expect(end).to.be.instanceOf(ApiProblem).and.to.include({ code: 'time_limit_exceeded', status: 504 });
    } finally {
      job.timeoutMs = declared;
    }
  });
});
