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
import { scenariosInRounds } from '../support/scenario-rounds.ts';
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
  /** Starts a worker process that computes scenarios in several rounds. */
  const partWorker = async () => {
    const child = fork(new URL('../support/part-worker.ts', import.meta.url), ['rounds'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: live().ownerUrl, REDIS_URL: live().redis?.url ?? '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  };
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

  it('computes only the lost part of a later round again if its worker died', async () => {
    process.kill(scenarios.healthy(), 'SIGSTOP');
    let uid: string;
    try {
      const first = await partWorker();
      uid = await submit();
      await eventually(async () => (await scenarios.partsKept()) > 3);
      first.kill('SIGKILL');
      await once(first, 'exit');
      const kept = await scenarios.partsKept();
      expect(await recordOf(uid)).to.include({ state: 'running', results: 0 });
      const second = await partWorker();
      try {
        await eventually(
          async () => (await recordOf(uid)).state === 'succeeded' || (await scenarios.partsKept()) > kept,
        );
        await eventually(async () => (await recordOf(uid)).state === 'succeeded');
      } finally {
        second.kill('SIGTERM');
        await once(second, 'exit');
      }
    } finally {
      process.kill(scenarios.healthy(), 'SIGCONT');
    }
    const record = await recordOf(uid);
    expect(record.results).to.equal(1);
    // A worker that dies while it divides a round costs an attempt. A worker that dies in a part costs no attempt.
    expect(record.attempts).to.be.within(1, 2);
    const { body: whole } = await scenarios.client.post(SCENARIOS, request);
    expect((await scenarios.client.get(`/generative/runs/${uid}`)).body.result).to.deep.equal(whole.result);
    expect(await scenarios.partsKept()).to.equal(0);
  });

  for (const [work, file] of [
    ['a part of a later round', 'deaf-part-thread.ts'],
    ['the division of a later round', 'deaf-divide-thread.ts'],
  ] as const) {
    const thread = new URL(`../support/${file}`, import.meta.url);

    it(`ends when it is cancelled during ${work}`, async () => {
      await scenarios.withWorker(scenariosInRounds, thread, async () => {
        const uid = await submit();
        await eventually(async () => (await scenarios.partsKept()) === 3);
        const { status } = await scenarios.client.post(`/quant/compute/jobs/${uid}/cancel`, {});
        expect(status).to.equal(200);
        expect(await recordOf(uid)).to.include({ state: 'cancelled', results: 0 });
        expect(await scenarios.partsKept()).to.equal(0);
        const queue = ticketQueue(live());
        try {
          await eventually(async () => (await queue.getJobCounts('active'))['active'] === 0);
        } finally {
          await queue.close();
        }
      });
    });

    it(`ends at the time limit of the run during ${work}`, async () => {
      const run = { ...scenariosRun, timeoutMs: slowed(8_000) };
      await scenarios.withWorker({ ...scenariosInRounds, run }, thread, async () => {
        const uid = await submit();
        await eventually(async () => (await recordOf(uid)).state === 'failed');
        const { body } = await scenarios.client.get(`/quant/compute/jobs/${uid}`);
        expect(body.problem.code).to.equal('time_limit_exceeded');
        expect(body.progress).to.be.greaterThan(0);
      });
    });
  }

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
