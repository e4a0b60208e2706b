import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import { Dispatch } from '#lib/pipeline/run.entity.ts';
import { createRun } from '#lib/pipeline/run.repository.ts';
import { startApi } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onEachBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { runRows } from '../../support/runs.ts';

onEachBackend('Idempotency-Key', function (live) {
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
  });

  const client = (at: { url: string } = live()) => clientOf(at, tenancy.key);
  const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });

  /** A run that stays queued, since nothing is noted that would dispatch it. */
  const queuedRun = () =>
    inTenant(live().orm('api'), { workspace: tenancy.workspace, environment: 'sandbox' }, async (em) => {
      const uid = await createRun(em, themeFactorsJob, {
        application: tenancy.application,
        requestId: 'req_test',
        input: {},
        now: new Date(),
      });
      await em.nativeDelete(Dispatch, { runUid: uid });
      return uid;
    });

  const rowsOf = (key: string) =>
    asSuperuser(live(), async (database) => {
      const { rows } = await database.query(
        'select operation, answer, run_uid, expires_at - created_at as kept from idempotency_key where key = $1',
        [sha256(key)],
      );
      return rows;
    });

  it('makes one effect of 50 posts at once: one answer, and the same or 409 for the others', async () => {
    const uid = await queuedRun();
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

  it('makes one run of 50 submissions at once, and all of them answer with it', async () => {
    const before = (await runRows(live(), tenancy.workspace)).length;
    const headers = { ...keyed(), prefer: 'respond-async' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client().post('/investment/theme-watch/factors', {}, headers)),
    );
    const places = new Set(answers.map((answer) => answer.headers.get('location')));
    expect(places.size).to.equal(1);
    expect((await runRows(live(), tenancy.workspace)).length).to.equal(before + 1);
  });

  it('gives a retry the first answer with its headers, bare or quoted, from any process', async () => {
    const uid = await queuedRun();
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

  it('refuses another request with 422, and keeps nothing of a request that was refused', async () => {
    const key = randomUUID();
    const unknown = await client().post(
      '/quant/compute/jobs/tfr_00000000000000000000000000/cancel',
      undefined,
      keyed(key),
    );
    expect(unknown.status).to.equal(404);
    expect(await rowsOf(key)).to.deep.equal([]);
    const headers = { ...keyed(key), prefer: 'respond-async' };
    await client().post('/investment/theme-watch/factors', {}, headers);
    const other = await client().post('/investment/theme-watch/factors', { history_months: 24 }, headers);
    expect(other.body).to.include({ status: 422, code: 'idempotency_key_reused' });
  });

  it('is one of the application and the operation: others may use the same', async () => {
    const headers = { ...keyed('the-same'), prefer: 'respond-async' };
    const neighbour = await buildTenancy(live(), { workspace: tenancy.workspace });
    const mine = await client().post('/investment/theme-watch/factors', {}, headers);
    const theirs = await clientOf(live(), neighbour.key).post('/investment/theme-watch/factors', {}, headers);
    expect(mine.headers.get('location')).to.not.equal(theirs.headers.get('location'));
    const rows = await rowsOf('the-same');
    expect(rows).to.have.lengthOf(2);
  });

  it('has the effect and the key, or neither, of a process that is killed on the way; the retry is right in both cases', async () => {
    // Wherever the process then is, on whatever machine, is one of the two cases.
    for (const afterMs of [2, 12]) {
      const uid = await queuedRun();
      const key = randomUUID();
      const path = `/quant/compute/jobs/${uid}/cancel`;
      const doomed = await startApi(live());
      const lost = fetch(`${doomed.url}/api/v2${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenancy.key}`, ...keyed(key) },
      }).catch(() => undefined);
      await delay(afterMs);
      await doomed.kill();
      await lost;
      const kept = (await rowsOf(key)).length === 1;
      const run = (await runRows(live(), tenancy.workspace)).find((each) => each.uid === uid)!;
      expect(run.state).to.equal(kept ? 'cancelled' : 'queued');
      const retried = await client().post(path, undefined, keyed(key));
      expect(retried.status).to.equal(200);
      expect(retried.headers.get('idempotent-replayed')).to.equal(kept ? 'true' : null);
    }
  });

  it('keeps an answer for a day', async () => {
    const key = randomUUID();
    await client().post(`/quant/compute/jobs/${await queuedRun()}/cancel`, undefined, keyed(key));
    const [{ kept }] = await rowsOf(key);
    expect({ ...kept }).to.deep.equal({ days: 1 });
  });
});
