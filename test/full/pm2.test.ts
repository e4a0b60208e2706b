import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freshDatabase, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { freePort } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';

const run = promisify(execFile);

describe('ecosystem.config.js under PM2', () => {
  let home: string;
  let env: Record<string, string | undefined>;
  const pm2 = (...words: string[]) => run('node_modules/.bin/pm2', words, { env, timeout: 120_000 });
  const processes = async () => JSON.parse((await pm2('jlist')).stdout) as { name: string; pid: number }[];

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'assay-pm2-'));
    env = {
      ...process.env,
      PM2_HOME: home,
      DATABASE_URL: await freshDatabase('assay_test_pm2'),
      REDIS_URL: '',
      OPS_PASSWORD: 'ops-password-of-tests',
      OPS_PORT: String(await freePort()),
      PORT: String(await freePort()),
    };
  });
  after(async () => {
    await pm2('kill');
    await rm(home, { recursive: true, force: true });
  });

  it('starts every part, answers a run, scales the numerics worker and reloads the API', async () => {
    await pm2('start', 'ecosystem.config.js');
    expect((await processes()).map(({ name }) => name).sort()).to.deep.equal([
      'api',
      'api',
      'scheduler',
      'worker-io',
      'worker-numerics',
    ]);
    const url = `http://127.0.0.1:${env['PORT']}`;
    await eventually(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok);
    const orm = openOrm(roleUrl(env['DATABASE_URL']!, 'operator'), 2);
    const tenancy = await buildTenancy({ orm: () => orm } as unknown as Backend);
    await orm.close();
    const client = clientOf({ url }, tenancy.key);
    const answer = await client.post('/investment/theme-watch/factors', {});
    expect(answer.body.code).to.equal('taxonomy_unavailable');
    await pm2('scale', 'worker-numerics', '+1');
    expect((await processes()).filter(({ name }) => name === 'worker-numerics')).to.have.length(2);
    await pm2('reload', 'api');
    expect((await client.get('/quant/compute/jobs')).body.data).to.have.length(1);
  });
});
