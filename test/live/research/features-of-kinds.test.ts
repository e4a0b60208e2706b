import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { featureMaterialisation } from '#workers/research/feature-materialisation.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { createCompany } from '../../support/company.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

type Value = { entity: string; event_time: string; known_at: string; value: number };

onOneBackend('Features of economics and of company metrics', function (live) {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-features-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function define({ workspace }: Tenancy, given: Record<string, unknown>) {
    const file = path.join(folder, 'feature.json');
    const rest = { unit: 'ratio', max_age_days: 200, description: 'A test.' };
    await writeFile(file, JSON.stringify({ ...rest, ...given }));
    const { json, stderr } = await assay(
      live(),
      'feature',
      'define',
      file,
      '--workspace',
      workspace,
      '--json',
    );
    return json ?? stderr;
  }
  const tell = () => featureMaterialisation(live().orm('worker'));
  const get = ({ key }: Tenancy, query: string) => clientOf(live(), key).get(`/quant/features${query}`);
  /** Returns `entity event value` of each value. */
  const reported = async (tenancy: Tenancy, feature: string, query = '') => {
    const { status, body } = await get(tenancy, `/${feature}/values${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data.map(
      ({ entity, event_time, value }: Value) => `${entity} ${event_time.slice(0, 10)} ${value}`,
    );
  };

  describe('economics', () => {
    let tenancy: Tenancy;
    let dataset: string;
    const bring = async (...rows: string[]) =>
      (await importCsv(live(), tenancy.workspace, 'economics', ['series,date,value,known_at', ...rows]))
        .dataset.uid;
    before(async () => {
      tenancy = await buildTenancy(live());
      dataset = await bring(
        'GDP,2023-10-01,100,2024-01-25',
        'GDP,2024-01-01,110,2024-04-25',
        'GDP,2024-01-01,120,2024-05-30',
        'CPI,2023-10-01,2,2023-11-14',
        'CPI,2024-01-01,4,2024-02-13',
      );
    });

    it('belong to the workspace and follow each vintage if the expression names a series', async () => {
      const common = { entity_type: 'workspace', frequency: 'quarterly', dataset };
      const growth = { ...common, key: 'growth', expression: 'return(series("GDP"), 1)' };
      expect(await define(tenancy, growth)).to.include({ change: 'defined' });
      expect(
        await define(tenancy, { ...common, key: 'real', expression: 'series("GDP") / series("CPI")' }),
      ).to.include({ change: 'defined' });
      await tell();
      const { workspace } = tenancy;
      expect(await reported(tenancy, 'growth', '?as_of=2024-04-24')).to.deep.equal([]);
      expect(await reported(tenancy, 'growth', '?as_of=2024-04-25')).to.deep.equal([
        `${workspace} 2024-03-31 0.10000000000000009`,
      ]);
      expect(await reported(tenancy, 'growth', '?as_of=2024-05-30')).to.deep.equal([
        `${workspace} 2024-03-31 0.19999999999999996`,
      ]);
      expect(await reported(tenancy, 'real')).to.deep.equal([
        `${workspace} 2023-12-31 50`,
        `${workspace} 2024-03-31 30`,
      ]);
      const { body } = await get(
        tenancy,
        `/real/values?entity=${workspace}&as_of=2024-05-29&from=2024-01-01`,
      );
      expect(body.data).to.deep.equal([
        {
          entity: workspace,
          event_time: '2024-03-31T00:00:00Z',
          known_at: '2024-04-25T23:59:59.999999Z',
          value: 27.5,
          version: 1,
        },
      ]);
    });

    it('are returned for each series and follow revisions if the expression reads the value of the series', async () => {
      await define(tenancy, {
        key: 'level',
        entity_type: 'workspace',
        frequency: 'quarterly',
        dataset,
        expression: 'value',
      });
      await tell();
      const first = ['CPI 2023-12-31 2', 'CPI 2024-03-31 4', 'GDP 2023-12-31 100', 'GDP 2024-03-31 120'];
      expect(await reported(tenancy, 'level')).to.deep.equal(first);
      await bring('CPI,2024-01-01,5,2024-06-10');
      await importCsv(live(), tenancy.workspace, 'economics', [
        'series,date,value,known_at,withdrawn',
        'GDP,2023-10-01,,2024-06-11,true',
      ]);
      expect(await tell()).to.be.greaterThan(0);
      expect(await reported(tenancy, 'level', '?as_of=2024-06-09')).to.deep.equal(first);
      expect(await reported(tenancy, 'level')).to.deep.equal([
        'CPI 2023-12-31 2',
        'CPI 2024-03-31 5',
        'GDP 2024-03-31 120',
      ]);
      expect(await reported(tenancy, 'growth')).to.deep.equal([]);
      expect(await reported(tenancy, 'growth', '?as_of=2024-06-10')).to.have.lengthOf(1);
      const context = (await get(tenancy, `/context?features=level,real&as_of=2024-06-30`)).body;
      expect(context).to.include({ state: 'synchronised', newest_event_time: '2024-03-31T00:00:00Z' });
    });

    it('are rejected if they are invalid', async () => {
      const given = { key: 'x', frequency: 'monthly', dataset };
      expect(await define(tenancy, { ...given, entity_type: 'company', expression: 'value' })).to.match(
        /^definition_invalid: entity_type: must be workspace for this expression over a dataset of economics/,
      );
      const mixed = { ...given, entity_type: 'workspace', expression: 'value / series("GDP")' };
      expect(await define(tenancy, mixed)).to.match(
        /^definition_invalid: expression: the expression mixes named series/,
      );
      const foreign = await buildTenancy(live());
      expect((await get(foreign, '/growth/values')).status).to.equal(404);
      expect(await define(foreign, { ...given, entity_type: 'workspace', expression: 'value' })).to.match(
        /^dataset_unknown: /,
      );
    });
  });

  describe('company metrics', () => {
    let tenancy: Tenancy;
    let dataset: string;
    let [acme, beta]: number[] = [];
    const bring = async (...rows: string[]) =>
      (
        await importCsv(live(), tenancy.workspace, 'metrics', [
          'company_id,metric,period,value,currency,known_at',
          ...rows,
        ])
      ).dataset.uid;
    const given = { entity_type: 'company', frequency: 'quarterly' };
    before(async () => {
      tenancy = await buildTenancy(live());
      acme = await createCompany(live(), tenancy.workspace);
      beta = await createCompany(live(), tenancy.workspace);
      dataset = await bring(
        `${acme},revenue,2024-Q1,100,EUR,2024-04-20`,
        `${acme},net_income,2024-Q1,10,EUR,2024-04-22`,
        `${acme},net_income,2024-Q1,-5,EUR,2024-05-20`,
        `${acme},revenue,2024,900,EUR,2025-02-01`,
        `${acme},revenue,2024-03,33,EUR,2024-04-02`,
        `${beta},revenue,2024-Q1,50,EUR,2024-04-30`,
        `${beta},net_income,2024-Q1,20,EUR,2024-04-30`,
        `${acme},headcount,2024-Q1,7,,2024-04-01`,
      );
    });

    it("are returned for each company from the values reported for periods of the feature's frequency", async () => {
      const margin = {
        ...given,
        dataset,
        key: 'margin',
        expression: 'metric("net_income") / metric("revenue")',
      };
      expect(await define(tenancy, margin)).to.include({ change: 'defined' });
      const place = { ...given, dataset, key: 'place', expression: 'rank(metric("net_income"))' };
      expect(await define(tenancy, place)).to.include({ change: 'defined' });
      await tell();
      expect(await reported(tenancy, 'margin', '?as_of=2024-04-21')).to.deep.equal([]);
      // Entities are ordered as texts, so 10 comes before 9.
      expect(await reported(tenancy, 'margin', '?as_of=2024-05-19')).to.deep.equal(
        [`${acme} 2024-03-31 0.1`, `${beta} 2024-03-31 0.4`].sort(),
      );
      expect(await reported(tenancy, 'margin', `?entity=${acme}`)).to.deep.equal([
        `${acme} 2024-03-31 -0.05`,
      ]);
      expect(await reported(tenancy, 'place')).to.deep.equal(
        [`${acme} 2024-03-31 1`, `${beta} 2024-03-31 2`].sort(),
      );
      const { body } = await get(tenancy, '/margin');
      expect(body).to.include({ entity_type: 'company' });
      expect(body.coverage).to.include({ values: 3, entities: 2 });
    });

    it('are updated when a period is reported or restated', async () => {
      const yearly = {
        ...given,
        dataset,
        key: 'yearly',
        frequency: 'yearly',
        expression: 'metric("revenue")',
      };
      await define(tenancy, yearly);
      await bring(`${beta},revenue,2024-Q1,40,EUR,2024-06-01`, `${beta},revenue,2024-Q2,60,EUR,2024-07-20`);
      await bring(`${beta},net_income,2024-Q2,6,EUR,2024-07-21`);
      await tell();
      expect(await reported(tenancy, 'margin', `?entity=${beta}&as_of=2024-06-30`)).to.deep.equal([
        `${beta} 2024-03-31 0.5`,
      ]);
      expect(await reported(tenancy, 'margin', `?entity=${beta}`)).to.deep.equal([
        `${beta} 2024-03-31 0.5`,
        `${beta} 2024-06-30 0.1`,
      ]);
      expect(await reported(tenancy, 'yearly')).to.deep.equal([`${acme} 2024-12-31 900`]);
    });

    it('require a feature of the entity type `workspace` if the expression reads the ledger or economic series', async () => {
      await bring(',ledger.net_cash_flow.EUR,2024-Q1,12.5,EUR,2024-04-01');
      const cash = { ...given, dataset, key: 'cash', expression: 'metric("ledger.net_cash_flow.EUR")' };
      expect(await define(tenancy, cash)).to.match(
        /^definition_invalid: entity_type: must be workspace for this expression/,
      );
      await define(tenancy, { ...cash, entity_type: 'workspace' });
      const mixed = { ...cash, expression: `${cash.expression} / metric("revenue")` };
      expect(await define(tenancy, mixed)).to.match(
        /^definition_invalid: expression: the expression mixes metrics of the wo/,
      );
      await tell();
      expect(await reported(tenancy, 'cash')).to.deep.equal([`${tenancy.workspace} 2024-03-31 12.5`]);
    });

    // Amounts in two currencies never form one series, and no exchange rate is applied.
    it('are returned in the named currency and fail if the expression mixes several currencies', async () => {
      const euros = { ...given, dataset, key: 'euros', expression: 'return(metric("revenue.EUR"), 1)' };
      await define(tenancy, euros);
      await bring(`${acme},revenue,2024-Q2,110,EUR,2024-07-20`, `${acme},revenue,2024-Q3,130,USD,2024-10-20`);
      const failed = await tell().catch((error: Error) => error.message);
      expect(failed).to.equal(
        'the amounts that the feature reads are in EUR, USD; name one currency, such as "revenue.EUR"',
      );
      const { body } = await get(tenancy, '/margin');
      expect(body.freshness).to.deep.include({ state: 'failed', is_current: false });
      expect(await reported(tenancy, 'margin', `?entity=${acme}`)).to.deep.equal([
        `${acme} 2024-03-31 -0.05`,
      ]);
      const first = `${acme} 2024-06-30 0.10000000000000009`;
      expect(await reported(tenancy, 'euros', `?entity=${acme}`)).to.deep.equal([first]);
      await bring(`${acme},revenue,2024-Q2,120,USD,2024-08-01`);
      await tell().catch(() => undefined);
      expect(await reported(tenancy, 'euros', `?entity=${acme}&as_of=2024-07-31`)).to.deep.equal([first]);
      expect(await reported(tenancy, 'euros', `?entity=${acme}`)).to.deep.equal([]);
    });
  });
});
