import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';
import { startWorker } from '../../support/worker.ts';

const FACTORS = '/investment/theme-watch/factors';

// The computation of this worker's threads never looks at its memory and would last a minute.
onEachBackend('Cancelling a computation that does not look', (live) => {
  let tenancy: Tenancy;
  let client: Client;
  let endWorker: () => Promise<void>;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    endWorker = await startWorker(live(), { lockMs: 1_000, thread: './deaf-thread.ts' });
  });
  after(async () => {
    await endWorker();
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
  });

  const begin = async () => {
    const { body } = await client.post(FACTORS, {}, { prefer: 'respond-async' });
    await eventually(async () => (await client.get(`/quant/compute/jobs/${body.uid}`)).body.progress > 0);
    return body.uid as string;
  };
  const stateOf = async (uid: string) =>
    (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid);

  it('ends its thread, seals nothing, and leaves the worker to the next run', async () => {
    const first = await begin();
    await client.post(`/quant/compute/jobs/${first}/cancel`);
    const second = await begin();
    await client.post(`/quant/compute/jobs/${second}/cancel`);
    expect(await stateOf(first)).to.include({ state: 'cancelled', results: 0, attempts: 1 });
    expect(await stateOf(second)).to.include({ state: 'cancelled', results: 0, attempts: 1 });
  });

  it('comes about although the notice of it was lost', async () => {
    const lost = await begin();
    await asSuperuser(live(), (database) =>
      database.query(
        `with gone as (delete from dispatch where run_uid = $1)
         update run set state = 'cancelled', finished_at = now() where uid = $1`,
        [lost],
      ),
    );
    const next = await begin();
    await client.post(`/quant/compute/jobs/${next}/cancel`);
    expect(await stateOf(lost)).to.include({ state: 'cancelled', results: 0 });
  });
});
