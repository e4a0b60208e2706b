import { expect } from 'chai';
import { sql } from 'kysely';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { backend, type Backend } from '../support/backends.ts';
import { asSuperuser } from '../support/rows.ts';

describe('the pool of database connections', () => {
  let live: Backend;
  before(async function () {
    live = await backend('postgres');
  });

  it('gets back connections that were cut inside a transaction, however many', async () => {
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
});
