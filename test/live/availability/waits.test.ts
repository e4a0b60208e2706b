import { expect } from 'chai';
import { median } from 'simple-statistics';
import { serviceClassLimits } from '#lib/database/base.ts';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, userOf, type Answer } from '../../support/client.ts';
import { queuedRun } from '../../support/idempotency.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';

const WAITS = 300;
const WAITS_MAX = serviceClassLimits.standard.waits;
const READS = 30;
/**
 * The maximum factor by which a bystander's read may slow down. If each wait polled separately, the factor
 * would be about 300.
 */
const SLOWER_MAX = 10;

onOneBackend('Many requests that wait', (live) => {
  let api: ApiProcess;
  let tenancy: Tenancy;
  let bystander: Tenancy;
  before(async () => {
    api = await startApi(live(), { RATE_LIMIT_FACTOR: '1000' });
    tenancy = await buildTenancy(live());
    bystander = await buildTenancy(live());
  });
  after(() => api.stop());

  const job = (uid: string) => `/quant/compute/jobs/${uid}`;

  async function medianRead(): Promise<number> {
    const times: number[] = [];
    for (let at = 0; at < READS; at++) {
      const started = performance.now();
      const { status } = await clientOf(api, bystander.key).get('/workspace');
      expect(status).to.equal(200);
      times.push(performance.now() - started);
    }
    return median(times);
  }

  it('are rejected beyond the limit without affecting other callers', async () => {
    await medianRead();
    const alone = await medianRead();
    const uid = await queuedRun(live(), tenancy);
    const client = clientOf(api, tenancy.key);
    const refused: Answer[] = [];
    const answered: Answer[] = [];
    const waits = Array.from({ length: WAITS }, async () => {
      const answer = await client.get(`${job(uid)}?wait=60`);
      (answer.status === 429 ? refused : answered).push(answer);
    });
    await eventually(async () => refused.length === WAITS - WAITS_MAX);
    expect(refused[0]!.body).to.include({
      code: 'too_many_waiting',
      bound: 'waits_of_application',
      limit: WAITS_MAX,
    });
    expect(Number(refused[0]!.headers.get('retry-after'))).to.be.at.least(1);
    expect((await medianRead()) / alone).to.be.below(SLOWER_MAX);
    expect(answered).to.deep.equal([]);
    // A request without `wait` is answered at once while the requests with `wait` are open.
    expect((await client.get(job(uid))).body.state).to.equal('queued');
    await userOf(api, tenancy.key).cancel(uid);
    await Promise.all(waits);
    expect(answered.map(({ status, body }) => [status, body.state])).to.deep.equal(
      Array.from({ length: WAITS_MAX }, () => [200, 'cancelled']),
    );
  });

  /** Fills the application's limit of waiting requests. Returns a function that disconnects the clients. */
  async function fill(uid: string): Promise<() => Promise<unknown>> {
    const left = new AbortController();
    const waits = Array.from({ length: WAITS_MAX + 10 }, () =>
      fetch(`${api.url}/api/v2${job(uid)}?wait=60`, {
        headers: { authorization: `Bearer ${tenancy.key}` },
        signal: left.signal,
      }).catch(() => undefined),
    );
    // Only the requests above the limit are answered at once. The first answer therefore shows that the limit
    // is reached.
    await Promise.race(waits);
    return () => {
      left.abort();
      return Promise.all(waits);
    };
  }

  it('stop counting towards the limit when their clients disconnect', async () => {
    const uid = await queuedRun(live(), tenancy);
    const leave = await fill(uid);
    const client = clientOf(api, tenancy.key);
    expect((await client.get(`${job(uid)}?wait=1`)).status).to.equal(429);
    await leave();
    await eventually(async () => (await client.get(`${job(uid)}?wait=1`)).status === 200);
  });

  it('do not prevent a submission, which is then answered without a wait', async () => {
    const leave = await fill(await queuedRun(live(), tenancy));
    const client = clientOf(api, tenancy.key);
    const { status, body } = await client.post('/trust/evidence-packs', undefined, { prefer: 'wait=60' });
    expect(status, JSON.stringify(body)).to.be.oneOf([201, 202]);
    await leave();
  });
});
