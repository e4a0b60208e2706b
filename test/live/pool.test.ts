import { expect } from 'chai';
import { sql } from 'kysely';
import { toProblem } from '#api/http/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { askDirectly, inPlatform, inTenant, openOrm, poolUse } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { backend, type Backend } from '../support/backends.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually } from '../support/runs.ts';

describe('the pool of database connections', () => {
  let live: Backend;
  before(async function () {
    live = await backend('postgres');
  });

  it('replaces any number of connections that were lost inside a transaction', async () => {
    const orm = openOrm(roleUrl(live.ownerUrl, 'operator'), 2);
    const ask = () =>
      inPlatform(orm, async (em) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(em.getKysely());
        return rows[0]!.pid;
      });
    for (let cut = 0; cut < 5; cut++) {
      const outcome = await inPlatform(orm, async (em) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(em.getKysely());
        await asSuperuser(live, (client) => client.query('select pg_terminate_backend($1)', [rows[0]!.pid]));
        await sql`select 1`.execute(em.getKysely());
      }).then(
        () => 'done',
        () => 'cut',
      );
      expect(outcome).to.equal('cut');
    }
    expect(await ask()).to.be.a('number');
    await orm.close();
  });

  it('ends a transaction whose process is frozen, so that its locks are released', async () => {
    const orm = openOrm(roleUrl(live.ownerUrl, 'operator'), 1, 'frozen', { idleMs: 100 });
    const lock = (em: Em) => sql`select pg_advisory_xact_lock(4711)`.execute(em.getKysely());
    const [taken, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const frozen = inPlatform(orm, async (em) => {
      await lock(em);
      taken.resolve();
      await thawed.promise;
      await lock(em);
    }).then(
      () => 'done',
      () => 'ended',
    );
    await taken.promise;
    const other = openOrm(roleUrl(live.ownerUrl, 'operator'), 1);
    await inPlatform(other, lock);
    thawed.resolve();
    expect(await frozen).to.equal('ended');
    await Promise.all([orm.close(), other.close()]);
  });

  const tenant = { workspace: 'wsp_none', environment: 'sandbox' } as const;
  const select = (em: Em, text: string) => sql.raw(text).execute(em.getKysely());

  it('does no work for callers who disconnected while they waited for a connection', async () => {
    const orm = openOrm(roleUrl(live.ownerUrl, 'api'), 1);
    const left = new AbortController();
    let begun = 0;
    const taken = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const held = inTenant(orm, tenant, async (em) => {
      await select(em, 'select 1');
      taken.resolve();
      await holding.promise;
    });
    await taken.promise;
    const waiting = Array.from({ length: 20 }, () =>
      inTenant(orm, tenant, async () => void (begun += 1), { signal: left.signal }).catch(
        (error: Error) => error.message,
      ),
    );
    waiting.push(askDirectly(orm, 'select 1', [], left.signal).then(String, ({ message }) => message));
    await eventually(async () => poolUse(orm).waiting === waiting.length);
    left.abort(new Error('gone'));
    holding.resolve();
    await held;
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set(['gone']));
    expect(begun).to.equal(0);
    expect(poolUse(orm)).to.include({ in_use: 0, waiting: 0 });
    await orm.close();
  });

  it('bounds the wait for a connection and the duration of a statement', async () => {
    const orm = openOrm(roleUrl(live.ownerUrl, 'api'), 1, 'assay', { statementMs: 200, connectionMs: 20 });
    const slow = () => inTenant(orm, tenant, (em) => select(em, 'select pg_sleep(60)'));
    const quick = () => inTenant(orm, tenant, (em) => select(em, 'select 1'));
    // The first attempts may fail, because their time limit includes opening a connection.
    await eventually(() =>
      quick().then(
        () => true,
        () => false,
      ),
    );
    const [ended, refused] = await Promise.allSettled([slow(), quick()]);
    const reasons = [ended, refused].map((each) => (each as PromiseRejectedResult).reason as Error);
    expect(reasons[0]!.message).to.match(/statement timeout/);
    expect(reasons[1]!.message).to.match(/timeout exceeded/);
    expect(reasons.map((reason) => toProblem(reason).code)).to.deep.equal([
      'dependency_unavailable',
      'dependency_unavailable',
    ]);
    const longer = await inTenant(orm, tenant, (em) => select(em, 'select pg_sleep(0.4)'), {
      statementMs: 30_000,
    });
    expect(longer.rows).to.have.length(1);
    await orm.close();
  });
});
