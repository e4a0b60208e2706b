import { expect } from 'chai';
import { pino } from 'pino';
import { serviceClassLimits } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { admitRuns } from '#lib/pipeline/admission.query.ts';
import { openQueue, type TicketQueue } from '#lib/pipeline/queue.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { rebaseTags } from '#workers/process/rebase-tags.ts';
import type { Backend } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { userOf } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { ticketQueue } from '../../support/queue.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually, runRows } from '../../support/runs.ts';

const FACTORS = '/investment/theme-watch/factors';

/** Stops the numerics worker, so that submitted runs wait. */
function stopWorker(live: Backend): () => void {
  const worker = live.pid('worker-numerics-1')!;
  process.kill(worker, 'SIGSTOP');
  return () => process.kill(worker, 'SIGCONT');
}

onEachBackend('The admission of runs', (live) => {
  let resume = () => {};
  afterEach(() => resume());

  const build = async () => {
    const tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    return tenancy;
  };
  const submit = async (tenancy: Tenancy, count: number) => {
    const user = userOf(live(), tenancy.key);
    const runs = await Promise.all(Array.from({ length: count }, () => user.submit(FACTORS)));
    return runs.map(({ uid }) => uid);
  };
  const tags = (tenancy: Tenancy) =>
    asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ tag: number | null }>(
        'select tag from dispatch where workspace_uid = $1 order by tag nulls last',
        [tenancy.workspace],
      );
      return rows.map((row) => row.tag);
    });
  const allSucceeded = (tenancy: Tenancy) =>
    eventually(async () =>
      (await runRows(live(), tenancy.workspace)).every((row) => row.state === 'succeeded'),
    );
  const startOrder = (...workspaces: string[]) =>
    asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ workspace_uid: string }>(
        'select workspace_uid from run where workspace_uid = any($1) order by started_at',
        [workspaces],
      );
      return rows.map((row) => row.workspace_uid);
    });

  it('enqueues the oldest runs of a workspace up to the limit of its service class', async () => {
    const tenancy = await build();
    await inPlatform(live().orm('operator'), async (em) => {
      (await em.findOneOrFail(Workspace, { uid: tenancy.workspace })).serviceClass = 'developer';
    });
    const max = serviceClassLimits.developer.runningRuns;
    resume = stopWorker(live());
    await submit(tenancy, max + 3);
    const given = await tags(tenancy);
    expect(given.filter((tag) => tag !== null)).to.have.length(max);
    resume();
    await allSucceeded(tenancy);
    expect(await tags(tenancy)).to.deep.equal([]);
  });

  it('admits a waiting run once an admitted run is cancelled', async () => {
    const tenancy = await build();
    resume = stopWorker(live());
    const uids = await submit(tenancy, serviceClassLimits.standard.runningRuns + 1);
    expect((await tags(tenancy)).filter((tag) => tag === null)).to.have.length(1);
    await userOf(live(), tenancy.key).cancel(uids.sort()[0]!);
    expect((await tags(tenancy)).filter((tag) => tag === null)).to.have.length(0);
    resume();
    await eventually(async () => (await tags(tenancy)).length === 0);
  });

  it("starts a single run together with the first runs of another workspace's backlog", async () => {
    const [big, small] = [await build(), await build()];
    resume = stopWorker(live());
    await submit(big, 40);
    await submit(small, 1);
    resume();
    await allSucceeded(big);
    await allSucceeded(small);
    const order = await startOrder(big.workspace, small.workspace);
    const concurrency = 2;
    expect(order.indexOf(small.workspace)).to.be.at.most(concurrency + 1);
  });

  it('shares the workers evenly among workspaces with backlogs', async () => {
    const tenancies = [await build(), await build(), await build()];
    resume = stopWorker(live());
    for (const tenancy of tenancies) await submit(tenancy, 12);
    resume();
    for (const tenancy of tenancies) await allSucceeded(tenancy);
    const order = await startOrder(...tenancies.map(({ workspace }) => workspace));
    for (const { workspace } of tenancies) {
      const started = order.slice(0, 18).filter((each) => each === workspace).length;
      expect(started).to.be.within(5, 7);
    }
  });

  it('dispatches a lost run again although a newer version has admitted a run of a queue that this version does not know', async () => {
    const tenancy = await build();
    resume = stopWorker(live());
    const [unknown, lost] = await submit(tenancy, 2);
    const queue = ticketQueue(live());
    for (const uid of [unknown!, lost!]) await queue.remove(uid);
    await queue.close();
    const move = (name: string) =>
      asSuperuser(live(), (client) =>
        client.query('update dispatch set queue = $1 where run_uid = $2', [name, unknown]),
      );
    const stateOf = async (uid: string) =>
      (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid)!.state;
    await move('newer');
    resume();
    await eventually(async () => (await stateOf(lost!)) === 'succeeded');
    expect(await stateOf(unknown!)).to.equal('queued');
    await move('numerics');
    await allSucceeded(tenancy);
  });

  it('rejects the api role for another workspace', async () => {
    const [own, other] = [await buildTenancy(live()), await buildTenancy(live())];
    const tenant = { workspace: own.workspace, environment: 'sandbox' as const };
    const attempt = inTenant(live().orm('api'), tenant, (em) => admitRuns(em, 'numerics', other.workspace));
    expect(await attempt.catch((error: Error) => error.message)).to.include('cannot be admitted');
  });

  it('renumbers the queue priorities from 1 in the same order before they exceed the range of the queue', async () => {
    const tenancy = await build();
    resume = stopWorker(live());
    await submit(tenancy, 3);
    await asSuperuser(live(), (client) => client.query('update dispatch set tag = tag + 2000000'));
    const target = {
      redisUrl: live().redis?.url,
      databaseUrl: roleUrl(live().ownerUrl, 'worker'),
      log: pino({ level: 'silent' }),
    };
    const queues: Record<'numerics' | 'io', TicketQueue> = {
      numerics: openQueue('numerics', target),
      io: openQueue('io', target),
    };
    await rebaseTags(live().orm('worker'), queues);
    expect(await tags(tenancy)).to.deep.equal([1, 2, 3]);
    const uids = (await runRows(live(), tenancy.workspace)).map((row) => row.uid);
    const priorities = await Promise.all(
      uids.map(async (uid) => (await queues.numerics.getJob(uid))!.priority),
    );
    expect(priorities.sort()).to.deep.equal([1, 2, 3]);
    await Promise.all(Object.values(queues).map((queue) => queue.close()));
    resume();
    await allSucceeded(tenancy);
  });
});
