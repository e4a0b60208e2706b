import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';

const JOBS = '/quant/compute/jobs';
const FACTORS = '/investment/theme-watch/factors';

onEachBackend('/quant/compute/jobs', (live) => {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
  });

  it('200 shows the record of a succeeded run with a link to its result', async () => {
    const run = (await client.post(FACTORS, {})).body;
    const { status, body } = await client.get(`${JOBS}/${run.uid}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      uid: run.uid,
      kind: 'investment.theme-factors',
      state: 'succeeded',
      progress: 1,
      attempts: 1,
      input_hash: run.input_hash,
      problem: null,
    });
    expect(body.result).to.deep.equal({ href: `/api/v2${FACTORS}/${run.uid}`, hash: run.result_hash });
    expect(body.waited_ms).to.be.a('number');
    expect(body.ran_ms).to.be.a('number');
  });

  it('200 shows the problem of a refused run, and keeps it', async () => {
    const refused = await client.post(FACTORS, { as_of_date: '1999-12-31' });
    expect(refused.status).to.equal(503);
    const uid = refused.headers.get('location')!.split('/').at(-1);
    const { body } = await client.get(`${JOBS}/${uid}?wait=1`);
    expect(body.state).to.equal('failed');
    expect(body.problem).to.deep.include({ code: 'taxonomy_unavailable', status: 503 });
    expect(body.result).to.equal(null);
  });

  it('200 lists all kinds and filters by state', async () => {
    const { body } = await client.get(`${JOBS}?state=failed`);
    expect(body.data.length).to.be.greaterThan(0);
    expect(body.data.every((job: { state: string }) => job.state === 'failed')).to.equal(true);
  });

  it('409 refuses to cancel a run that has ended', async () => {
    const run = (await client.post(FACTORS, {})).body;
    const { status, body } = await client.post(`${JOBS}/${run.uid}/cancel`);
    expect(status).to.equal(409);
    expect(body.code).to.equal('run_not_cancellable');
  });

  it('200 cancels what has not ended, twice the same, and it never seals', async () => {
    const worker = live().pid('worker-numerics-1')!;
    process.kill(worker, 'SIGSTOP');
    const { uid } = (await client.post(FACTORS, {}, { prefer: 'respond-async' })).body;
    const first = await client.post(`${JOBS}/${uid}/cancel`);
    expect(first.status).to.equal(200);
    expect(first.body.state).to.equal('cancelled');
    const again = await client.post(`${JOBS}/${uid}/cancel`);
    expect(again.body).to.deep.equal(first.body);
    process.kill(worker, 'SIGCONT');
    expect((await client.post(FACTORS, {})).status).to.equal(201);
    const { body } = await client.get(`${FACTORS}/${uid}`);
    expect(body).to.deep.include({ state: 'cancelled', problem: null, attempts: 0 });
    expect(body).not.to.have.property('seal');
  });

  it('404 for a job of another workspace', async () => {
    const run = (await client.post(FACTORS, {})).body;
    const foreign = clientOf(live(), (await buildTenancy(live())).key);
    expect((await foreign.get(`${JOBS}/${run.uid}`)).status).to.equal(404);
    expect((await foreign.post(`${JOBS}/${run.uid}/cancel`)).status).to.equal(404);
  });
});
