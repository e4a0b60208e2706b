import { expect } from 'chai';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Answer } from '../../support/client.ts';
import { onEachBackend } from '../../support/live.ts';
import { startRedis, type RedisServer } from '../../support/redis.ts';

/** With this factor an application of the class developer has 30 requests a minute: 3 writes, 2 submissions. */
const FACTOR = { RATE_LIMIT_FACTOR: '0.05' };

onEachBackend('Rate limits', function (live) {
  let processes: ApiProcess[];
  before(async () => {
    processes = [await startApi(live(), FACTOR), await startApi(live(), FACTOR)];
  });
  after(() => Promise.all(processes.map((each) => each.stop())));

  async function buildDeveloper(workspace?: string): Promise<Tenancy> {
    const tenancy = await buildTenancy(live(), workspace ? { workspace } : {});
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(Workspace, { uid: tenancy.workspace }, { serviceClass: 'developer' }),
    );
    return tenancy;
  }

  const read = (key: string, at = 0) => clientOf(processes[at]!, key).get('/workspace');

  it('are told in each answer, and what is left is counted for all processes together', async () => {
    const { key } = await buildDeveloper();
    const first = await read(key, 0);
    expect(first.headers.get('ratelimit-policy')).to.equal('"application";q=30;w=60, "workspace";q=120;w=60');
    expect(first.headers.get('ratelimit')).to.equal('"application";r=29;t=2, "workspace";r=119;t=1');
    const second = await read(key, 1);
    expect(second.headers.get('ratelimit')).to.match(/^"application";r=28;t=[34], "workspace";r=118;t=1$/);
  });

  it('refuse what goes beyond with 429, the violated policy, and when to try again', async () => {
    const { key } = await buildDeveloper();
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 45 }, (_, at) => read(key, at % 2)));
    const filledUp = (0.5 * (performance.now() - started)) / 1_000;
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).to.be.within(30, 31 + filledUp);
    for (const { body, headers } of refused) {
      expect(body).to.deep.include({ code: 'rate_limit_exceeded', violated_policies: ['application'] });
      expect(Number(headers.get('retry-after'))).to.be.within(1, 3);
    }
  });

  it('count writes and submissions by themselves, so that reading goes on', async () => {
    const { key } = await buildDeveloper();
    const client = clientOf(processes[0]!, key);
    const cancel = () => client.post('/quant/compute/jobs/tfr_00000000000000000000000000/cancel');
    const submit = () => client.post('/investment/theme-watch/factors', {}, { prefer: 'respond-async' });
    expect(await statusesOf(4, cancel)).to.deep.equal([404, 404, 404, 429]);
    expect((await statusesOf(3, submit)).at(-1)).to.equal(429);
    expect((await submit()).body.violated_policies).to.deep.equal(['compute']);
    expect((await read(key)).status).to.equal(200);
  });

  it('hold for a workspace as a whole, and leave other workspaces alone', async () => {
    const first = await buildDeveloper();
    const others = [];
    for (let count = 0; count < 4; count++) others.push(await buildDeveloper(first.workspace));
    const all = [first, ...others].flatMap(({ key }) => Array.from({ length: 29 }, () => key));
    const started = performance.now();
    const answers = await Promise.all(all.map((key, at) => read(key, at % 2)));
    const filledUp = (2 * (performance.now() - started)) / 1_000;
    const refused = answers.filter(({ status }) => status === 429);
    expect(all.length - refused.length).to.be.within(120, 121 + filledUp);
    for (const { body } of refused) expect(body.violated_policies).to.deep.equal(['workspace']);
    expect((await read((await buildDeveloper()).key)).status).to.equal(200);
  });

  it('are not drawn on by who may not call', async () => {
    const { key } = await buildDeveloper();
    const noise = `${key.slice(0, 19)}${(await buildTenancy(live())).key.slice(19)}`;
    for (let count = 0; count < 40; count++) expect((await read(noise)).status).to.equal(401);
    expect((await read(key)).headers.get('ratelimit')).to.match(/^"application";r=29;/);
  });
});

async function statusesOf(count: number, ask: () => Promise<Answer>): Promise<number[]> {
  const statuses = [];
  for (let at = 0; at < count; at++) statuses.push((await ask()).status);
  return statuses;
}

onEachBackend('Without what counts requests in common', function (live) {
  let redis: RedisServer;
  let api: ApiProcess;
  before(async function () {
    if (live().name !== 'redis') this.skip();
    redis = await startRedis();
    api = await startApi({ ownerUrl: live().ownerUrl, redis }, FACTOR);
  });
  after(async () => {
    await api?.stop();
    await redis?.stop();
  });

  it('reading goes on at half the rate, and no token is issued', async () => {
    const { key } = await buildTenancy(live());
    await clientOf(api, key).get('/workspace');
    await redis.stop();
    const answers: Answer[] = [];
    for (let count = 0; count < 160; count++) answers.push(await clientOf(api, key).get('/workspace'));
    expect(answers.filter(({ status }) => status === 200).length).to.be.within(150, 155);
    expect(answers.at(-1)!.status).to.equal(429);
    const token = await fetch(`${api.url}/api/v2/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
    });
    expect(token.status).to.equal(503);
    expect(token.headers.get('retry-after')).to.equal('5');
    expect(await token.json()).to.include({ error: 'temporarily_unavailable' });
  });
});
