import { expect } from 'chai';
import { serviceClassLimits } from '#lib/database/base.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { createLineageExport } from '../../support/lineage.ts';
import { onOneBackend } from '../../support/live.ts';
import { infrastructureUpkeep } from '#workers/infrastructure/upkeep.ts';

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
      { meter: 'exports.count', buckets: 1, records: 1, differences: 0 },
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
    expect(body.overall).not.to.equal('pass');
  });
});
