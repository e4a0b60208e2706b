import { expect } from 'chai';
import { sql } from 'kysely';
import { systemClock } from '#lib/core/clock.ts';
import { scopes } from '#lib/core/scope.ts';
import { inTenant } from '#lib/database/orm.ts';
import { readExportable } from '#lib/intelligence/read-exportable.query.ts';
import { offeredSubject } from '#lib/marketplace/subject.query.ts';
import { materialiseOne } from '#workers/research/feature-materialisation.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { grantEntitlement } from '../../support/entitlement.ts';
import { defineFeature } from '../../support/feature.ts';
import { importEconomics } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { servingQuestionModel } from '../../support/qlm.ts';
import { writeModel } from '../../support/numeric-model.ts';
import { addPerson } from '../../support/policy-record.ts';
import { asSuperuser } from '../../support/rows.ts';

const LIST = '/infrastructure/data-entitlements';

onOneBackend('GET /infrastructure/data-entitlements', (live) => {
  let owner: Tenancy;
  let reader: Tenancy;
  let second: string;
  let dataset: string;
  let observations: string;
  const get = (path: string, { key } = reader, headers = {}) => clientOf(live(), key).get(path, headers);
  const change = (event: string, uid: string, person: string) =>
    assay(live(), 'entitlement', event, uid, '--as', person, '--json');
  const grant = async (terms: object) => {
    const granted = await grantEntitlement(live(), reader, {
      dataset,
      terms: { provider: 'Example Data Ltd', ...terms },
    });
    expect(granted.stderr).to.equal('');
    expect(granted.json.state).to.equal('proposed');
    const { uid } = granted.json;
    expect((await change('approve', uid, second)).json.state).to.equal('active');
    return uid as string;
  };
  const end = async (uid: string) =>
    expect((await change('end', uid, reader.person)).json.state).to.equal('ended');
  const read = { action: 'read', constraints: {} };

  before(async () => {
    [owner, reader] = [await buildTenancy(live()), await buildTenancy(live())];
    second = await addPerson(live(), reader.workspace);
    const lines = [
      'series_id,date,value',
      ...[1, 2, 3, 4, 5].map((month) => `GDPX,2020-0${month}-01,${month}`),
    ];
    dataset = (await importCsv(live(), owner.workspace, 'economics', lines)).dataset.uid;
    observations = '/data/economics/series/GDPX/observations';
  });

  it('200 lists the implicit entitlement of the owner, and nothing to other workspaces', async () => {
    const { status, body } = await get(LIST, owner);
    expect([status, body.data.length]).to.deep.equal([200, 1]);
    expect(body.data[0]).to.deep.include({
      basis: 'owner',
      dataset_uid: dataset,
      status: 'active',
      duties: [],
    });
    expect(body.data[0].permissions).to.have.length(6);
    expect((await get(LIST)).body.data).to.deep.equal([]);
  });

  it('gives access to a dataset of another workspace only after a second person has approved the terms', async () => {
    const terms = { provider: 'Example Data Ltd', permissions: [read] };
    const { uid } = (await grantEntitlement(live(), reader, { dataset, terms })).json;
    expect((await get(observations)).status).to.equal(404);
    expect((await change('approve', uid, reader.person)).stderr).to.match(/^second_person_required: /m);
    expect((await get(LIST)).body.data).to.deep.equal([]);
    expect((await change('approve', uid, second)).status).to.equal(0);
    expect((await get(observations)).body.data).to.have.length(5);
    const [listed] = (await get(LIST)).body.data;
    expect(listed).to.deep.include({ uid, basis: 'recorded', status: 'active', permissions: [read] });
    await end(uid);
    expect((await get(observations)).status).to.equal(404);
    expect((await get(LIST)).body.data[0]).to.include({ uid, status: 'expired' });
  });

  it('403 for a read under a suspended entitlement, until a second person resumes the entitlement', async () => {
    const uid = await grant({ permissions: [read] });
    expect((await change('suspend', uid, second)).json.state).to.equal('suspended');
    const { status, body } = await get(observations);
    expect([status, body.code, body.action]).to.deep.equal([403, 'entitlement_missing', 'read']);
    expect(body.reasons).to.deep.equal(['not_permitted']);
    expect((await change('approve', uid, second)).stderr).to.match(/^second_person_required: /m);
    expect((await change('approve', uid, reader.person)).status).to.equal(0);
    expect((await get(observations)).status).to.equal(200);
    await end(uid);
  });

  it('403 with the failed rule for an export whose permission is limited to another region', async () => {
    const constraints = { regions: ['elsewhere'] };
    const uid = await grant({ permissions: [read, { action: 'export', constraints }] });
    expect((await get(observations)).status).to.equal(200);
    const { status, body } = await get(observations, reader, { accept: 'text/csv' });
    expect([status, body.code, body.action]).to.deep.equal([403, 'entitlement_missing', 'export']);
    expect(body.failed).to.deep.equal([`${uid}/permissions/1/regions`]);
    await end(uid);
  });

  it('403 for rows beyond the daily limit, even for concurrent reads', async () => {
    const uid = await grant({ permissions: [{ action: 'read', constraints: { max_rows_per_day: 25 } }] });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => get(`${observations}?limit=10`)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).to.deep.equal([200, 200, 403, 403, 403]);
    const refused = answers.find(({ status }) => status === 403)!;
    expect(refused.body.reasons).to.deep.equal(['row_limit']);
    expect((await get(`${observations}?limit=5`)).status).to.equal(200);
    await end(uid);
  });

  it('200 returns the entitlements as ODRL agreements on request', async () => {
    const uid = await grant({ permissions: [read], prohibitions: [{ action: 'train', constraints: {} }] });
    const answer = await get(LIST, reader, { accept: 'application/ld+json' });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.contain('application/ld+json');
    const graph = answer.body['@graph'];
    const found = graph.find((each: { uid: string }) => each.uid === `urn:svc:assay:${uid}`);
    expect(found).to.include({ '@type': 'Agreement', conflict: 'prohibit' });
    await end(uid);
  });

  it('lets an owner prohibit one use of its own data and still use the data in other ways', async () => {
    const terms = {
      provider: 'Ourselves',
      permissions: [],
      prohibitions: [{ action: 'export', constraints: {} }],
    };
    const { json } = await grantEntitlement(live(), owner, { dataset, terms });
    expect(json.state).to.equal('active');
    expect((await get(observations, owner)).status).to.equal(200);
    const { status, body } = await get(observations, owner, { accept: 'text/csv' });
    expect([status, body.reasons]).to.deep.equal([403, ['prohibited']]);
    const unknown = { ...terms, permissions: [{ action: 'Read', constraints: {} }] };
    const refused = await grantEntitlement(live(), owner, { dataset, terms: unknown });
    expect([refused.status, refused.stderr.includes('/permissions/0/action')]).to.deep.equal([1, true]);
  });

  describe('of the owner', () => {
    let own: Tenancy;
    let prices: string;
    const everyAction = { provider: 'Ourselves', permissions: [] };
    const prohibit = async (action: string, uid = prices) => {
      const terms = { ...everyAction, prohibitions: [{ action, constraints: {} }] };
      const { json } = await grantEntitlement(live(), own, { dataset: uid, terms });
      expect(json.state).to.equal('active');
      return async () =>
        expect(
          (await assay(live(), 'entitlement', 'end', json.uid, '--as', own.person, '--json')).json.state,
        ).to.equal('ended');
    };
    const run = (path: string, body: object) => clientOf(live(), own.key).post(path, body);

    before(async () => {
      own = await buildTenancy(live());
      const lines = ['symbol,date,close', 'AAA,2020-01-31,1', 'AAA,2020-02-28,2'];
      prices = (await importCsv(live(), own.workspace, 'prices', lines)).dataset.uid;
      await importEconomics(live(), own.workspace);
    });

    it('403 refuse a run that needs the data, and hide them from a run that does not', async () => {
      const { body } = await clientOf(live(), own.key).get('/data/datasets?kind=economics');
      const allow = await prohibit('derive', body.data[0].uid);
      const forecast = { metric: 'economics.GDPC1', horizon: 2 };
      const refused = await run('/planning/forecasts', forecast);
      expect([refused.status, refused.body.code, refused.body.action]).to.deep.equal([
        403,
        'entitlement_missing',
        'derive',
      ]);
      expect((await clientOf(live(), own.key).get('/data/economics/series?limit=1')).status).to.equal(200);
      const factors = await run('/investment/theme-watch/factors', { as_of_date: '2020-02-29' });
      expect(factors.body.code).not.to.equal('entitlement_missing');
      const { rows } = await inTenant(live().orm('operator'), own, (em) =>
        sql<{ pins: Record<string, number> }>`
          select dataset_revisions as pins from run where kind = 'investment.theme-factors' and workspace_uid = ${own.workspace}
        `.execute(em.getKysely()),
      );
      expect(Object.keys(rows[0]!.pins)).to.have.lengthOf(1);
      await allow();
      expect((await run('/planning/forecasts', forecast)).status).to.equal(201);
    });

    it('403 refuse the training and the evaluation of a model', async () => {
      const { uid, dataset: id } = await writeModel(live(), own);
      const listed = (await clientOf(live(), own.key).get('/data/datasets?kind=numeric')).body.data;
      const numeric = listed.find((each: { id: number }) => each.id === id) ?? listed[0];
      const allow = await prohibit('train', numeric.uid);
      const refused = await run(`/lqm/models/${uid}/trainings`, {});
      expect([refused.status, refused.body.code, refused.body.action]).to.deep.equal([
        403,
        'entitlement_missing',
        'train',
      ]);
      await allow();
      expect((await run(`/lqm/models/${uid}/trainings`, {})).status).to.equal(201);
      await prohibit('derive', numeric.uid);
      const evaluation = await run(`/lqm/models/${uid}/evaluations`, {});
      expect([evaluation.status, evaluation.body.action]).to.deep.equal([403, 'derive']);
    });

    it('leave data that must not be exported out of the text that is sent to a provider', async () => {
      const sent = () =>
        inTenant(live().orm('worker'), own, (em) =>
          readExportable(em, { scopes: new Set(scopes), now: new Date() }),
        );
      const datasets = async () => {
        const section = (await sent()).sections.find(({ key }) => key === 'data')!;
        return (section.metrics as { key: string; value: unknown }[]).find(({ key }) => key === 'datasets')!
          .value;
      };
      const before = await datasets();
      const allow = await prohibit('export');
      expect(await datasets()).to.equal((before as number) - 1);
      await allow();
      expect(await datasets()).to.equal(before);
    });

    it('hide from questions the data that must not be read', async () => {
      const model = await servingQuestionModel(live(), own);
      const ask = async () =>
        (await run(`/qlms/${model}/invoke`, { question: 'What was GDPC1 in 2019-Q4?' })).body.outcome;
      const { body } = await clientOf(live(), own.key).get('/data/datasets?kind=economics');
      expect(await ask()).to.equal('answered');
      const allow = await prohibit('read', body.data[0].uid);
      expect(await ask()).to.equal('refused');
      await allow();
      expect(await ask()).to.equal('answered');
    });

    it('refuse features of the data', async () => {
      const key = await defineFeature(live(), own, prices);
      const allow = await prohibit('derive');
      const again = () =>
        materialiseOne(live().orm('worker'), {
          ...{ workspace: own.workspace, key, mode: 'full', clock: systemClock },
          onProgress: () => undefined,
        });
      expect(await again()).to.deep.equal({ ok: false, code: 'entitlement_missing' });
      await allow();
      expect((await again()).ok).to.equal(true);
    });

    it('refuse to offer the data on the marketplace', async () => {
      const asked = { kind: 'dataset', subject: prices } as const;
      const offered = () =>
        inTenant(live().orm('operator'), own, (em) => offeredSubject(em, asked, new Date()));
      await asSuperuser(live(), (client) =>
        client.query(`update dataset set licence = 'Own data', content_hash = $1 where uid = $2`, [
          'ab'.repeat(32),
          prices,
        ]),
      );
      expect((await offered()).fault).to.equal(undefined);
      const allow = await prohibit('redistribute');
      expect(await offered()).to.deep.equal({ fault: 'redistribution_denied' });
      await allow();
    });
  });
});
