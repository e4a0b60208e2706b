import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApi } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { expire, keptAnswers, queuedRun } from '../../support/idempotency.ts';
import { onEachBackend } from '../../support/live.ts';
import { runRows } from '../../support/runs.ts';

onEachBackend('Idempotency-Key', function (live) {
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
  });

  const client = (at: { url: string } = live()) => clientOf(at, tenancy.key);
  const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });

  it('has one effect for 50 concurrent posts with one key', async () => {
    const uid = await queuedRun(live(), tenancy);
    const headers = keyed();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        client().post(`/quant/compute/jobs/${uid}/cancel`, undefined, headers),
      ),
    );
    const first = answers.filter(
      (answer) => answer.status === 200 && !answer.headers.has('idempotent-replayed'),
    );
    const replayed = answers.filter((answer) => answer.headers.has('idempotent-replayed'));
    const inProgress = answers.filter(({ body }) => body.code === 'idempotency_in_progress');
    expect(first.length).to.equal(1);
    expect(replayed.length + inProgress.length).to.equal(49);
    for (const answer of replayed) expect([answer.status, answer.body]).to.deep.equal([200, first[0]!.body]);
    for (const answer of inProgress) {
      expect(answer.status).to.equal(409);
      expect(answer.headers.get('retry-after')).to.equal('1');
    }
  });

  it('creates one run for 50 concurrent submissions and returns that run to each', async () => {
    const before = (await runRows(live(), tenancy.workspace)).length;
    const headers = { ...keyed(), prefer: 'respond-async' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client().post('/investment/theme-watch/factors', {}, headers)),
    );
    const places = new Set(answers.map((answer) => answer.headers.get('location')));
    expect(places.size).to.equal(1);
    expect((await runRows(live(), tenancy.workspace)).length).to.equal(before + 1);
  });

  it('has one new effect after its expiry, even for concurrent requests', async () => {
    const uid = await queuedRun(live(), tenancy);
    const [submission, effect] = [randomUUID(), randomUUID()];
    const submit = () =>
      client().post('/investment/theme-watch/factors', {}, { ...keyed(submission), prefer: 'respond-async' });
    const cancel = () => client().post(`/quant/compute/jobs/${uid}/cancel`, undefined, keyed(effect));
    const first = (await submit()).headers.get('location');
    expect((await cancel()).status).to.equal(200);
    await expire(live(), submission, effect);
    const submitted = await Promise.all(Array.from({ length: 10 }, submit));
    const places = new Set(submitted.map(({ headers }) => headers.get('location')));
    expect([places.size, places.has(first)]).to.deep.equal([1, false]);
    const cancelled = await cancel();
    expect([cancelled.status, cancelled.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
    expect((await cancel()).headers.get('idempotent-replayed')).to.equal('true');
  });

  it('returns the first response with its headers to a retry at any process', async () => {
    const uid = await queuedRun(live(), tenancy);
    const key = randomUUID();
    const path = `/quant/compute/jobs/${uid}/cancel`;
    const first = await client().post(path, undefined, keyed(key));
    const other = await startApi(live());
    try {
      const again = await client(other).post(path, undefined, keyed(`"${key}"`));
      expect([again.status, again.body]).to.deep.equal([200, first.body]);
      expect(first.headers.get('idempotent-replayed')).to.equal(null);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
    } finally {
      await other.stop();
    }
  });

  it('rejects a different request under the same key with 422', async () => {
    const key = randomUUID();
    const unknown = await client().post(
      '/quant/compute/jobs/tfr_00000000000000000000000000/cancel',
      undefined,
      keyed(key),
    );
    expect(unknown.status).to.equal(404);
    expect(await keptAnswers(live(), key)).to.deep.equal([]);
    const headers = { ...keyed(key), prefer: 'respond-async' };
    await client().post('/investment/theme-watch/factors', {}, headers);
    const other = await client().post('/investment/theme-watch/factors', { history_months: 24 }, headers);
    expect(other.body).to.include({ status: 422, code: 'idempotency_key_reused' });
  });

  it('is unique only within one application and one operation', async () => {
    const headers = { ...keyed('the-same'), prefer: 'respond-async' };
    const neighbour = await buildTenancy(live(), { workspace: tenancy.workspace });
    const mine = await client().post('/investment/theme-watch/factors', {}, headers);
    const theirs = await clientOf(live(), neighbour.key).post('/investment/theme-watch/factors', {}, headers);
    expect(mine.headers.get('location')).to.not.equal(theirs.headers.get('location'));
    const rows = await keptAnswers(live(), 'the-same');
    expect(rows).to.have.lengthOf(2);
  });

  it('keeps a response for a day', async () => {
    const key = randomUUID();
    await client().post(
      `/quant/compute/jobs/${await queuedRun(live(), tenancy)}/cancel`,
      undefined,
      keyed(key),
    );
    const [{ kept }] = await keptAnswers(live(), key);
    expect({ ...kept }).to.deep.equal({ days: 1 });
  });
});
