import { expect } from 'chai';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createCompany } from '../../support/company.ts';
import { BATCHES, FORECASTS, importEconomics, monthlyMetric } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('POST /planning/forecasts/batches', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let company: number;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    company = await createCompany(live(), tenancy.workspace);
    await importEconomics(live(), tenancy.workspace);
    await importCsv(live(), tenancy.workspace, 'metrics', [
      'company_id,metric,period,value,currency',
      ...monthlyMetric(company, 'revenue', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
      ...monthlyMetric(company, 'payroll', [1, 2, 3]),
    ]);
  });

  const read = async (uid: string, as = client) => (await as.get(`${BATCHES}/${uid}`)).body;
  it('201 returns for every item a sealed forecast or its own problem', async () => {
    const items = [
      { metric: 'economics.GDPC1', horizon: 4 },
      { metric: 'revenue', company_id: company, horizon: 3 },
      { metric: 'payroll', company_id: company, horizon: 3 },
      { metric: 'footfall', company_id: company, horizon: 3 },
      { metric: 'revenue', company_id: 999_999, horizon: 3 },
      { metric: 'revenue', horizon: 3 },
      { metric: 'revenue', company_id: company, horizon: 99 },
    ];
    const headers = { 'idempotency-key': 'batch-1' };
    const requested = await client.post(
      `${BATCHES}?levels=90&method=drift`,
      { items, reason: 'Plan' },
      headers,
    );
    expect(requested.status, JSON.stringify(requested.body)).to.equal(201);
    expect(requested.headers.get('location')).to.equal(`/api/v2${BATCHES}/${requested.body.uid}`);
    expect(requested.body).to.deep.include({ items: 7, reason: 'Plan', cancelled_at: null });
    const again = await client.post(`${BATCHES}?levels=90&method=drift`, { items, reason: 'Plan' }, headers);
    expect([again.body.uid, again.headers.get('idempotent-replayed')]).to.deep.equal([
      requested.body.uid,
      'true',
    ]);

    const done = requested.body;
    expect(await read(done.uid)).to.deep.equal(done);
    expect(done).to.deep.include({ state: 'finished', progress: 1 });
    expect(done.counts).to.deep.include({ succeeded: 2, failed: 1, refused: 4, queued: 0, running: 0 });
    const rows: any[] = (await client.get(`${BATCHES}/${done.uid}/items`)).body.data;
    expect(
      rows.map(({ state, problem }) => [state, problem?.code, problem?.errors[0].pointer]),
    ).to.deep.equal([
      ['succeeded', undefined, undefined],
      ['succeeded', undefined, undefined],
      ['failed', 'insufficient_history', '/metric'],
      ['refused', 'unknown_metric', '/metric'],
      ['refused', 'unknown_company', '/company_id'],
      ['refused', 'validation_failed', '/company_id'],
      ['refused', 'horizon_out_of_bounds', '/horizon'],
    ]);
    const failed = (await client.get(`${BATCHES}/${done.uid}/items?state=failed`)).body.data;
    expect(failed.map(({ position }: any) => position)).to.deep.equal([2]);
    const forecast = (await client.get(`${FORECASTS}/${rows[1].uid}`)).body;
    expect(checkSeal(forecast)).to.include({ intact: true });
    expect(forecast.result.points).to.deep.equal([13, 14, 15]);
    expect(forecast.input).to.deep.include({ reason: 'Plan', levels: [90], method: 'drift' });
    expect(forecast.result_hash).to.equal(rows[1].result_hash);
  });

  it('creates batches that can be cancelled and that let a later single forecast run first', async () => {
    const items = Array.from({ length: 2_000 }, () => ({
      metric: 'revenue',
      company_id: company,
      horizon: 2,
    }));
    const answer = await client.post(BATCHES, { items }, { prefer: 'respond-async' });
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([202, '1']);
    const batch = answer.body;
    const single = await client.post(FORECASTS, { metric: 'revenue', company_id: company, horizon: 2 });
    expect(single.status, JSON.stringify(single.body)).to.equal(201);
    const open = await read(batch.uid);
    expect(open.counts.queued, 'most of the batch still waits').to.be.above(100);
    expect(open.state).to.equal('running');
    const { status, body } = await client.post(`${BATCHES}/${batch.uid}/cancel`);
    expect([status, body.state, body.counts.queued + body.counts.running]).to.deep.equal([
      200,
      'cancelled',
      0,
    ]);
    expect(body.counts.cancelled + body.counts.succeeded).to.equal(2_000);
    expect((await client.post(`${BATCHES}/${batch.uid}/cancel`)).body).to.deep.equal(body);
    const { workspace, environment } = tenancy;
    const entries = await inTenant(live().orm('api'), { workspace, environment }, (em) =>
      listAudit(em, { op: 'run.cancelled', limit: 2_000 }),
    );
    expect(entries).to.have.lengthOf(body.counts.cancelled);
    const later = await client.post(FORECASTS, { metric: 'revenue', company_id: company, horizon: 2 });
    expect(later.status).to.equal(201);
    expect((await read(batch.uid)).counts).to.deep.equal(body.counts);
  });

  it('rejects requests without items, with too many items or with unknown members', async () => {
    const { body: batch } = await client.post(BATCHES, {
      items: [{ metric: 'revenue', company_id: company, horizon: 2 }],
    });
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    for (const path of ['', '/items']) {
      expect((await stranger.get(`${BATCHES}/${batch.uid}${path}`)).status).to.equal(404);
    }
    expect((await stranger.post(`${BATCHES}/${batch.uid}/cancel`)).status).to.equal(404);
    expect((await stranger.get(BATCHES)).body.data).to.deep.equal([]);
    expect((await client.get(`${BATCHES}?limit=1`)).body.data[0].uid).to.equal(batch.uid);
    const item = { metric: 'revenue', company_id: 1, horizon: 3 };
    const attempts: [unknown[], string][] = [
      [[], '/items'],
      [Array.from({ length: 5_001 }, () => item), '/items'],
      [[item, { ...item, surplus: 1 }], '/items/1/surplus'],
      [[item, { ...item, horizon: 'far' }], '/items/1/horizon'],
    ];
    for (const [items, pointer] of attempts) {
      const { status, body } = await client.post(BATCHES, { items });
      expect([status, body.errors[0].pointer]).to.deep.equal([422, pointer]);
    }
  });
});
