import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { scenarioParts } from '#lib/generative/scenario-parts.ts';
import { kinds } from '#workers/runners.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onEachBackend } from '../../support/live.ts';
import { serveModel } from '../../support/numeric-model.ts';
import { slowed } from '../../support/patience.ts';
import { asSuperuser } from '../../support/rows.ts';
import { startInnerWorker } from '../../support/worker.ts';

const SCENARIOS = '/generative/scenarios?engine=t_copula_empirical';
const SAMPLES = 20_400;
const PARTS = scenarioParts({ samples: SAMPLES, engine: 't_copula_empirical' });
const request = { regime: 'ergodic', samples: SAMPLES, seed: 7 };

onEachBackend('A scenario run that is divided among workers', function (live) {
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

  it('has the hashes and the samples of the same run in one piece, which its replay is', async () => {
    const { status, body } = await client.post(SCENARIOS, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect([body.attempts, body.progress]).to.deep.equal([1, 1]);
    expect(Object.keys(body.result.hashes)).to.have.length(6);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const samples = await fetch(`${live().url}/api/v2/generative/runs/${body.uid}/samples`, {
      headers: { authorization: `Bearer ${tenancy.key}` },
    });
    const bytes = new Uint8Array(await samples.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(body.result.hashes.samples_hash);
    expect(await partsKept()).to.equal(0);
  });

  it('ends with the refusal that the run in one piece ends with', async () => {
    const far = { ...request, stress: [{ factor: 'KO', shock: -3 }] };
    const whole = await client.post('/generative/scenarios', far);
    const parts = () => PARTS;
    await withWorker({ parts }, '../../../workers/thread.ts', async () => {
      const { status, body } = await client.post('/generative/scenarios', far);
      expect([status, body.code, body.detail]).to.deep.equal([422, 'stress_invalid', whole.body.detail]);
    });
  });
});
