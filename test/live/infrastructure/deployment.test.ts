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
import { evaluateIsolation } from '#lib/infrastructure/posture/evaluators.query.ts';
import { tables } from '#lib/products.ts';
import { closeUsage } from '#workers/infrastructure/close-usage.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
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

  it('200 returns the same numbers of imported rows and exports as a recount, and null for a meter without a source', async () => {
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
    expect(await value('api.requests')).to.equal(null);
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
