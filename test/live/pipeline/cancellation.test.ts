import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { userOf, type User } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { slowed } from '../../support/patience.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';
import { startWorker } from '../../support/worker.ts';

const FACTORS = '/investment/theme-watch/factors';

// The threads of this worker run an endless computation that never checks for a cancellation.
onEachBackend('Cancellation of a computation that never checks for a cancellation', (live) => {
  let tenancy: Tenancy;
  let user: User;
  let endWorker: () => Promise<void>;

  before(async () => {
    tenancy = await buildTenancy(live());
    user = userOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    endWorker = await startWorker(live(), { lockMs: slowed(1_000), thread: './deaf-thread.ts' });
  });
  after(async () => {
    await endWorker();
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
  });

  const begin = async () => {
    const { uid } = await user.submit(FACTORS);
    await eventually(async () => (await user.job(uid)).progress > 0);
    return uid;
  };
  const stateOf = async (uid: string) =>
    (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid);

  it('ends the thread without a seal and frees the worker for the next run', async () => {
    const first = await begin();
    await user.cancel(first);
    const second = await begin();
    await user.cancel(second);
    expect(await stateOf(first)).to.include({ state: 'cancelled', results: 0, attempts: 1 });
    expect(await stateOf(second)).to.include({ state: 'cancelled', results: 0, attempts: 1 });
  });

  it('takes effect even if its notice was lost', async () => {
    const lost = await begin();
    await asSuperuser(live(), (database) =>
      database.query(
        `with gone as (delete from dispatch where run_uid = $1)
         update run set state = 'cancelled', finished_at = now() where uid = $1`,
        [lost],
      ),
    );
    const next = await begin();
    await user.cancel(next);
    expect(await stateOf(lost)).to.include({ state: 'cancelled', results: 0 });
  });
});
