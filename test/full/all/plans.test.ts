import { expect } from 'chai';
import { sql } from 'kysely';
import { Client } from 'pg';
import { featureMatrixAsOf } from '#lib/data/feature-join.query.ts';
import { findSeries } from '#lib/data/instrument-series.query.ts';
import { monthlyPriceTextsAsOf } from '#lib/data/price.query.ts';
import { seriesRows } from '#lib/data/series-rows.query.ts';
import { findVersions, pinVersions } from '#lib/research/feature-version.query.ts';
import type { SnapshotData } from '#lib/research/research-snapshot.ts';
import researchSnapshots from '#workers/research/research-snapshots.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { inTenant, openOrm } from '#lib/database/orm.ts';
import { databaseName, roleUrl, type Role } from '#lib/database/roles.ts';
import { freshDatabase, testCluster } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { createProject } from '../../support/research.ts';
import { createFeature } from '../../support/feature.ts';
import { importCsv } from '../../support/import.ts';
import { plansOf, scansOf } from '../../support/plan.ts';
import { fillFeatureValues, fillMonthlyPrices, namesOf } from '../../support/scale.ts';
import type { Backend } from '../../support/backends.ts';

const SYMBOLS = 5_000;
const MONTHS = 200;
const FEATURES = 50;
const YEARS = 4;
const CELLS = SYMBOLS * FEATURES;

// A plan that reads the whole table is fast on a small table, so these tables have a million rows each.
describe('the plans of queries over a million rows', function () {
  let superuser: Client;
  let api: Orm;
  let workspace: string;
  let datasetId: number;
  const orms: Orm[] = [];
  const versionIds: number[] = [];
  const features: string[] = [];
  let tenancy: Tenancy;
  let operated: Backend;
  let worker: Orm;

  before(async () => {
    const ownerUrl = await freshDatabase('assay_test_plans');
    const orm = (role: Role) => {
      const opened = openOrm(roleUrl(ownerUrl, role), 2);
      orms.push(opened);
      return opened;
    };
    const operator = orm('operator');
    api = orm('api');
    // A backend that has only the database. The functions called with it use no process of the service.
    const own = { orm: () => operator } as unknown as Backend;
    superuser = new Client({ connectionString: (await testCluster()).superuserUrl(databaseName(ownerUrl)) });
    await superuser.connect();
    operated = own;
    worker = orm('worker');
    tenancy = await buildTenancy(own);
    workspace = tenancy.workspace;
    datasetId = (await importCsv(own, workspace, 'prices', ['symbol,date,close', 'X,2005-01-31,1'])).dataset
      .id;
    for (let feature = 0; feature < FEATURES; feature += 1) {
      const { key, versionId } = await createFeature(own, tenancy, { values: [] });
      features.push(key);
      versionIds.push(versionId);
    }
    await fillMonthlyPrices(superuser, { datasetId, symbols: SYMBOLS, months: MONTHS });
    await fillFeatureValues(superuser, { versionIds, entities: SYMBOLS, years: YEARS });
  });
  after(async () => {
    for (const orm of orms) await orm.close();
    await superuser.end();
  });

  const explain = (work: (em: Em) => Promise<unknown>) =>
    inTenant(api, { workspace, environment: 'sandbox' }, (em) => plansOf(em, work));

  it('read only the requested rows by index, in the two partitions that hold them', async () => {
    const question = {
      symbols: namesOf(SYMBOLS),
      from: '2015-10-01',
      asOfDate: '2020-09-30',
      datasetRevisions: { [datasetId]: 1 },
    };
    const scans = scansOf(await explain((em) => monthlyPriceTextsAsOf(em, question)), /^price/);
    for (const { how, condition, relation } of scans) {
      expect(how, relation).to.match(/^Index (Only )?Scan$/);
      expect(condition, relation).to.match(/dataset_id.*symbol.*frequency.*observed_on.*known_at.*revision/);
    }
    const values = scans.filter(({ how }) => how === 'Index Scan');
    expect(values.map(({ relation }) => relation).sort()).to.deep.equal(['price_2015', 'price_2020']);
    expect(values.reduce((sum, { rows }) => sum + rows, 0)).to.equal(SYMBOLS * 60);
    expect(values, 'no look for the series of a symbol').to.have.lengthOf(scans.length);
  });

  it('find the series of an instrument with one lookup', async () => {
    const subject = {
      uid: 'any',
      owner: workspace,
      symbols: [{ symbol: 'S04321', follows: null, since: null }],
    };
    const plans = await explain((em) => findSeries(em, subject, { kind: 'prices', asOf: '2021-08-31' }));
    const scans = scansOf(plans, /^price/);
    expect(scans.map(({ how, rows }) => `${how} ${rows}`)).to.deep.equal(['Index Only Scan 1']);
  });

  it('read at most 40 rows for a page of 11 rows, even far from the start of a series', async () => {
    const series = {
      datasetId,
      datasetUid: 'any',
      revision: 1,
      rowsHeld: 1,
      priceBasis: null,
      frequency: 'monthly' as const,
      ranges: [{ symbol: 'S04321', from: null, until: null }],
    };
    const plans = await explain((em) =>
      seriesRows(
        em,
        series,
        { table: 'price', columns: ['close', 'adj_close'] },
        {
          asOf: '2021-08-31',
          after: '2018-03-31',
          limit: 11,
        },
      ),
    );
    const scans = scansOf(plans, /^price/);
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).to.be.within(11, 40);
    for (const { how, relation } of scans) {
      expect(how, relation).to.equal('Index Scan');
      expect(relation).to.be.oneOf(['price_2015', 'price_2020']);
    }
  });

  it('read one row per cell of a matrix of 5,000 entities and 50 features, from the index alone', async () => {
    const question = { versionIds, entities: namesOf(SYMBOLS), asOf: '2020-09-30' };
    const scans = scansOf(await explain((em) => featureMatrixAsOf(em, question)), /^feature_value/);
    expect(scans.map(({ how, relation }) => `${how} ${relation}`)).to.deep.equal([
      'Index Only Scan feature_value',
    ]);
    expect(scans[0]!.condition).to.match(/feature_version_id.*entity.*event_time.*known_at/);
    expect(scans[0]!.rows).to.be.within(CELLS, CELLS * 1.01);
  });

  it('read each cell of a snapshot at most about once, and the permissions of the caller once', async () => {
    const [target, ...rest] = features;
    const project = await createProject(operated, tenancy, rest, {
      target: { feature: target!, version: 1, horizons_months: [1], span_months: 1 },
    });
    const tenant = { workspace, environment: 'sandbox' } as const;
    const ids = await inTenant(api, tenant, async (em) => {
      const found = await findVersions(
        em,
        features.map((key) => ({ key, version: 1 })),
      );
      return found.map(({ id }) => id);
    });
    expect(ids).to.have.lengthOf(FEATURES);
    const pins = scansOf(await explain((em) => pinVersions(em, ids)), /^feature_value/);
    expect(pins.map(({ how, rows }) => `${how} ${rows}`)).to.deep.equal([`Index Only Scan ${FEATURES}`]);
    const datasetRevisions = Object.fromEntries(ids.map((id) => [`feature_version:${id}`, 1]));
    const input = { project_id: project, project_version: 1, as_of_date: '2020-09-30' };
    let data: SnapshotData | undefined;
    const plans = await inTenant(worker, tenant, (em) =>
      plansOf(em, async (watched) => {
        data = await researchSnapshots.load(watched, { input, datasetRevisions } as never);
      }),
    );
    expect(data!.entities).to.have.lengthOf(SYMBOLS);
    expect(data!.columns).to.have.lengthOf(FEATURES - 1);
    const scans = scansOf(plans, /^feature_value/);
    expect(new Set(scans.map(({ how }) => how))).to.deep.equal(new Set(['Index Only Scan']));
    for (const { condition } of scans) expect(condition).to.match(/feature_version_id/);
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).to.be.within(CELLS - SYMBOLS, 1.1 * CELLS);
    const others = scansOf(plans, /./).filter(({ relation }) => relation !== 'feature_value');
    for (const { relation, rows } of others) expect(rows, relation).to.be.below(1_000);
  });

  it('show a sequential scan if a query reads the whole table', async () => {
    const everything = (em: Em) => sql`select count(*) from price where close = 20`.execute(em.getKysely());
    const scans = scansOf(await explain(everything), /^price/);
    expect(scans.map(({ how }) => how)).to.include('Seq Scan');
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).to.be.greaterThan(SYMBOLS * MONTHS * 0.9);
  });
});
