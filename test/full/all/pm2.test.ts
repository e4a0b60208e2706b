import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freshDatabase, testCluster, type Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { expectSealedOnce } from '../../support/fault-table.ts';
import { importTiny } from '../../support/import.ts';
import { underLoad } from '../../support/load.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { freePort } from '../../support/redis.ts';
import { eventually, runRows } from '../../support/runs.ts';
import type { Orm } from '#lib/database/base.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';

const FACTORS = '/investment/theme-watch/factors';
type Listed = { name: string; pid: number; pm2_env: { status: string } };

const run = promisify(execFile);

describe('ecosystem.config.js under PM2', () => {
  let home: string;
  let env: Record<string, string | undefined>;
  let url: string;
  let live: Backend;
  let orm: Orm;
  let client: Client;
  let workspace: string;
  const uids: string[] = [];
  const pm2 = (...words: string[]) => run('node_modules/.bin/pm2', words, { env, timeout: 2 * PATIENCE_MS });
  const processes = async () => JSON.parse((await pm2('jlist')).stdout) as Listed[];

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'assay-pm2-'));
    env = {
      ...process.env,
      PM2_HOME: home,
      DATABASE_URL: await freshDatabase('assay_test_pm2'),
      REDIS_URL: '',
      OPS_PASSWORD: 'ops-password-of-tests',
      RATE_LIMIT_FACTOR: '1000',
      OPS_PORT: String(await freePort()),
      PORT: String(await freePort()),
    };
    url = `http://127.0.0.1:${env['PORT']}`;
    orm = openOrm(roleUrl(env['DATABASE_URL']!, 'operator'), 2);
    const superuser = (await testCluster()).superuserUrl('assay_test_pm2');
    live = { name: 'postgres', orm: () => orm, superuserUrl: superuser } as unknown as Backend;
  });
  after(async () => {
    await orm.close();
    await pm2('kill');
    await rm(home, { recursive: true, force: true });
  });

  const pids = async (name: string) =>
    (await processes()).filter((each) => each.name === name).map(({ pid }) => pid);

  it('starts every process and completes a run', async () => {
    await pm2('start', 'ecosystem.config.js');
    expect((await processes()).map(({ name }) => name).sort()).to.deep.equal([
      'api',
      'api',
      'scheduler',
      'worker-io',
      'worker-numerics',
    ]);
    await eventually(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok);
    const tenancy = await buildTenancy(live);
    workspace = tenancy.workspace;
    client = clientOf({ url }, tenancy.key);
    await importTiny(live, workspace);
    expect((await client.post(FACTORS, {})).status).to.equal(201);
  });

  it('scales the numerics worker up and down without losing a run', async () => {
    const load = underLoad(client);
    await pm2('scale', 'worker-numerics', '+1');
    expect(await pids('worker-numerics')).to.have.length(2);
    await eventually(async () => load.count() > 20);
    await pm2('scale', 'worker-numerics', '1');
    expect(await pids('worker-numerics')).to.have.length(1);
    uids.push(...(await load.stop()));
  });

  it('restarts a process that was killed', async () => {
    const load = underLoad(client);
    for (const part of ['worker-numerics', 'scheduler', 'api']) {
      const [killed] = await pids(part);
      process.kill(killed!, 'SIGKILL');
      await eventually(async () => {
        const now = (await processes()).filter(({ name }) => name === part);
        return now.every(({ pid, pm2_env }) => pid !== killed && pm2_env.status === 'online');
      });
    }
    uids.push(...(await load.stop()));
  });

  it('reloads the API and the workers under load without a failed request', async () => {
    let requested = 0;
    const failed: unknown[] = [];
    const running = { stopped: false };
    const reader = async () => {
      while (!running.stopped || requested <= 100) {
        requested += 1;
        const answer = await client.get('/quant/compute/jobs?limit=1').catch((error: unknown) => error);
        if ((answer as { status?: number }).status !== 200) failed.push(answer);
      }
    };
    const readers = Array.from({ length: 4 }, reader);
    const load = underLoad(client);
    const before = await pids('api');
    for (const part of ['api', 'worker-numerics', 'api']) await pm2('reload', part);
    expect((await pids('api')).some((pid) => before.includes(pid))).to.equal(false);
    running.stopped = true;
    await Promise.all(readers);
    uids.push(...(await load.stop()));
    expect(failed).to.deep.equal([]);
    expect(requested).to.be.greaterThan(100);
  });

  it('has sealed each run exactly once at the end', async () => {
    uids.push((await client.post(FACTORS, {})).body.uid);
    const rows = await runRows(live, workspace);
    uids.push(rows[0]!.uid);
    await expectSealedOnce(live, 'PM2: scale, kill, reload', workspace, uids);
  });
});
