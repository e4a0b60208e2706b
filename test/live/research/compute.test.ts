import { expect } from 'chai';
import { ApiProblem, type Job } from '#lib/client/client.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { userOf, type User } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';

const JOBS = '/quant/compute/jobs';
const FACTORS = '/investment/theme-watch/factors';

onEachBackend('/quant/compute/jobs', (live) => {
  let tenancy: Tenancy;
  let user: User;

  before(async () => {
    tenancy = await buildTenancy(live());
    user = userOf(live(), tenancy.key);
    await importTiny(live(), tenancy.workspace);
  });

  const thrown = (work: Promise<unknown>): Promise<ApiProblem> =>
    work.then(
      () => expect.fail('nothing was refused'),
      (error: ApiProblem) => error,
    );

  it('200 shows the record of a succeeded run with a link to its result', async () => {
    const run = await user.sealedFactors();
    const job = await user.job(run.uid);
    expect(job).to.deep.include({
      uid: run.uid,
      kind: 'investment.theme-factors',
      state: 'succeeded',
      progress: 1,
      attempts: 1,
      input_hash: run.input_hash,
      problem: null,
    });
    expect(job.result).to.deep.equal({ href: `/api/v2${FACTORS}/${run.uid}`, hash: run.result_hash });
    expect(job.waited_ms).to.be.a('number');
    expect(job.ran_ms).to.be.a('number');
  });

  it('200 shows the problem of a run that was refused', async () => {
    const run = await user.submit(FACTORS, { as_of_date: '1999-12-31' });
    expect(await thrown(run.sealed())).to.include({ code: 'taxonomy_unavailable', status: 503 });
    const job = await user.job(run.uid);
    expect(job.state).to.equal('failed');
    expect(job.problem).to.deep.include({ code: 'taxonomy_unavailable', status: 503 });
    expect(job.result).to.equal(null);
  });

  it('200 lists all kinds of runs newest first over any number of pages, filtered by state', async () => {
    const all: Job[] = [];
    for await (const job of user.pages(JOBS, { limit: 1 })) all.push(job);
    expect(all.length).to.be.greaterThan(1);
    expect(all.map(({ uid }) => uid)).to.deep.equal(
      all
        .map(({ uid }) => uid)
        .toSorted()
        .toReversed(),
    );
    const failed: Job[] = [];
    for await (const job of user.pages(JOBS, { state: 'failed' })) failed.push(job);
    expect(failed)
      .to.deep.equal(all.filter(({ state }) => state === 'failed'))
      .and.to.not.deep.equal([]);
  });

  it('409 refuses to cancel a run that has ended', async () => {
    const { uid } = await user.sealedFactors();
    expect(await thrown(user.cancel(uid))).to.include({ code: 'run_not_cancellable', status: 409 });
  });

  it('200 cancels an open run permanently, even on a repeated request', async () => {
    const worker = live().pid('worker-numerics-1')!;
    process.kill(worker, 'SIGSTOP');
    const run = await user.submit(FACTORS);
    const first = await user.cancel(run.uid);
    expect(first.state).to.equal('cancelled');
    expect(await user.cancel(run.uid)).to.deep.equal(first);
    process.kill(worker, 'SIGCONT');
    await user.sealedFactors();
    const { data } = await user.GET(`${FACTORS}/{uid}`, { params: { path: { uid: run.uid } } });
    expect(data).to.deep.include({ state: 'cancelled', problem: null, attempts: 0 });
    expect(data).not.to.have.property('seal');
    expect(await thrown(run.sealed())).to.include({ code: 'run_cancelled', status: 409 });
  });

  it('404 for a job of another workspace', async () => {
    const { uid } = await user.sealedFactors();
    const foreign = userOf(live(), (await buildTenancy(live())).key);
    expect((await thrown(foreign.job(uid))).status).to.equal(404);
    expect((await thrown(foreign.cancel(uid))).status).to.equal(404);
  });
});
