import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Answer } from '../../support/client.ts';
import { onEachBackend } from '../../support/live.ts';
import { startRedis, type RedisServer } from '../../support/redis.ts';

/**
 * With this rate factor, an application of the service class developer has 6 requests a minute, of which 1 can be a
 * write and 1 a submission.
 */
const FACTOR = { RATE_LIMIT_FACTOR: '0.01' };
const QUOTA = { application: 6, write: 1, compute: 1, workspace: 24, away: 30 };

onEachBackend('Rate limits', function (live) {
  let processes: ApiProcess[];
  before(async () => {
    processes = [await startApi(live(), FACTOR), await startApi(live(), FACTOR)];
  });
  after(() => Promise.all(processes.map((each) => each.stop())));

  function buildDeveloper(workspace?: string): Promise<Tenancy> {
    return buildTenancy(live(), workspace ? { workspace } : { serviceClass: 'developer' });
  }

  const read = (key: string, at = 0) => clientOf(processes[at]!, key).get('/workspace');
  /**
   * Sends two requests at a time to each process. More concurrent requests would delay the process so much
   * that it misses replies of Redis.
   */
  const askTogether = async (keys: readonly string[]) => {
    const left = [...keys.entries()];
    const answers: Answer[] = [];
    const ask = async () => {
      for (let next = left.pop(); next; next = left.pop()) answers.push(await read(next[1], next[0] % 2));
    };
    await Promise.all(Array.from({ length: 4 }, ask));
    return answers;
  };

  it('are reported in each response with the remaining quota across all processes', async () => {
    const { key } = await buildDeveloper();
    const sinceFirst = stopwatch();
    const first = await read(key, 0);
    expect(first.headers.get('ratelimit-policy')).to.equal('"application";q=6;w=60, "workspace";q=24;w=60');
    expect(first.headers.get('ratelimit')).to.equal('"application";r=5;t=10, "workspace";r=23;t=3');
    const second = await read(key, 1);
    const filled = filledUp(sinceFirst());
    const [application, workspace] = leftOf(second);
    expect(application).to.be.within(4, 4 + filled.application);
    expect(workspace).to.be.within(22, 22 + filled.workspace);
  });

  it('can be raised up to the configured limit', async () => {
    const api = await startApi(live(), { RATE_LIMIT_FACTOR: '1000000' });
    const { key } = await buildTenancy(live());
    const { status, headers } = await clientOf(api, key).get('/workspace');
    const grant = { grant_type: 'client_credentials', client_id: 'none', client_secret: 'none' };
    const token = await fetch(`${api.url}/api/v2/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    });
    await api.stop();
    expect([status, token.status]).to.deep.equal([200, 401]);
    expect(headers.get('ratelimit-policy')).to.equal(
      '"application";q=60000000;w=60, "workspace";q=60000000;w=60',
    );
  });

  it('reject excess requests with 429, the exceeded limit and the time of the next permitted request', async () => {
    const { key } = await buildDeveloper();
    const sinceFirst = stopwatch();
    const answers = await askTogether(Array.from({ length: 12 }, () => key));
    const seconds = sinceFirst();
    const refused = expectGranted('application', answers, seconds);
    for (const { body, headers } of refused) {
      expect(body).to.deep.include({ code: 'rate_limit_exceeded', violated_policies: ['application'] });
      // The quota allows one more request every 10 seconds. PostgreSQL reads the time before it waits for concurrent
      // requests, and `Retry-After` counts from that time, so it may exceed 10 seconds.
      expect(Number(headers.get('retry-after'))).to.be.within(1, Math.ceil(10 + seconds));
    }
  });

  it('apply to each address on the public pages, except to health checks', async () => {
    const url = processes[0]!.url;
    const pages = [
      '/docs',
      '/api/v2/openapi.json',
      '/.well-known/assay-keys.json',
      '/api/v2/changes',
      '/verify',
    ];
    const get = async (path: string) => {
      const answer = await fetch(url + path);
      await answer.arrayBuffer();
      return answer;
    };
    const answers = [];
    for (let turn = 0; turn < 8; turn += 1) answers.push(await get(pages[turn % pages.length]!));
    expect(answers[0]!.headers.get('ratelimit-policy')).to.equal('"address";q=6;w=60');
    expect(answers.slice(0, 6).map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
    expect(answers.map(({ status }) => status)).to.include(429);
    expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).to.match(/^\d+$/);
    for (let turn = 0; turn < 8; turn += 1) {
      expect((await get('/healthz')).status).to.equal(200);
      expect((await get('/readyz')).status).to.equal(200);
    }
  });

  it('count writes and submissions separately from reads', async () => {
    const { key } = await buildDeveloper();
    const client = clientOf(processes[0]!, key);
    const cancel = () => client.post('/quant/compute/jobs/tfr_00000000000000000000000000/cancel');
    const submit = () => client.post('/investment/theme-watch/factors', {}, { prefer: 'respond-async' });
    const written = await askUntilRefused('write', cancel);
    expect(new Set(written.granted.map(({ status }) => status))).to.deep.equal(new Set([404]));
    const submitted = await askUntilRefused('compute', submit);
    expect(submitted.refused.body.violated_policies).to.deep.equal(['compute']);
    expect((await read(key)).status).to.equal(200);
  });

  it('apply to each workspace separately', async () => {
    const first = await buildDeveloper();
    const others = [];
    for (let count = 0; count < 5; count++) others.push(await buildDeveloper(first.workspace));
    const all = [first, ...others].flatMap(({ key }) => Array.from({ length: 5 }, () => key));
    const sinceFirst = stopwatch();
    const answers = await askTogether(all);
    const refused = expectGranted('workspace', answers, sinceFirst());
    for (const { body } of refused) expect(body.violated_policies).to.deep.equal(['workspace']);
    expect((await read((await buildDeveloper()).key)).status).to.equal(200);
  });

  it('limit callers without a valid key by their address, without affecting a valid key at the same address', async () => {
    const { key } = await buildDeveloper();
    const noise = `${key.slice(0, 19)}${(await buildTenancy(live())).key.slice(19)}`;
    const api = await startApi(live(), FACTOR);
    const path = '/nothing/of/the/kind';
    const strange = [
      () => clientOf(api, noise).get('/workspace'),
      () => clientOf(api).get('/workspace'),
      () => clientOf(api).get(path),
    ];
    const answers: Answer[] = [];
    for (let turn = 0; turn < 12; turn += 1) answers.push(await strange[turn % strange.length]!());
    const valid = await clientOf(api, key).get('/workspace');
    await api.stop();
    expect(answers.slice(0, 6).map(({ status }) => status)).to.deep.equal([401, 401, 404, 401, 401, 404]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).to.deep.include({ code: 'rate_limit_exceeded', violated_policies: ['address'] });
    expect(refused.headers.get('ratelimit-policy')).to.equal('"address";q=6;w=60');
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    expect(valid.status).to.equal(200);
  });

  it('are not consumed by requests with an invalid key', async () => {
    const { key } = await buildDeveloper();
    const noise = `${key.slice(0, 19)}${(await buildTenancy(live())).key.slice(19)}`;
    for (let count = 0; count < 10; count++) expect([401, 429]).to.include((await read(noise)).status);
    expect((await read(key)).headers.get('ratelimit')).to.match(/^"application";r=5;/);
  });
});

onEachBackend('An API whose Redis is down', function (live) {
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

  it('applies half the rate to reads and issues no token', async () => {
    const { key } = await buildTenancy(live());
    await clientOf(api, key).get('/workspace');
    await redis.stop();
    await askUntilRefused('away', () => clientOf(api, key).get('/workspace'));
    const token = await fetch(`${api.url}/api/v2/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
    });
    expect(token.status).to.equal(503);
    expect(token.headers.get('retry-after')).to.equal('5');
    expect(await token.json()).to.include({ error: 'temporarily_unavailable' });
  });
});

type Quota = keyof typeof QUOTA;

/**
 * Returns a function that returns the seconds since its creation, on the monotonic clock of this process.
 */
function stopwatch(): () => number {
  const started = performance.now();
  return () => (performance.now() - started) / 1_000;
}

/** Returns the number of requests that each quota regains in the given number of seconds. */
function filledUp(seconds: number): Record<Quota, number> {
  const filled = Object.entries(QUOTA).map(([name, quota]) => [name, (quota * seconds) / 60]);
  return Object.fromEntries(filled) as Record<Quota, number>;
}

/** Returns the remaining requests of each quota, as reported by an answer. */
function leftOf({ headers }: Answer): number[] {
  return [...headers.get('ratelimit')!.matchAll(/r=(\d+)/g)].map(([, left]) => Number(left));
}

/**
 * Whether an answer was counted across processes. A process that received no reply from Redis in time counts
 * locally, and reports a smaller quota.
 */
function isCommon(name: Quota, { headers }: Answer): boolean {
  return headers.get('ratelimit-policy')!.includes(`"${name}";q=${QUOTA[name]};`);
}

/**
 * Expects that, of requests counted together, at least the quota is granted, and at most the quota plus its
 * gain in the elapsed time. Returns the answers to the rejected requests.
 */
function expectGranted(name: Quota, answers: readonly Answer[], seconds: number): Answer[] {
  const common = answers.filter((answer) => isCommon(name, answer));
  const refused = common.filter(({ status }) => status === 429);
  const max = QUOTA[name] + 1 + filledUp(seconds)[name];
  expect(common.length - refused.length).to.be.within(Math.min(QUOTA[name], common.length), max);
  return refused;
}

/**
 * Sends requests one after the other until one is rejected. Expects that at least the quota is granted, and
 * at most the quota plus its gain in the elapsed time.
 */
async function askUntilRefused(
  name: Quota,
  ask: () => Promise<Answer>,
): Promise<{ granted: Answer[]; refused: Answer }> {
  const granted: Answer[] = [];
  const sinceFirst = stopwatch();
  for (;;) {
    const answer = await ask();
    if (answer.status === 429) {
      expect(granted.length).to.be.within(QUOTA[name], QUOTA[name] + 1 + filledUp(sinceFirst())[name]);
      return { granted, refused: answer };
    }
    granted.push(answer);
  }
}
