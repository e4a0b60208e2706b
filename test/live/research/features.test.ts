import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { featureMaterialisation } from '#workers/research/feature-materialisation.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const PRICES = [
  'symbol,date,close',
  ...['2020-01-31,10', '2020-02-28,12', '2020-03-31,9', '2020-04-30,18'].map((row) => `AAA,${row}`),
  ...['2020-01-31,50', '2020-02-28,40', '2020-03-31,50', '2020-04-30,60'].map((row) => `BBB,${row}`),
];

onOneBackend('Features', function (live) {
  let tenancy: Tenancy;
  let dataset: string;
  let folder: string;
  before(async () => {
    tenancy = await buildTenancy(live());
    dataset = (await importCsv(live(), tenancy.workspace, 'prices', PRICES)).dataset.uid;
    folder = await mkdtemp(path.join(tmpdir(), 'assay-features-'));
  });
  after(() => rm(folder, { recursive: true }));

  const get = async (query: string, key = tenancy.key) =>
    clientOf(live(), key).get(`/quant/features${query}`);

  async function define(given: Record<string, unknown>) {
    const file = path.join(folder, 'feature.json');
    const body = {
      entity_type: 'instrument',
      unit: 'ratio',
      frequency: 'monthly',
      dataset,
      expression: 'return(close, 1)',
      max_age_days: 40,
      description: 'The return of a month.',
      ...given,
    };
    await writeFile(file, JSON.stringify(body));
    return assay(live(), 'feature', 'define', file, '--workspace', tenancy.workspace, '--json');
  }
  const feature = (...words: string[]) =>
    assay(live(), 'feature', ...words, '--workspace', tenancy.workspace, '--json');

  it('are defined, materialised and read as known at any time', async () => {
    const defined = await define({ key: 'monthly_return' });
    expect(defined.stderr).to.equal('');
    expect(defined.json).to.include({ key: 'monthly_return', version: 1, change: 'defined' });
    const before = (await get('/monthly_return')).body;
    expect(before).to.include({ key: 'monthly_return', status: 'active' });

    // The schedule of the service may have materialised the feature already, so a full materialisation is requested.
    const reported = (await feature('materialise', 'monthly_return', '--full')).json;
    expect(reported).to.include({ key: 'monthly_return', mode: 'full', entities: 2 });
    const after = (await get('/monthly_return')).body;
    expect(after.coverage).to.deep.equal({
      values: 6,
      entities: 2,
      first_event_time: '2020-02-29T00:00:00Z',
      last_event_time: '2020-04-30T00:00:00Z',
    });
    expect(after.freshness).to.include({
      state: 'succeeded',
      is_current: true,
      is_stale: true,
      progress: null,
    });
    expect(after.versions[0]).to.deep.include({
      version: 1,
      expression: 'return(close, 1)',
      dataset: { uid: dataset, kind: 'prices', name: 'prices' },
    });

    const values = async (query: string) =>
      (await get(`/monthly_return/values${query}`)).body.data.map(
        (row: { entity: string; event_time: string; known_at: string; value: number }) =>
          `${row.entity} ${row.event_time.slice(0, 10)} ${row.known_at} ${row.value}`,
      );
    expect(await values('?as_of=2020-03-31&from=2020-03-01')).to.deep.equal([
      'AAA 2020-03-31 2020-03-31T23:59:59.999999Z -0.25',
      'BBB 2020-03-31 2020-03-31T23:59:59.999999Z 0.25',
    ]);
    expect(await values('?as_of=2020-03-30&entity=AAA')).to.deep.equal([
      'AAA 2020-02-29 2020-02-29T00:00:00Z 0.19999999999999996',
    ]);
    expect(await values('?to=2020-03-31&entity=BBB')).to.have.lengthOf(2);
    expect(await values('?entity=CCC')).to.deep.equal([]);
    expect((await get('/monthly_return/values?version=2')).status).to.equal(404);
  });

  it('are listed by subject and found by a part of their name', async () => {
    await define({ key: 'size_rank', expression: 'rank(close)', description: 'The place by price.' });
    const keys = async (query: string) => (await get(query)).body.data.map(({ key }: { key: string }) => key);
    expect(await keys('?q=PLACE')).to.deep.equal(['size_rank']);
    expect(await keys('?entity_type=company')).to.deep.equal([]);
    expect(await keys('?status=active')).to.include.members(['size_rank']);
    expect((await feature('list')).json.data[0]).to.include({ key: 'size_rank', expression: 'rank(close)' });
  });

  it('are updated on a schedule, each version separately until its retirement', async () => {
    await define({ key: 'spread', expression: 'close - lag(close, 1)', unit: 'USD' });
    await featureMaterialisation(live().orm('worker'));
    const newest = async () => {
      const { body } = await get('/spread/values?entity=AAA&from=2020-04-01');
      return body.data.map(({ value, version }: { value: number; version: number }) => [version, value]);
    };
    expect(await newest()).to.deep.equal([[1, 9]]);
    expect(await featureMaterialisation(live().orm('worker'))).to.equal(0);

    const again = await define({ key: 'spread', expression: 'close-lag(close,1)', unit: 'USD' });
    expect(again.json).to.include({ version: 1, change: 'unchanged' });
    const second = await define({ key: 'spread', expression: 'close - lag(close, 2)', unit: 'USD' });
    expect(second.json).to.include({ version: 2, change: 'version_added' });
    expect(await newest()).to.deep.equal([]);
    await importCsv(live(), tenancy.workspace, 'prices', ['symbol,date,close', 'AAA,2020-05-29,20']);
    await featureMaterialisation(live().orm('worker'));
    expect(await newest()).to.deep.equal([
      [2, 6],
      [2, 11],
    ]);
    const first = (await get('/spread/values?version=1&entity=AAA&from=2020-05-01')).body.data;
    expect(first).to.have.lengthOf(1);

    expect((await feature('retire', 'spread')).json).to.include({ status: 'retired' });
    expect((await feature('retire', 'spread')).stderr).to.match(/^feature_retired: /);
    expect((await define({ key: 'spread' })).stderr).to.match(/^feature_retired: /);
    await importCsv(live(), tenancy.workspace, 'prices', ['symbol,date,close', 'AAA,2020-06-30,30']);
    await featureMaterialisation(live().orm('worker'));
    expect(await newest()).to.have.lengthOf(2);
    const audited = await assay(
      live(),
      'audit',
      'list',
      '--workspace',
      tenancy.workspace,
      '--environment',
      'sandbox',
      '--subject',
      second.json.uid,
      '--json',
    );
    expect(audited.json.data.map(({ op }: { op: string }) => op).sort()).to.deep.equal([
      'feature.defined',
      'feature.retired',
      'feature.version_added',
    ]);
  });

  it('are rejected with a reason if they cannot be computed', async () => {
    const refusal = async (given: Record<string, unknown>) => (await define({ key: 'x', ...given })).stderr;
    expect(await refusal({ expression: 'lag(price, 1)' })).to.match(
      /^definition_invalid: expression: character 5: "price" is not a column or function of the source; available are open, /,
    );
    expect(await refusal({ entity_type: 'company' })).to.match(/^definition_invalid: entity_type: /);
    expect(await refusal({ max_age_days: 0, colour: 'red' })).to.match(
      /^definition_invalid: .*colour.*max_age/s,
    );
    const foreign = await buildTenancy(live());
    const other = await importCsv(live(), foreign.workspace, 'prices', PRICES);
    expect(await refusal({ dataset: other.dataset.uid })).to.match(/^dataset_unknown: /);
  });

  it('200 reports whether the values of a set of features were known at one time', async () => {
    await define({ key: 'level', expression: 'close', unit: 'USD' });
    await define({ key: 'unknown', expression: 'lag(close, 100)', unit: 'USD' });
    await feature('materialise', 'level', '--full');
    const context = async (query: string) => (await get(`/context?${query}`)).body;
    const april = 'as_of=2020-04-30&tolerance_days=0';
    expect(await context(`features=level,monthly_return&${april}`)).to.deep.equal({
      state: 'synchronised',
      as_of: '2020-04-30',
      tolerance_days: 0,
      newest_event_time: '2020-04-30T00:00:00Z',
      features: ['level', 'monthly_return'],
      offending: [],
    });
    expect((await context(`features=level,unknown&${april}`)).offending[0]).to.include({
      feature: 'unknown',
      reason: 'missing',
    });
    expect((await context(`features=level&as_of=2021-01-01&entities=AAA`)).offending[0]).to.include({
      entity: 'AAA',
      reason: 'stale',
      allowed_days: 40,
    });
    expect((await get('/context?features=level,nobody')).status).to.equal(404);
    expect((await get('/context?features=level&entities=%E2%80%AEanyone')).status).to.equal(200);
  });

  it('404 or an empty list for another workspace', async () => {
    const { key } = await buildTenancy(live());
    expect((await get('', key)).body.data).to.deep.equal([]);
    expect((await get('/monthly_return', key)).status).to.equal(404);
    expect((await get('/context?features=monthly_return', key)).status).to.equal(404);
    expect((await get('/monthly_return/values', key)).status).to.equal(404);
    for (const path of ['/%00', '/%00/values', '/context?features=%00']) {
      expect((await get(path, key)).status, path).to.be.oneOf([404, 422]);
    }
  });
});
