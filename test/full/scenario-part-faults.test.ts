import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { roleUrl } from '#lib/database/roles.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import {
  dividedScenarios,
  PARTS,
  request,
  SCENARIOS,
  type DividedScenarios,
} from '../support/divided-scenarios.ts';
import { onEachBackend } from '../support/live.ts';
import { slowed } from '../support/patience.ts';
import { ticketQueue } from '../support/queue.ts';
import { eventually, runRows } from '../support/runs.ts';

const DEAF_THREAD = new URL('../support/deaf-thread.ts', import.meta.url);

onEachBackend('A scenario run divided among workers, under faults', function (live) {
  let scenarios: DividedScenarios;
  before(async () => {
    scenarios = await dividedScenarios(live());
  });

  const recordOf = async (uid: string) =>
    (await runRows(live(), scenarios.tenancy.workspace)).find((row) => row.uid === uid)!;
  const submit = async (): Promise<string> =>
    (await scenarios.client.post(SCENARIOS, request, { prefer: 'respond-async' })).body.uid;
  /** Uses a worker whose threads never end on their own. */
  const withDeafWorker = (changed: { timeoutMs?: number }, work: () => Promise<void>) =>
    scenarios.withWorker({ run: { ...scenariosRun, ...changed } }, DEAF_THREAD, work);

  it('computes a part again if its worker died', async () => {
    process.kill(scenarios.healthy(), 'SIGSTOP');
    const uid = await submit();
    const child = fork(new URL('../support/doomed-worker.ts', import.meta.url), ['computing'], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: roleUrl(live().ownerUrl, 'worker'),
        REDIS_URL: live().redis?.url ?? '',
        LOCK_MS: String(slowed(1_000)),
      },
      stdio: 'ignore',
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).to.equal('SIGKILL');
    expect(await recordOf(uid)).to.include({ state: 'running', results: 0 });
    process.kill(scenarios.healthy(), 'SIGCONT');
    await eventually(async () => (await recordOf(uid)).state === 'succeeded');
    expect(await recordOf(uid)).to.include({ results: 1, attempts: 1 });
    const { body: whole } = await scenarios.client.post(SCENARIOS, request);
    expect((await scenarios.client.get(`/generative/runs/${uid}`)).body.result).to.deep.equal(whole.result);
    expect(await scenarios.partsKept()).to.equal(0);
  });

  it('ends the threads of all its parts when it is cancelled', async () => {
    await withDeafWorker({}, async () => {
      const uid = await submit();
      const queue = ticketQueue(live());
      const states = () =>
        Promise.all(
          [...PARTS.map(({ first, count }) => `${uid}-${first}-${count}`), uid].map((id) =>
            queue.getJobState(id),
          ),
        );
      try {
        await eventually(async () => (await states()).includes('active'));
        await eventually(async () => (await states()).at(-1) === 'waiting-children');
        expect((await scenarios.client.post(`/quant/compute/jobs/${uid}/cancel`, {})).status).to.equal(200);
        await eventually(async () =>
          (await states()).every((state) => state === 'unknown' || state === 'completed'),
        );
      } finally {
        await queue.close();
      }
      expect(await recordOf(uid)).to.include({ state: 'cancelled', results: 0 });
      expect(await scenarios.partsKept()).to.equal(0);
    });
  });

  it('has one time limit for all of its parts', async () => {
    await withDeafWorker({ timeoutMs: 500 }, async () => {
      const uid = await submit();
      await eventually(async () => (await recordOf(uid)).state === 'failed');
      const { body } = await scenarios.client.get(`/quant/compute/jobs/${uid}`);
      expect(body.problem).to.include({
        code: 'time_limit_exceeded',
        detail: 'The run did not end within its limit of 0.5 s.',
      });
    });
  });
});
