import { expect } from 'chai';
import { sql } from 'kysely';
import { encrypt } from '#lib/core/encryption.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { BackupRefused } from '#lib/database/backup/backup-refused.ts';
import type { Manifest } from '#lib/database/backup/manifest.ts';
import { recordTrial } from '#lib/database/backup/restore-trial.ts';
import { serviceClassLimits } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { bucketsOf, meterKeys } from '#lib/infrastructure/usage/meters.ts';
import { reconcile } from '#lib/infrastructure/usage/reconcile.ts';
import { isTotal, readUsageRecords } from '#lib/infrastructure/usage/usage-records.query.ts';
import { readUsage } from '#lib/infrastructure/usage/usage.query.ts';
import { evaluateIsolation } from '#lib/infrastructure/posture/evaluators.query.ts';
import { tables } from '#lib/products.ts';
import { closeUsage } from '#workers/infrastructure/close-usage.ts';
import { measureStorage } from '#workers/infrastructure/measure-storage.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, weekdays } from '../../support/daily-prices.ts';
import { eventually } from '../../support/runs.ts';
import { grantEntitlement } from '../../support/entitlement.ts';
import { servingQuestionModel } from '../../support/qlm.ts';
import { asSuperuser } from '../../support/rows.ts';
import { importCsv } from '../../support/import.ts';
import { createLineageExport } from '../../support/lineage.ts';
import { onOneBackend } from '../../support/live.ts';
import { infrastructureUpkeep } from '#workers/infrastructure/upkeep.ts';

const manifest = {
  ...{
    format: 'assay-backup',
    format_version: 1,
    assay_version: '0.0.0',
    created_at: '2026-01-01T00:00:00Z',
  },
  ...{ server_version: '17', migrations: ['0001-baseline'], tables: [] },
} as unknown as Manifest;

const paths = [{ symbol: 'AAA', start: 100, drift: 0.0004, swing: 0.012 }];

onOneBackend('The infrastructure', (live) => {
  let tenancy: Tenancy;
  const get = (path: string) => clientOf(live(), tenancy.key).get(`/infrastructure/${path}`);
  before(async () => {
    tenancy = await buildTenancy(live());
  });

  it('200 lists regions and service classes with the enforced limits', async () => {
    const regions = await get('regions');
    expect([regions.status, regions.body.data[0].key, regions.body.data[0].workspace_home]).to.deep.equal([
      200,
      'local',
      true,
    ]);
    const { body } = await get('service-classes');
    const current = body.data.find((each: { current: boolean }) => each.current);
    const { requests } = serviceClassLimits[current.key as keyof typeof serviceClassLimits];
    expect([current.limits.requests_per_minute, current.slo.p95_ms]).to.deep.equal([requests, null]);
  });

  it('200 returns the same numbers of imported rows and exports as a recount, and null before a measurement began', async () => {
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      'AAA,2020-01-31,1',
      'AAA,2020-02-28,2',
    ]);
    await createLineageExport(live(), tenancy);
    const today = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
    const [from, to] = [today, new Date(today.getTime() + 86_400_000)].map((each) => each.toISOString());
    const value = async (meter: string) =>
      (await get(`usage?meter=${meter}&from=${from}&to=${to}`)).body.buckets[0].value;
    expect(await value('exports.count')).to.equal('1');
    expect(await value('storage.rows')).to.equal('3');
    expect(await value('ai.tokens')).to.equal('0');
    // I-204: a meter that was not measured has no value, which is not zero.
    expect(await value('storage.bytes')).to.equal(null);
    const long = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z&granularity=month';
    for (const meter of ['api.requests', 'compute.cpu_seconds', 'storage.bytes']) {
      const { buckets } = (await get(`usage?meter=${meter}&${long}`)).body;
      expect([meter, buckets[0].value, buckets[0].source]).to.deep.equal([meter, null, null]);
    }
    const place = ['--workspace', tenancy.workspace, '--from', from!, '--to', to!];
    const recounted = await assay(
      live(),
      'usage',
      'reconcile',
      ...place,
      '--meter',
      'exports.count',
      '--json',
    );
    expect([recounted.status, recounted.json]).to.deep.equal([
      0,
      { meter: 'exports.count', buckets: 1, closed: 0, records: 1, late: 0, differences: 0 },
    ]);
    const { status, body } = await get(`usage?meter=exports.count&from=${to}&to=${from}`);
    expect([status, body.errors[0].pointer]).to.deep.equal([422, '/to']);
  });

  it('200 counts every request and the processor time of runs, and measures the stored bytes, as a recount finds', async () => {
    const own = await buildTenancy(live());
    await importCsv(live(), own.workspace, 'prices', dailyLines(paths, weekdays('2017-01-02', 800)));
    const call = (path: string) => clientOf(live(), own.key).get(path);
    const today = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
    const period = [today, new Date(today.getTime() + 86_400_000)].map((each) => each.toISOString());
    let requests = 0;
    const bucket = async (meter: string) => {
      requests += 1;
      const { body } = await call(
        `/infrastructure/usage?meter=${meter}&from=${period[0]}&to=${period[1]}&granularity=day`,
      );
      return body.buckets[0];
    };
    for (; requests < 25; requests += 1) expect((await call('/workspace')).status).to.equal(200);
    const law = { kind: 'parametric', means: [0.005], covariance: [[0.0016]] };
    const simulation = { source: law, horizon: 12, seed: 1 };
    const found = await clientOf(live(), own.key).post('/quant/compute/simulations', simulation);
    requests += 1;
    expect([201, 202], JSON.stringify(found.body)).to.include(found.status);
    const refused = await clientOf(live(), `${own.key}x`).get('/workspace');
    expect(refused.status).to.equal(401);
    // A request is written a few seconds later, so the count of the earlier requests is reached, and never exceeded.
    await eventually(async () => {
      const before = requests;
      const { value } = await bucket('api.requests');
      expect(Number(value)).to.be.at.most(requests);
      return Number(value) >= Math.min(before, 26);
    });
    expect(await measureStorage(live().orm('worker'))).to.be.at.least(1);
    expect(await measureStorage(live().orm('worker'))).to.equal(0);
    const bytes = await bucket('storage.bytes');
    expect(Number(bytes.value)).to.be.above(10_000);
    expect(bytes.source).to.include({ table: 'storage_measurement', records: 1 });
    await eventually(async () => Number((await bucket('compute.cpu_seconds')).value) > 0);
    for (const meter of ['api.requests', 'compute.cpu_seconds', 'storage.bytes']) {
      const recounted = await assay(
        live(),
        ...['usage', 'reconcile', '--workspace', own.workspace, '--meter', meter],
        ...['--from', period[0]!, '--to', period[1]!, '--json'],
      );
      expect([meter, recounted.status, recounted.json.differences]).to.deep.equal([meter, 0, 0]);
    }
    const { rows } = await asSuperuser(live(), (database) =>
      database.query<{ environment: string }>(
        `select environment from usage_count where workspace_uid = $1 group by 1`,
        [own.workspace],
      ),
    );
    expect(rows).to.deep.equal([{ environment: 'sandbox' }]);
  });

  it('200 reports evidence for each control that passed its evaluation, and reports other controls as not evaluated', async () => {
    await infrastructureUpkeep(live().orm('worker'));
    const { status, body } = await get('posture');
    expect(status).to.equal(200);
    const byKey = Object.fromEntries(body.controls.map((each: { key: string }) => [each.key, each]));
    for (const key of [
      'tenant_isolation_rls',
      'api_role_grants',
      'clock_skew',
      'queue_heartbeat',
      'deployment_file_hash',
    ])
      expect([key, byKey[key].status, byKey[key].evidence?.hash?.length]).to.deep.equal([key, 'pass', 64]);
    expect(byKey['tls_terminated']).to.include({ status: 'not_evaluated', evidence: null });
    // I-205
    for (const role of ['api', 'operator'] as const) {
      const byHand = inTenant(live().orm(role), tenancy, (em) =>
        sql`update posture_control set status = 'pass' where key = 'tls_terminated'`.execute(em.getKysely()),
      );
      expect(
        await byHand.then(
          () => 'changed',
          (error: { code?: string }) => error.code,
        ),
      ).to.equal('42501');
    }
    expect(body.overall).not.to.equal('pass');
  });

  it('closes a day after 48 hours, counts records that arrive later as late, and reports the difference to a recount', async () => {
    const own = await buildTenancy(live());
    const day = 86_400_000;
    const today = Math.floor(Date.now() / day) * day;
    const [from, to] = [today - 4 * day, today - 3 * day].map((each) => new Date(each).toISOString());
    const model = await servingQuestionModel(live(), own);
    const { body: told } = await clientOf(live(), own.key).post(`/qlms/${model}/invoke`, {
      question: 'What was the zorblax?',
    });
    const answeredOn = (at: number) =>
      asSuperuser(live(), (client) =>
        client.query(
          `insert into qlm_answer select ($1::text), workspace_uid, environment, model_uid, version_uid,
             application_uid, outcome, $2, after_uid, members, result_hash, seal from qlm_answer where uid = $3`,
          [newUid(prefixes.qlmAnswer), new Date(at).toISOString(), told.uid],
        ),
      );
    await answeredOn(today - 4 * day + 1_000);
    const usage = async (query = `from=${from}&to=${to}&granularity=day`) =>
      (await clientOf(live(), own.key).get(`/infrastructure/usage?meter=qlm.answers&${query}`)).body;
    const open = await usage();
    expect([open.buckets[0].value, open.buckets[0].closed, open.late_events]).to.deep.equal(['1', false, 0]);
    const before = await closeUsage(live().orm('worker'));
    expect(before).to.be.above(0);
    expect(await closeUsage(live().orm('worker'))).to.equal(0);
    const closed = await usage();
    expect(closed.buckets[0]).to.deep.equal({ ...open.buckets[0], closed: true });
    const recount = () =>
      assay(
        live(),
        ...['usage', 'reconcile', '--workspace', own.workspace, '--meter', 'qlm.answers'],
        ...['--from', from!, '--to', to!, '--json'],
      );
    expect([(await recount()).status, (await recount()).json.closed]).to.deep.equal([0, 1]);

    await answeredOn(today - 4 * day + 2_000);
    const late = await usage();
    expect([late.buckets[0], late.late_events]).to.deep.equal([closed.buckets[0], 1]);
    const differing = await recount();
    expect([differing.status, differing.json.late, differing.json.differences]).to.deep.equal([1, 1, 3]);
    const changed = asSuperuser(live(), (client) => client.query(`update usage_bucket set value = 0`));
    expect(
      await changed.then(
        () => 'changed',
        (error: Error) => error.message,
      ),
    ).to.include('append-only');
  });

  it('states for every meter the usage that a recount of its records finds (I-204)', async () => {
    const day = 86_400_000;
    const today = Math.floor(Date.now() / day) * day;
    const period = { from: new Date(today - 5 * day), to: new Date(today + day) };
    for (const granularity of ['hour', 'day'] as const) {
      const divided = bucketsOf(period.from, period.to, granularity);
      if (!divided.ok) throw new Error(divided.message);
      for (const meter of meterKeys) {
        const [buckets, records] = await inTenant(live().orm('operator'), tenancy, async (em) => [
          await readUsage(em, meter, divided.buckets),
          await readUsageRecords(em, meter, period),
        ]);
        expect([meter, granularity, reconcile(meter, buckets, records)]).to.deep.equal([
          meter,
          granularity,
          [],
        ]);
        const recorded = buckets.filter(({ source }) => source !== null);
        const total = buckets.reduce((sum, { source }) => sum + (source?.records ?? 0), 0);
        if (recorded.length === buckets.length && !isTotal(meter)) expect(total).to.equal(records.length);
      }
    }
  });

  it('fails the isolation control if one table shows the rows of another workspace', async () => {
    const evaluate = () =>
      inTenant(
        live().orm('worker'),
        { workspace: 'wsp_00000000000000000000000000', environment: 'sandbox' },
        (em) => evaluateIsolation(em, tables),
      );
    expect(await evaluate()).to.deep.include({ status: 'pass', detailCode: 'no_foreign_rows' });
    await asSuperuser(live(), (client) =>
      client.query('create policy leak on data_entitlement using (true)'),
    );
    try {
      await createOwnRestriction();
      const found = await evaluate();
      expect(found).to.deep.include({ status: 'fail', detailCode: 'foreign_rows_read' });
      expect('evidence' in found && found.evidence['leaks']).to.have.keys('data_entitlement');
    } finally {
      await asSuperuser(live(), (client) => client.query('drop policy leak on data_entitlement'));
    }
    expect((await evaluate()).status).to.equal('pass');
  });

  async function createOwnRestriction(): Promise<void> {
    const lines = ['symbol,date,close', 'AAA,2020-01-31,1'];
    const dataset = (await importCsv(live(), tenancy.workspace, 'prices', lines, { dataset: 'leak' })).dataset
      .uid;
    const terms = {
      provider: 'Ourselves',
      permissions: [],
      prohibitions: [{ action: 'export', constraints: {} }],
    };
    await grantEntitlement(live(), tenancy, { dataset, terms });
  }

  it('reports the last attempted restore, and the persons in production who have no codes', async () => {
    const status = async (key: string) => {
      await infrastructureUpkeep(live().orm('worker'));
      const { body } = await get('posture');
      const found = body.controls.find((each: { key: string }) => each.key === key);
      return [found.status, found.detail_code];
    };
    expect(await status('backup_restored')).to.deep.equal(['not_evaluated', 'no_restore_tried']);
    const tried = (error?: unknown) =>
      recordTrial(live().superuserUrl, { kind: 'rehearsal', manifest, error, now: new Date() });
    await tried();
    expect(await status('backup_restored')).to.deep.equal(['pass', 'restored']);
    await tried(new BackupRefused('backup_damaged', 'a test'));
    expect(await status('backup_restored')).to.deep.equal(['fail', 'restore_failed']);
    await buildTenancy(live(), { environment: 'production' });
    expect(await status('production_codes_enrolled')).to.deep.equal(['fail', 'persons_without_codes']);
    expect((await status('secrets_rewrapped'))[0]).not.to.equal('not_evaluated');
    // Other tests sign with the key, so it gets its own value back.
    const keys = await asSuperuser(live(), async (client) => {
      const { rows } = await client.query(
        `select keyid, private_sealed from signing_key where private_sealed is not null`,
      );
      await client.query(`update signing_key set private_sealed = $1 where private_sealed is not null`, [
        encrypt('not the key', Buffer.alloc(32), 'another'),
      ]);
      return rows;
    });
    try {
      expect(await status('secrets_rewrapped')).to.deep.equal(['fail', 'earlier_key']);
    } finally {
      await asSuperuser(live(), async (client) => {
        for (const { keyid, private_sealed: sealed } of keys)
          await client.query(`update signing_key set private_sealed = $2 where keyid = $1`, [keyid, sealed]);
      });
    }
  });
});
