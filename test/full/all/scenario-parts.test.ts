import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { usualBackendNames, startBackend, type Backend } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { serveModel } from '../../support/numeric-model.ts';
import { slowed } from '../../support/patience.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';

const SCENARIOS = '/generative/scenarios?engine=t_copula_empirical';
/** The samples of each part, or `rounds` for a run in several rounds. */
type Division = number | 'rounds';
const REQUEST = { regime: 'ergodic', samples: 20_004, seed: 42 };

// For one seed and one request, the hashes must be equal for every number of workers, every size of parts,
// and both queues.
for (const name of usualBackendNames) {
  describe(`Scenarios divided among worker processes (queue on ${name})`, function () {
    let live: Backend;
    let tenancy: Tenancy;
    let client: Client;
    let whole: unknown;
    before(async () => {
      live = await startBackend(name, `assay_test_parts_${name}`, {
        LOCK_MS: String(slowed(1_000)),
        SWEEP_MS: '500',
      });
      tenancy = await buildTenancy(live);
      client = clientOf(live, tenancy.key);
      await serveModel(live, tenancy);
      process.kill(live.pid('worker-numerics-1')!, 'SIGSTOP');
      whole = await resultWith(1, 1_000_000);
    });
    after(async () => {
      if (live) process.kill(live.pid('worker-numerics-1')!, 'SIGCONT');
      await live?.stop();
    });

    const start = async (size: Division): Promise<ChildProcess> => {
      const child = fork(new URL('../../support/part-worker.ts', import.meta.url), [String(size)], {
        env: { PATH: process.env['PATH'], DATABASE_URL: live.ownerUrl, REDIS_URL: live.redis?.url ?? '' },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await once(child, 'message');
      return child;
    };
    const submit = async (): Promise<string> =>
      (await client.post(SCENARIOS, REQUEST, { prefer: 'respond-async' })).body.uid;
    const sealed = async (uid: string) => {
      await eventually(async () =>
        (await runRows(live, tenancy.workspace)).some((row) => row.uid === uid && row.results === 1),
      );
      return (await client.get(`/generative/runs/${uid}`)).body.result;
    };
    async function resultWith(workers: number, size: Division, killed = false): Promise<unknown> {
      const children = await Promise.all(Array.from({ length: workers }, () => start(size)));
      try {
        const uid = await submit();
        if (killed) {
          await eventually(async () => (await partsKept()) > (size === 'rounds' ? 3 : 1));
          children[0]!.kill('SIGKILL');
        }
        return await sealed(uid);
      } finally {
        await Promise.all(
          children.map(async (child) => {
            if (child.exitCode !== null || child.signalCode !== null) return;
            child.kill('SIGTERM');
            await once(child, 'exit');
          }),
        );
      }
    }
    const partsKept = () =>
      asSuperuser(live, async (database) => {
        const { rows } = await database.query<{ parts: number }>(
          'select count(*)::int as parts from run_part',
        );
        return rows[0]!.parts;
      });

    for (const size of [1_000, 4_096, 'rounds'] as const) {
      const how = size === 'rounds' ? 'several rounds' : `parts of ${size} paths`;
      for (const workers of [1, 2, 4]) {
        it(`have the same hashes as the undivided run with ${workers} workers in ${how}`, async () => {
          expect(await resultWith(workers, size)).to.deep.equal(whole);
        });
      }

      it(`have the same hashes as the undivided run in ${how} after one of 2 workers is killed`, async () => {
        expect(await resultWith(2, size, true)).to.deep.equal(whole);
      });
    }
  });
}
