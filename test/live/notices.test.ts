import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { roleUrl } from '#lib/database/roles.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { backend, type Backend } from '../support/backends.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually } from '../support/runs.ts';

describe('notices, which the database sends with NOTIFY', () => {
  let live: Backend;
  before(async function () {
    live = await backend('postgres');
  });

  const database = () => new URL(live.ownerUrl).pathname.slice(1);
  const listeners = () =>
    asSuperuser(live, async (client) => {
      const { rows } = await client.query(
        `select pid from pg_stat_activity where datname = $1 and query = 'listen assay_run_cancelled'
         and application_name = 'notices-of-tests'`,
        [database()],
      );
      return rows.map((row: { pid: number }) => row.pid);
    });

  // A failed attempt to connect must start only one further attempt. Otherwise the attempts would multiply
  // until the machine has no free port.
  it('arrive over one new connection after an outage of the database', async () => {
    const url = `${roleUrl(live.ownerUrl, 'api')}?application_name=notices-of-tests`;
    const failures: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void failures.push(line) });
    const notices = new Notices(url, 'cancelled', log);
    await notices.open();
    const limit = (connections: number) =>
      asSuperuser(live, (client) =>
        client.query(`alter role ${database()}_api connection limit ${connections}`),
      );
    await limit(0);
    const [pid] = await listeners();
    await asSuperuser(live, (client) => client.query('select pg_terminate_backend($1)', [pid]));
    await eventually(async () => failures.length >= 3, 'three attempts that failed');
    expect(await listeners()).to.deep.equal([]);
    await limit(-1);
    await eventually(async () => (await listeners()).length > 0);
    // Additional attempts would connect within this second. A slow machine makes fewer attempts, so slowness
    // cannot fail the test.
    await delay(1_000);
    expect(await listeners()).to.have.length(1);
    let heard = false;
    notices.once('a-uid', () => (heard = true));
    await asSuperuser(live, (client) => client.query(`select pg_notify('assay_run_cancelled', 'a-uid')`));
    await eventually(async () => heard);
    await notices.close();
  });
});
