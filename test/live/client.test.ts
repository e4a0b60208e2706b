import { expect } from 'chai';
import { createClient, type ApiProblem } from '#lib/client/client.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { assay } from '../support/cli.ts';
import { importTiny } from '../support/import.ts';
import { onEachBackend } from '../support/live.ts';
import { runRows } from '../support/runs.ts';
import { stubApi } from '../support/stub-api.ts';

const FACTORS = '/investment/theme-watch/factors';
const JOBS = '/quant/compute/jobs';

onEachBackend('The TypeScript client', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
  });

  it('submits, waits and returns a run with a valid seal', async () => {
    const client = createClient({ baseUrl: live().url, apiKey: tenancy.key });
    const run = await client.submit(FACTORS, { history_months: 24 });
    const sealed = await run.sealed();
    expect(sealed).to.include({ uid: run.uid, state: 'succeeded' });
    expect(checkSeal(sealed)).to.include({ intact: true });
    const { data } = await client.GET(`${JOBS}/{uid}`, { params: { path: { uid: run.uid } } });
    expect(data.result).to.deep.equal({ href: `/api/v2${FACTORS}/${run.uid}`, hash: sealed.result_hash });
  });

  it('requests access tokens by itself, even after a revocation', async () => {
    const { application } = tenancy;
    const issued = (await assay(live(), 'oauth', 'issue', '--app', application, '--json')).json;
    const client = createClient({
      baseUrl: live().url,
      clientId: issued.client_id,
      clientSecret: issued.client_secret,
      scope: 'workspace:read',
    });
    const read = async () => (await client.GET('/workspace')).data.application.scopes;
    expect(await read()).to.deep.equal(['workspace:read']);
    const [token] = (await assay(live(), 'token', 'list', '--app', application, '--json')).json.data;
    await assay(live(), 'token', 'revoke', token.uid);
    expect(await read()).to.deep.equal(['workspace:read']);
  });

  it('reads the change ledger', async () => {
    const { data } = await createClient({ baseUrl: live().url, apiKey: tenancy.key }).GET('/changes');
    expect(data.summary).to.include({ published: 90, scope_mismatches: 0 });
  });

  it('throws problems of the API', async () => {
    const client = createClient({ baseUrl: live().url, apiKey: tenancy.key });
    const error: ApiProblem = await client.submit(FACTORS, { history_months: 11 }).then(
      () => expect.fail('it was accepted'),
      (thrown: ApiProblem) => thrown,
    );
    expect(error).to.include({ code: 'validation_failed', status: 422 });
    expect(error.errors.map(({ pointer }) => pointer)).to.deep.equal(['/history_months']);
    expect(error.requestId).to.equal(error.headers.get('x-request-id'));
  });

  // The answer is lost after the run was created. Only the idempotency key distinguishes a retry from a
  // second request.
  it('creates one run if the response of a submission is lost', async () => {
    const own = await buildTenancy(live());
    await importTiny(live(), own.workspace);
    const lossy = await stubApi(async ({ method, url, headers, body }, count) => {
      const answer = await fetch(live().url + url, {
        method,
        headers: { authorization: headers['authorization']!, 'idempotency-key': headers['idempotency-key']! },
        ...(body === '' ? {} : { body }),
      });
      const answered = { status: answer.status, body: await answer.json() };
      return count === 1 ? 'cut' : answered;
    });
    try {
      const client = createClient({ baseUrl: lossy.url, apiKey: own.key });
      const { uid } = await client.submit(FACTORS);
      expect(lossy.seen).to.have.lengthOf(2);
      expect((await runRows(live(), own.workspace)).map((row) => row.uid)).to.deep.equal([uid]);
    } finally {
      await lossy.stop();
    }
  });
});
