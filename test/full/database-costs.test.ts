import path from 'node:path';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openOrm } from '#lib/database/orm.ts';
import type { Orm } from '#lib/database/base.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { openStage, type Power, type Stage } from '../bench/actions/stage.ts';
import { statementsOf } from '../bench/actions/statements.ts';
import { startChild, type Child } from '../bench/child.ts';
import { buildTenancy } from '../support/build.ts';
import { openPrivateCluster, type Cluster } from '../support/cluster.ts';
import { countingProxy, type CountingProxy, type RoundTrip } from '../support/counting-proxy.ts';
import { costsOf, type Costs } from '../support/database-costs.ts';
import { ownHome, type Home } from '../support/home.ts';
import { asSuperuser } from '../support/rows.ts';
import { redisIsThere, startRedis, type RedisServer } from '../support/redis.ts';

const TIMES = 20;
const MANY = 300;
/** The largest number of rows of runs that the statements of one run read. */
const ROWS_MAX = 15;
/** The time after which an idle connection has reported what it read, in milliseconds. */
const REPORT_MS = 11_000;

/** Does the work several times, one after the other. */
async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

/** Prints costs if the variable `SHOW_COSTS` is set. */
function say(what: string, costs: Costs): void {
  if (process.env['SHOW_COSTS']) console.log(what, JSON.stringify(costs, undefined, 1));
}

describe('The PostgreSQL work', () => {
  let home: Home;
  let cluster: Cluster;
  let proxy: CountingProxy;

  // Transactions and WAL are counted for the whole server, so the server is not shared with other tests.
  before(async () => {
    home = await ownHome();
    cluster = await openPrivateCluster(home.folder);
    proxy = await countingProxy(cluster.superuserUrl('postgres'));
  });
  after(async () => {
    await proxy?.close();
    await cluster?.release();
    await home?.remove();
  });

  describe('of a run that computes nothing, with the queue on Redis', function () {
    const database = 'assay_test_costs_runs';
    let redis: RedisServer;
    let api: Child<{ url: string }>;
    let worker: Child<unknown>;
    let operator: Orm;
    let key: string;
    const agent = new Agent({ keepAlive: true });

    before(async function () {
      if (!redisIsThere()) return this.skip();
      const ownerUrl = await cluster.freshDatabase(database);
      // Without statistics, a plan could read all runs of the workspace to find one.
      await asSuperuser(server(), (client) =>
        client.query('alter table run set (autovacuum_enabled = false)'),
      );
      redis = await startRedis();
      const env = {
        DATABASE_URL: proxy.through(ownerUrl),
        REDIS_URL: redis.url,
        NUMERICS_CONCURRENCY: '2',
        RATE_LIMIT_FACTOR: '1000',
      };
      const start = <Ready>(part: string) =>
        startChild<Ready>(
          new URL(`../bench/jobs/${part}.ts`, import.meta.url),
          path.join(cluster.home, 'logs', database, `${part}.log`),
          env,
        );
      operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
      [api, worker] = await Promise.all([start<{ url: string }>('api'), start('worker')]);
      ({ key } = await buildTenancy({ orm: () => operator }));
      await repeat(30, run);
    });
    after(async () => {
      agent.destroy();
      await Promise.all([api?.stop(), worker?.stop()]);
      await operator?.close();
      await redis?.stop();
    });

    const server = () => ({ superuserUrl: cluster.superuserUrl(database) });
    const run = () => send('POST', '/bench/no-op', 201);

    /** Returns how many rows of runs the server has read since its start. */
    async function rowsRead(): Promise<number> {
      await delay(REPORT_MS);
      const { rows } = await asSuperuser(server(), (client) =>
        client.query<{ read: string }>(
          `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relname = 'run'`,
        ),
      );
      return Number(rows[0]!.read);
    }

    function send(method: string, resource: string, status: number): Promise<{ uid: string }> {
      return new Promise((resolve, reject) => {
        const call = request(
          `${api.ready.url}/api/v2${resource}`,
          { method, headers: { authorization: `Bearer ${key}` }, agent },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
            answer.once('error', reject).once('end', () => {
              if (answer.statusCode === status) resolve(JSON.parse(text) as { uid: string });
              else reject(new Error(`${resource} answered ${answer.statusCode}: ${text}`));
            });
          },
        );
        call.once('error', reject).end();
      });
    }

    it('is 8 round trips, 3 transactions that wait for the disk, one that does not, and at most 4.5 kB of WAL', async () => {
      const costs = await costsOf(cluster.superuserUrl('postgres'), proxy, { times: TIMES, work: run });
      say('run', costs);
      expect(costs.roundTrips, costs.kinds.join('\n')).to.be.at.most(8.3);
      const waitingForNoDisk = costs.kinds.filter((kind) => kind.includes('synchronous_commit'));
      expect(waitingForNoDisk).to.have.lengthOf(1);
      expect(costs.writingTransactions).to.be.at.most(4.2);
      expect(costs.walBytes).to.be.at.most(4.5 * 1_024);
    });

    it('reads as few rows of a table without statistics, however many runs the workspace has', async () => {
      await repeat(MANY, run);
      const before = await rowsRead();
      await repeat(TIMES, run);
      expect((await rowsRead()) - before).to.be.at.most(TIMES * ROWS_MAX);
    });

    it('is one round trip and no transaction that writes to read it', async () => {
      const { uid } = await run();
      const read = () => send('GET', `/bench/no-op/${uid}`, 200);
      await repeat(10, read);
      const costs = await costsOf(cluster.superuserUrl('postgres'), proxy, { times: TIMES, work: read });
      say('read', costs);
      expect(costs.roundTrips, costs.kinds.join('\n')).to.be.at.most(1.2);
      expect(costs.writingTransactions).to.be.at.most(0.2);
    });
  });

  describe('of a financial action', () => {
    let stage: Stage;
    let power: Power;

    before(async () => {
      stage = await openStage(proxy.through(await cluster.freshDatabase('assay_test_costs_actions')), 4);
      power = await stage.power();
    });
    after(() => stage?.close());

    it('is at most 7 round trips to authorize and settle', async () => {
      await repeat(10, () => stage.use(power));
      const costs = await costsOf(cluster.superuserUrl('postgres'), proxy, {
        times: TIMES,
        work: () => stage.use(power),
      });
      say('authorize + settle', costs);
      expect(costs.roundTrips, costs.kinds.join('\n')).to.be.at.most(7.2);
    });

    it('is at most 2 round trips to register an obligation', async () => {
      await repeat(10, () => stage.register());
      const costs = await costsOf(cluster.superuserUrl('postgres'), proxy, {
        times: TIMES,
        work: () => stage.register(),
      });
      say('register', costs);
      expect(costs.roundTrips, costs.kinds.join('\n')).to.be.at.most(2.2);
    });

    it('is compared with a peer that inserts as many rows', async () => {
      const [sent] = await statementsOf(stage.api, stage.register);
      const inserted = sent!.filter(({ command }) => command === 'insert').map(({ table }) => table);
      expect(inserted).to.deep.equal(['obligation', 'audit_entry']);
    });

    it('is at most 18 round trips to approve and activate a delegation', async () => {
      // The tenth is counted, as the connection prepares statements that it has seen before.
      let trips: RoundTrip[] = [];
      await repeat(10, async () => {
        const uid = await stage.draft();
        const before = proxy.roundTrips().length;
        await stage.approve(uid);
        trips = proxy.roundTrips().slice(before);
        await stage.revoke(uid);
      });
      expect(trips.length, JSON.stringify(trips, undefined, 1)).to.be.at.most(18);
    });
  });
});
