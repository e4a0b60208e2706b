import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { backendNames, startBackend, type Backend } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importSample } from '../../support/import.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';
import { ticketQueue } from '../../support/queue.ts';

const FACTORS = '/investment/theme-watch/factors';

// These tests kill parts of a stack, so each backend has one of its own, with locks that end soon.
for (const name of backendNames) {
  describe(`The pipeline under faults (queue on ${name})`, function () {
    this.timeout(120_000);
    let live: Backend;
    let tenancy: Tenancy;
    let client: Client;

    before(async () => {
      live = await startBackend(name, `assay_test_faults_${name}`, { LOCK_MS: '1000', SWEEP_MS: '500' });
      tenancy = await buildTenancy(live);
      client = clientOf(live, tenancy.key);
      await importSample(live, tenancy.workspace);
    });
    after(() => live?.stop());

    const submit = async () =>
      (await client.post(FACTORS, {}, { prefer: 'respond-async' })).body.uid as string;
    const row = async (uid: string) =>
      (await runRows(live, tenancy.workspace)).find((each) => each.uid === uid)!;
    const sealed = async (uid: string) => {
      const { body } = await client.get(`${FACTORS}/${uid}?wait=30`);
      expect(body.state).to.equal('succeeded');
      expect(checkSeal(body)).to.include({ intact: true });
    };

    it('seals once when the worker is killed in the middle of a run', async () => {
      const uid = await submit();
      const worker = live.pid('worker-numerics-1')!;
      await eventually(async () => (await row(uid)).state === 'running');
      process.kill(worker, 'SIGKILL');
      expect((await row(uid)).results).to.equal(0);
      await sealed(uid);
      expect(await row(uid)).to.include({ state: 'succeeded', results: 1, attempts: 2 });
      await eventually(async () => live.pid('worker-numerics-1') !== worker);
    });

    it('seals once when a job is delivered again after its run has ended', async () => {
      const uid = await submit();
      await sealed(uid);
      const queue = ticketQueue(live);
      const ticket = { uid, workspace: tenancy.workspace, environment: 'sandbox' as const };
      const job = await queue.add('investment.theme-factors', ticket, { jobId: `again-${uid}` });
      await eventually(async () => (await queue.getJobState(job.id!)) === 'completed');
      await queue.close();
      expect(await row(uid)).to.include({ state: 'succeeded', results: 1, attempts: 1 });
    });

    it('seals once when two workers have the same run at once', async () => {
      const uid = await submit();
      const queue = ticketQueue(live);
      const ticket = { uid, workspace: tenancy.workspace, environment: 'sandbox' as const };
      await queue.add('investment.theme-factors', ticket, { jobId: `twin-${uid}` });
      await sealed(uid);
      await eventually(async () => (await queue.getJobState(`twin-${uid}`)) === 'completed');
      await queue.close();
      expect((await row(uid)).results).to.equal(1);
    });

    it('dispatches a run again whose queue job was lost', async () => {
      const worker = live.pid('worker-numerics-1')!;
      process.kill(worker, 'SIGSTOP');
      const uid = await submit();
      const queue = ticketQueue(live);
      await queue.remove(uid);
      await queue.close();
      process.kill(worker, 'SIGCONT');
      await sealed(uid);
      expect(await row(uid)).to.include({ state: 'succeeded', results: 1 });
    });

    it('gives up a run that was started again and again without an end', async () => {
      const worker = live.pid('worker-numerics-1')!;
      process.kill(worker, 'SIGSTOP');
      const uid = await submit();
      await asSuperuser(live, (database) =>
        database.query('update run set attempts = 25 where uid = $1', [uid]),
      );
      process.kill(worker, 'SIGCONT');
      const { body } = await client.get(`${FACTORS}/${uid}?wait=30`);
      expect(body.problem).to.deep.include({ code: 'internal_error', status: 500 });
      expect(await row(uid)).to.include({ state: 'failed', results: 0 });
    });

    it('never seals a run that was cancelled while it was computed', async () => {
      const uid = await submit();
      await eventually(async () => (await row(uid)).state === 'running');
      const cancelled = await client.post(`/quant/compute/jobs/${uid}/cancel`);
      if (cancelled.status === 409) return expect(await row(uid)).to.include({ state: 'succeeded' });
      const next = await submit();
      await sealed(next);
      expect(await row(uid)).to.include({ state: 'cancelled', results: 0 });
    });

    it('drains on SIGTERM: what is computing is sealed, what waits is taken up by the next worker', async () => {
      const uids = await Promise.all(Array.from({ length: 6 }, submit));
      process.kill(live.pid('worker-numerics-1')!, 'SIGTERM');
      for (const uid of uids) await sealed(uid);
      for (const uid of uids) expect(await row(uid)).to.include({ results: 1, attempts: 1 });
    });
  });
}
