import { expect } from 'chai';
import { ApiProblem, createClient, type Client } from '#lib/client/client.ts';
import { stubApi, type Scripted, type Seen, type StubApi } from '../../support/stub-api.ts';

const FACTORS = '/investment/theme-watch/factors';
const JOBS = '/quant/compute/jobs';
const retries = { attempts: 5, minMs: 1, maxMs: 1_500 };
const page = { data: [], page: { limit: 50, next_cursor: null, has_more: false } };
const refusal = { type: '/problems/market_history_insufficient', title: 'Too little', status: 503 };

describe('the API client', () => {
  let api: StubApi | undefined;

  afterEach(async () => {
    await api?.stop();
    api = undefined;
  });

  async function clientOn(...answers: Scripted[]): Promise<Client> {
    api = await stubApi((_, count) => answers[Math.min(count, answers.length) - 1]!);
    return createClient({ baseUrl: `${api.url}/`, apiKey: 'svc_test_key', retries });
  }

  const seen = (): Seen[] => api!.seen;

  async function thrownBy(work: () => Promise<unknown>): Promise<ApiProblem> {
    try {
      await work();
    } catch (error) {
      expect(error).to.be.instanceOf(ApiProblem);
      return error as ApiProblem;
    }
    throw new Error('nothing was thrown');
  }

  it('sends its API key, requests JSON, and sends the path and query parameters', async () => {
    const client = await clientOn({ status: 200, body: { uid: 'x' } });
    const params = { path: { uid: 'a/b' }, query: { wait: 3 } };
    const { data, response } = await client.GET(`${JOBS}/{uid}`, { params });
    expect(data.uid).to.equal('x');
    expect(response.status).to.equal(200);
    expect(seen()[0]!.url).to.equal('/api/v2/quant/compute/jobs/a%2Fb?wait=3');
    expect(seen()[0]!.headers).to.include({
      authorization: 'Bearer svc_test_key',
      accept: 'application/json',
    });
    expect(seen()[0]!.headers).to.not.have.property('idempotency-key');
  });

  it('repeats a change with the same idempotency key after a lost connection, a 429, a 503 or a 409', async () => {
    const again = { 'retry-after': '0' };
    const client = await clientOn(
      'cut',
      { status: 429, headers: again },
      { status: 503, headers: again },
      { status: 409, headers: again },
      { status: 202, body: { uid: 'x', state: 'queued' } },
    );
    await client.submit(FACTORS, { history_months: 24 });
    const keys = new Set(seen().map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).to.equal(1);
    expect([...keys][0]).to.match(/^[0-9a-f-]{36}$/);
    expect(seen().map(({ body }) => body)).to.deep.equal(
      Array.from({ length: 5 }, () => '{"history_months":24}'),
    );
    expect(seen()[0]!.headers['prefer']).to.equal('respond-async');
  });

  it('creates an idempotency key for each changing request unless the caller provides a key', async () => {
    const client = await clientOn({ status: 202, body: { uid: 'x', state: 'queued' } });
    await client.submit(FACTORS);
    await client.submit(FACTORS);
    await client.submit(FACTORS, undefined, { idempotencyKey: 'mine' });
    const keys = seen().map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).to.equal(3);
    expect(keys[2]).to.equal('mine');
  });

  it('waits before a retry as long as Retry-After requests, in seconds or as a date', async () => {
    const now = Date.UTC(2026, 11, 1);
    const at = (ms: number) => new Date(now + ms).toUTCString();
    const client = await clientOn(
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 429, headers: { 'retry-after': at(1_000), date: at(0) } },
      { status: 200, body: page },
    );
    const begun = performance.now();
    await client.GET(JOBS);
    expect(performance.now() - begun).to.be.at.least(1_990);
    expect(seen()).to.have.lengthOf(3);
  });

  it('does not retry a 503 without Retry-After', async () => {
    const body = {
      ...refusal,
      code: 'market_history_insufficient',
      detail: 'Too short.',
      observed: 94,
      needed: 144,
    };
    const client = await clientOn({ status: 503, body });
    const problem = await thrownBy(() => client.submit(FACTORS));
    expect(problem).to.include({ code: 'market_history_insufficient', status: 503, detail: 'Too short.' });
    expect(problem.body).to.include({ observed: 94, needed: 144 });
    expect(seen()).to.have.lengthOf(1);
  });

  it('reports a 429 after the maximum number of attempts, or at once if Retry-After exceeds the maximum wait', async () => {
    const client = await clientOn({ status: 429, headers: { 'retry-after': '0' } });
    expect((await thrownBy(() => client.GET(JOBS))).status).to.equal(429);
    expect(seen()).to.have.lengthOf(retries.attempts);
    await api!.stop();
    const patient = await clientOn({ status: 429, headers: { 'retry-after': '3600' } });
    expect((await thrownBy(() => patient.GET(JOBS))).headers.get('retry-after')).to.equal('3600');
    expect(seen()).to.have.lengthOf(1);
  });

  it('reports a network error if none of its attempts succeeded', async () => {
    const client = await clientOn('cut');
    const error = await client.GET(JOBS).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(TypeError);
    expect(seen()).to.have.lengthOf(retries.attempts);
  });

  it('throws each problem with its code, errors and request id', async () => {
    const errors = [{ pointer: '/limit', in: 'query', code: 'maximum', message: 'must be <= 200' }];
    const body = {
      code: 'validation_failed',
      detail: 'One fault.',
      status: 422,
      request_id: 'req_1',
      errors,
    };
    const client = await clientOn({
      status: 422,
      body,
      headers: { 'content-type': 'application/problem+json' },
    });
    const problem = await thrownBy(() => client.GET(JOBS));
    expect(problem).to.include({ code: 'validation_failed', status: 422, requestId: 'req_1' });
    expect(problem.errors).to.deep.equal(errors);
    expect(problem.message).to.equal('validation_failed: One fault.');
    expect(seen()).to.have.lengthOf(1);
  });

  it('reports a response that is not a problem of the API by its status', async () => {
    const headers = { 'content-type': 'text/html', 'x-request-id': 'req_2' };
    const client = await clientOn({ status: 502, body: 'Bad gateway', headers });
    expect(await thrownBy(() => client.GET(JOBS))).to.include({
      code: 'http_502',
      status: 502,
      requestId: 'req_2',
    });
  });

  it('throws the reason of its abort signal during a request or a pause', async () => {
    const reason = new Error('enough');
    for (const answer of [{ status: 429, headers: { 'retry-after': '1' } }, 'cut'] as const) {
      const abort = new AbortController();
      api = await stubApi(() => {
        setTimeout(() => abort.abort(reason), 20);
        return answer;
      });
      const patience = { attempts: 1_000, minMs: 1_000, maxMs: 1_000 };
      const client = createClient({ baseUrl: api.url, apiKey: 'k', retries: patience });
      const error = await client.GET(JOBS, { signal: abort.signal }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.equal(reason);
      expect(seen()).to.have.lengthOf(1);
      await api.stop();
    }
    api = undefined;
  });

  it('requests the next page of a list only when the caller reads beyond the current page', async () => {
    api = await stubApi(({ url }) => {
      const cursor = new URL(url, 'http://x').searchParams.get('cursor');
      const at = Number(cursor ?? 0);
      const data = [{ uid: `${at}a` }, { uid: `${at}b` }];
      return { status: 200, body: { data, page: { limit: 2, next_cursor: at < 2 ? String(at + 1) : null } } };
    });
    const client = createClient({ baseUrl: api.url, apiKey: 'k', retries });
    const uids: string[] = [];
    for await (const { uid } of client.pages(JOBS, { limit: 2, state: 'queued' })) uids.push(uid);
    expect(uids).to.deep.equal(['0a', '0b', '1a', '1b', '2a', '2b']);
    expect(seen().map(({ url }) => url.split('?')[1])).to.deep.equal([
      'limit=2&state=queued',
      'limit=2&state=queued&cursor=1',
      'limit=2&state=queued&cursor=2',
    ]);
    for await (const { uid } of client.pages(JOBS)) if (uid === '0a') break;
    expect(seen()).to.have.lengthOf(4);
  });

  it('waits for the end of a run and reports its progress', async () => {
    const run = (state: string, progress: number) => ({ uid: 'tfr_1', state, progress, problem: null });
    const client = await clientOn(
      { status: 202, body: run('queued', 0) },
      { status: 200, body: run('running', 0.5) },
      { status: 200, body: { uid: 'tfr_1', state: 'succeeded', result_hash: 'abc' } },
    );
    const reported: number[] = [];
    const submitted = await client.submit(FACTORS);
    const sealed = await submitted.sealed({ onProgress: ({ progress }) => reported.push(progress) });
    expect(sealed.result_hash).to.equal('abc');
    expect(reported).to.deep.equal([0, 0.5]);
    expect(seen()[1]!.url).to.equal('/api/v2/investment/theme-watch/factors/tfr_1?wait=1');
  });

  it('returns a signed evidence pack, which has no state, as sealed', async () => {
    const client = await clientOn(
      { status: 202, body: { uid: 'x', state: 'queued' } },
      { status: 200, body: { uid: 'x', sequence: 1 } },
    );
    const pack = await (await client.submit('/trust/evidence-packs')).sealed();
    expect([pack.sequence, seen().length]).to.deep.equal([1, 2]);
  });

  it('throws the problem of a failed run, and run_cancelled for a cancelled run', async () => {
    const queued = { status: 202, body: { uid: 'tfr_1', state: 'queued', progress: 0 } };
    const problem = {
      ...refusal,
      code: 'market_history_insufficient',
      detail: 'Too short.',
      request_id: 'req_3',
    };
    const refused = await clientOn(queued, { status: 200, body: { uid: 'tfr_1', state: 'failed', problem } });
    expect(await thrownBy(async () => (await refused.submit(FACTORS)).sealed())).to.include({
      code: 'market_history_insufficient',
      status: 503,
      requestId: 'req_3',
    });
    await api!.stop();
    const cancelled = await clientOn(queued, {
      status: 200,
      body: { uid: 'tfr_1', state: 'cancelled', problem: null },
    });
    const thrown = await thrownBy(async () => (await cancelled.submit(FACTORS)).sealed());
    expect(thrown).to.include({ code: 'run_cancelled', status: 409 });
  });
});
