import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { scenarioParts } from '#lib/generative/scenario-parts.ts';
import { scenariosJob } from '#lib/generative/scenarios.job.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { kinds } from '#workers/runners.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf, type Client } from '../support/client.ts';
import { onEachBackend } from '../support/live.ts';
import { serveModel } from '../support/numeric-model.ts';
import { slowed } from '../support/patience.ts';
import { ticketQueue } from '../support/queue.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';
import { startInnerWorker } from '../support/worker.ts';

const SCENARIOS = '/generative/scenarios?engine=t_copula_empirical';
const SAMPLES = 20_400;
const PARTS = scenarioParts({ samples: SAMPLES, engine: 't_copula_empirical' });
const request = { regime: 'ergodic', samples: SAMPLES, seed: 7 };

onEachBackend('A scenario run divided among workers, under faults', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  const healthy = () => live().pid('worker-numerics-1')!;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await serveModel(live(), tenancy);
  });

  const partsKept = () =>
    asSuperuser(live(), async (database) => {
      const { rows } = await database.query<{ parts: number }>(
        'select count(*)::int as parts from run_part where workspace_uid = $1',
        [tenancy.workspace],
      );
      return rows[0]!.parts;
    });
  const recordOf = async (uid: string) =>
    (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid)!;
  const submit = async (): Promise<string> =>
    (await client.post(SCENARIOS, request, { prefer: 'respond-async' })).body.uid;
  /** A worker of this process, alone, with another way to do these runs. */
  const withWorker = async (
    changed: Partial<(typeof kinds)[string]>,
    thread: string,
    work: () => Promise<void>,
  ) => {
    process.kill(healthy(), 'SIGSTOP');
    const end = await startInnerWorker({
      ownerUrl: live().ownerUrl,
      redisUrl: live().redis?.url,
      kinds: { ...kinds, 'generative.scenarios': { ...kinds['generative.scenarios']!, ...changed } },
      thread: new URL(thread, import.meta.url),
      concurrency: 1,
      lockMs: slowed(1_000),
    });
    try {
      await work();
    } finally {
      await end();
      process.kill(healthy(), 'SIGCONT');
    }
  };
  /** One whose threads never end by themselves. */
  const withDeafWorker = (changed: { timeoutMs?: number }, work: () => Promise<void>) =>
    withWorker({ job: { ...scenariosJob, ...changed } }, '../support/deaf-thread.ts', work);

  it('computes the part again that was lost with its worker', async () => {
    process.kill(healthy(), 'SIGSTOP');
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
    process.kill(healthy(), 'SIGCONT');
    await eventually(async () => (await recordOf(uid)).state === 'succeeded');
    expect(await recordOf(uid)).to.include({ results: 1, attempts: 1 });
    const { body: whole } = await client.post(SCENARIOS, request);
    expect((await client.get(`/generative/runs/${uid}`)).body.result).to.deep.equal(whole.result);
    expect(await partsKept()).to.equal(0);
  });

  it('is cancelled with all of its parts, whose threads end', async () => {
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
        expect((await client.post(`/quant/compute/jobs/${uid}/cancel`, {})).status).to.equal(200);
        await eventually(async () =>
          (await states()).every((state) => state === 'unknown' || state === 'completed'),
        );
      } finally {
        await queue.close();
      }
      expect(await recordOf(uid)).to.include({ state: 'cancelled', results: 0 });
      expect(await partsKept()).to.equal(0);
    });
  });

  it('has one time limit for all of its parts', async () => {
    await withDeafWorker({ timeoutMs: 500 }, async () => {
      const uid = await submit();
      await eventually(async () => (await recordOf(uid)).state === 'failed');
      const { body } = await client.get(`/quant/compute/jobs/${uid}`);
      expect(body.problem).to.include({
        code: 'time_limit_exceeded',
        detail: 'The run did not end within its limit of 0.5 s.',
      });
    });
  });
});
