import { expect } from 'chai';
import { ApiProblem, type Run } from '#lib/client/client.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { userOf, type User } from '../support/client.ts';
import { importSample } from '../support/import.ts';
import { onEachBackend } from '../support/live.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';
import { ticketQueue } from '../support/queue.ts';

const FACTORS = '/investment/theme-watch/factors';

onEachBackend('The pipeline under faults', (live) => {
  let tenancy: Tenancy;
  let user: User;

  before(async () => {
    tenancy = await buildTenancy(live());
    user = userOf(live(), tenancy.key);
    await importSample(live(), tenancy.workspace);
  });

  const submit = () => user.submit(FACTORS);
  const row = async (uid: string) =>
    (await runRows(live(), tenancy.workspace)).find((each) => each.uid === uid)!;
  /** Delays every seal while `work` runs, so that even a fast run has not ended when the fault occurs. */
  const whileNothingIsSealed = <T>(work: () => Promise<T>) =>
    asSuperuser(live(), async (database) => {
      await database.query('begin; lock table run_result in share mode');
      const done = await work();
      await database.query('commit');
      return done;
    });
  const sealed = async (run: Run<typeof FACTORS>) =>
    expect(checkSeal(await run.sealed())).to.include({ intact: true });

  it('seals a run once when its worker is killed midway', async () => {
    const worker = live().pid('worker-numerics-1')!;
    const run = await whileNothingIsSealed(async () => {
      const submitted = await submit();
      await eventually(async () => (await row(submitted.uid)).state === 'running');
      process.kill(worker, 'SIGKILL');
      return submitted;
    });
    const { uid } = run;
    await sealed(run);
    expect(await row(uid)).to.include({ state: 'succeeded', results: 1, attempts: 2 });
    await eventually(async () => live().pid('worker-numerics-1') !== worker);
  });

  it('seals a run once when its job is delivered again after the run has ended', async () => {
    const run = await submit();
    const { uid } = run;
    await sealed(run);
    const queue = ticketQueue(live());
    const ticket = { uid, workspace: tenancy.workspace, environment: 'sandbox' as const };
    const job = await queue.add('investment.theme-factors', ticket, { jobId: `again-${uid}` });
    await eventually(async () => (await queue.getJobState(job.id!)) === 'completed');
    await queue.close();
    expect(await row(uid)).to.include({ state: 'succeeded', results: 1, attempts: 1 });
  });

  it('seals a run once when two workers compute it concurrently', async () => {
    const run = await submit();
    const { uid } = run;
    const queue = ticketQueue(live());
    const ticket = { uid, workspace: tenancy.workspace, environment: 'sandbox' as const };
    await queue.add('investment.theme-factors', ticket, { jobId: `twin-${uid}` });
    await sealed(run);
    await eventually(async () => (await queue.getJobState(`twin-${uid}`)) === 'completed');
    await queue.close();
    expect((await row(uid)).results).to.equal(1);
  });

  it('dispatches a run again if its queue job was lost', async () => {
    const worker = live().pid('worker-numerics-1')!;
    process.kill(worker, 'SIGSTOP');
    const run = await submit();
    const { uid } = run;
    const queue = ticketQueue(live());
    await queue.remove(uid);
    await queue.close();
    process.kill(worker, 'SIGCONT');
    await sealed(run);
    expect(await row(uid)).to.include({ state: 'succeeded', results: 1 });
  });

  it('fails a run that was started repeatedly without ending', async () => {
    const worker = live().pid('worker-numerics-1')!;
    process.kill(worker, 'SIGSTOP');
    const run = await submit();
    const { uid } = run;
    await asSuperuser(live(), (database) =>
      database.query('update run set attempts = 25 where uid = $1', [uid]),
    );
    process.kill(worker, 'SIGCONT');
    const end = await run.sealed().catch((error: unknown) => error);
    expect(end).to.be.instanceOf(ApiProblem).and.to.include({ code: 'internal_error', status: 500 });
    expect(await row(uid)).to.include({ state: 'failed', results: 0 });
  });

  it('never seals a run that was cancelled while it was computed', async () => {
    const { uid } = await submit();
    await eventually(async () => (await row(uid)).attempts > 0);
    const refused = await user.cancel(uid).then(
      () => undefined,
      (error: unknown) => error as ApiProblem,
    );
    if (refused?.code === 'run_not_cancellable') {
      return expect(await row(uid)).to.include({ state: 'succeeded' });
    }
    expect(refused).to.equal(undefined);
    const next = await submit();
    await sealed(next);
    expect(await row(uid)).to.include({ state: 'cancelled', results: 0 });
  });

  it('seals the runs in progress on SIGTERM and leaves waiting runs to the next worker', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, submit));
    process.kill(live().pid('worker-numerics-1')!, 'SIGTERM');
    for (const run of runs) await sealed(run);
    for (const { uid } of runs) expect(await row(uid)).to.include({ results: 1, attempts: 1 });
  });
});
