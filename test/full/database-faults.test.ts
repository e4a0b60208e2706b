import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { findServer } from '#lib/database/embedded/cluster.ts';
import { acquireEmbedded } from '#lib/database/embedded.ts';
import { databaseName } from '#lib/database/roles.ts';
import { usualBackendNames, startBackend, type Backend } from '../support/backends.ts';
import { openCluster, type Cluster } from '../support/cluster.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { ownHome, type Home } from '../support/home.ts';
import { importTiny } from '../support/import.ts';
import { submitUntilAccepted, underLoad } from '../support/load.ts';
import { slowed } from '../support/patience.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';

for (const name of usualBackendNames) {
  describe(`PostgreSQL under load (queue on ${name})`, () => {
    let live: Backend;
    let cluster: Cluster;
    let home: Home;
    // The tests kill their database server. They use a separate server, because other tests may be using the
    // shared server.
    before(async () => {
      home = await ownHome();
      cluster = await openCluster(home.folder);
      const limits = { LOCK_MS: String(slowed(2_000)), SWEEP_MS: '500' };
      live = await startBackend(name, `assay_test_database_${name}`, limits, cluster);
    });
    after(async () => {
      await live?.stop();
      await cluster?.release();
      await home?.remove();
    });

    const prepare = async () => {
      const tenancy = await buildTenancy(live);
      await importTiny(live, tenancy.workspace);
      return { workspace: tenancy.workspace, client: clientOf(live, tenancy.key) };
    };
    const ready = async () => (await fetch(`${live.url}/readyz`)).status;

    it('becomes ready again without loss of data when it is killed and restarted', async () => {
      const { workspace, client } = await prepare();
      const load = underLoad(client);
      await eventually(async () => load.count() > 10);
      process.kill((await findServer(home.folder))!.pid, 'SIGKILL');
      await eventually(async () => (await ready()) === 503);
      await delay(2_000); // the time for which the server is down
      await (await acquireEmbedded(home.folder)).release();
      const started = performance.now();
      await eventually(async () => (await ready()) === 200);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      const before = load.count();
      await eventually(async () => load.count() > before + 10);
      const uids = await load.stop();
      await expectSealedOnce(
        live,
        'PostgreSQL killed, back after 2 s',
        workspace,
        uids,
        `ready after ${seconds} s`,
      );
    });

    it('loses no accepted run while its disk is full, so that each run is sealed exactly once afterwards', async () => {
      const { workspace, client } = await prepare();
      const refuse = (when: string) => `
        create or replace function disk_is_full() returns trigger language plpgsql as
          $$ begin raise exception using errcode = 'disk_full', message = 'could not extend file: No space left on device'; end $$;
        create trigger disk_is_full before ${when} for each statement execute function disk_is_full()`;
      const uids: string[] = [];
      for (let run = 0; run < 5; run++) uids.push((await submitUntilAccepted(client)).uid);
      await asSuperuser(live, (database) => database.query(refuse('insert on run_result')));
      for (let run = 0; run < 5; run++) uids.push((await submitUntilAccepted(client)).uid);
      await eventually(
        async () => (await runRows(live, workspace)).some(({ attempts }) => attempts > 2),
        'a run that was tried several times',
      );
      await asSuperuser(live, (database) =>
        database.query('drop trigger disk_is_full on run_result; drop function disk_is_full()'),
      );
      await asSuperuser(live, (database) => database.query(refuse('insert on run')));
      const refused = await client.post('/investment/theme-watch/factors', {});
      expect(refused.status).to.equal(503);
      expect(refused.body.code).to.equal('dependency_unavailable');
      expect(refused.headers.get('retry-after')).to.equal('2');
      await asSuperuser(live, (database) =>
        database.query('drop trigger disk_is_full on run; drop function disk_is_full()'),
      );
      uids.push((await submitUntilAccepted(client)).uid);
      await expectSealedOnce(live, 'disk full, then room again', workspace, uids);
    });

    it('makes callers retry without loss of data when it runs out of connections', async () => {
      const { workspace, client } = await prepare();
      const load = underLoad(client);
      await eventually(async () => load.count() > 10);
      const limit = (connections: number) =>
        asSuperuser(live, async (database) => {
          const roles = ['api', 'worker'].map((role) => `${databaseName(live.ownerUrl)}_${role}`);
          for (const role of roles) {
            await database.query(`alter role ${role} connection limit ${connections}`);
            if (connections === 0) {
              await database.query(
                'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
                [role],
              );
            }
          }
        });
      await limit(0);
      const refused = await eventually(async () => {
        const answer = await client.get('/quant/compute/jobs');
        return answer.status === 503 && answer;
      });
      expect(refused.body.code).to.equal('dependency_unavailable');
      await delay(2_000); // the time for which no connection is available
      await limit(-1);
      const before = load.count();
      await eventually(async () => load.count() > before + 10);
      await expectSealedOnce(live, 'no connections for 2 s', workspace, await load.stop());
    });
  });
}
