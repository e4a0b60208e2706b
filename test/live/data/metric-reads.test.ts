import { expect } from 'chai';
import { sql } from 'kysely';
import { inPlatform } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createCompany } from '../../support/company.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('/data/metrics', function (live) {
  let tenancy: Tenancy;
  let [acme, beta]: number[] = [];
  before(async () => {
    tenancy = await buildTenancy(live());
    acme = await createCompany(live(), tenancy.workspace);
    beta = await createCompany(live(), tenancy.workspace);
    await bring(tenancy, [
      `${acme},revenue,2024-Q1,100.50,EUR,2024-04-20`,
      `${acme},revenue,2024-Q1,99,EUR,2024-05-20`,
      `${acme},revenue,2024-Q2,120,EUR,2024-07-20`,
      `${acme},revenue,2024,480,EUR,2025-02-01`,
      `${beta},revenue,2024-Q1,7,USD,2024-04-30`,
      `${beta},headcount,2024-03,12,,2024-04-02`,
      `,ledger.inflow.EUR,2024-01,5,EUR,2024-02-01`,
    ]);
  });

  const bring = ({ workspace }: Tenancy, rows: readonly string[], more: { dataset?: string } = {}) =>
    importCsv(
      live(),
      workspace,
      'metrics',
      ['company_id,metric,period,value,currency,known_at', ...rows],
      more,
    );
  const get = (path: string, { key } = tenancy, headers: Record<string, string> = {}) =>
    clientOf(live(), key).get(`/data/metrics${path}`, headers);
  /** Returns `company period value currency` of each value. */
  const values = async (query: string, metric = 'revenue', who = tenancy) => {
    const { status, body } = await get(`/${metric}/observations${query}`, who);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data.map((row: Record<string, unknown>) =>
      [row['company_id'], row['period'], row['value'], row['currency']].join(' '),
    );
  };
  const series = async (query: string, who = tenancy) => {
    const { body } = await get(query, who);
    return body.data.map((row: Record<string, unknown>) =>
      [row['key'], row['company_id'] ?? '-', row['frequency']].join(' '),
    );
  };

  it('200 lists the metrics of each company that were known by the end of a day', async () => {
    const all = [
      `headcount ${beta} monthly`,
      'ledger.inflow.EUR - monthly',
      `revenue ${acme} quarterly`,
      `revenue ${acme} yearly`,
      `revenue ${beta} quarterly`,
    ];
    expect(await series('')).to.have.members(all);
    expect(await series('?as_of=2024-04-02')).to.have.members(all.slice(0, 2));
    expect(await series(`?company_id=${acme}&frequency=yearly`)).to.deep.equal([all[3]]);
    expect((await get('?limit=1')).body.data[0]).to.deep.include({
      unit: 'count',
      kind: 'level',
      signed: false,
      description: 'Employees at the end of the period.',
      dataset_owner: 'workspace',
    });
  });

  it('200 returns the value of a metric known by the end of a day, with its company, period and currency', async () => {
    expect(await values('')).to.have.members([
      `${acme} 2024-Q1 99 EUR`,
      `${acme} 2024-Q2 120 EUR`,
      `${acme} 2024 480 EUR`,
      `${beta} 2024-Q1 7 USD`,
    ]);
    expect(await values('?as_of=2024-05-19')).to.have.members([
      `${acme} 2024-Q1 100.50 EUR`,
      `${beta} 2024-Q1 7 USD`,
    ]);
    expect(await values('?as_of=2024-04-19')).to.deep.equal([]);
    expect(
      await values(`?company_id=${acme}&frequency=quarterly&from=2024-06-30&to=2024-06-30`),
    ).to.deep.equal([`${acme} 2024-Q2 120 EUR`]);
    expect(await values('', 'ledger.inflow.EUR')).to.deep.equal([' 2024-01 5 EUR']);
    expect(await values('', 'net_income')).to.deep.equal([]);
    const { body } = await get(`/revenue/observations?company_id=${beta}`);
    expect(body.data[0]).to.deep.include({
      observed_on: '2024-03-31',
      known_at: '2024-04-30T23:59:59.999Z',
      known_at_basis: 'stated',
    });
  });

  it('304 until data is imported', async () => {
    const csv = { accept: 'text/csv' };
    for (const path of ['', '/headcount/observations']) {
      const { headers } = await get(path, tenancy, csv);
      const held = { ...csv, 'if-none-match': headers.get('etag')! };
      expect((await get(path, tenancy, held)).status).to.equal(304);
      await bring(tenancy, [`${beta},headcount,2024-0${path === '' ? 4 : 5},13,,2024-06-02`]);
      expect((await get(path, tenancy, held)).status).to.equal(200);
    }
  });

  it("200 reads a series from the workspace's own dataset if present, and otherwise from the platform's dataset", async () => {
    const own = await buildTenancy(live());
    const platform = await buildTenancy(live());
    const company = await createCompany(live(), own.workspace);
    const shared = await bring(platform, [`,ledger.inflow.EUR,2024-01,1,EUR,2024-02-01`]);
    await bring(platform, [`,ledger.inflow.EUR,2024-02,2,EUR,2024-03-01`]);
    await bring(own, [
      `,ledger.inflow.EUR,2024-02,3,EUR,2024-04-01`,
      `${company},headcount,2024,1,,2025-01-01`,
    ]);
    await inPlatform(live().orm('operator'), async (em) => {
      const database = em.getKysely();
      const { id } = shared.dataset;
      await sql`update dataset set workspace_uid = null, name = uid where id = ${id}`.execute(database);
      await sql`
        insert into dataset_entitlement (dataset_id, workspace_uid, granted_at) values (${id}, ${own.workspace}, now())
      `.execute(database);
    });
    const flow = 'ledger.inflow.EUR';
    expect(await values('?as_of=2024-03-31', flow, own)).to.deep.equal([' 2024-01 1 EUR', ' 2024-02 2 EUR']);
    expect(await values('?as_of=2024-04-01', flow, own)).to.deep.equal([' 2024-02 3 EUR']);
    expect(await values('?as_of=2024-04-01&to=2024-01-31', flow, own)).to.deep.equal([]);
    const owner = async (query: string) => (await get(query, own)).body.data.at(-1).dataset_owner;
    expect([await owner('?as_of=2024-03-31'), await owner('')]).to.deep.equal(['platform', 'workspace']);
  });

  it('200 with an empty list for another workspace, 404 for an unknown metric, 422 for a future day', async () => {
    const stranger = await buildTenancy(live());
    expect(await series('', stranger)).to.deep.equal([]);
    expect(await values('', 'revenue', stranger)).to.deep.equal([]);
    for (const name of ['nonsense', 'a%20b', 'ledger.inflow.XXX', '%00']) {
      expect((await get(`/${name}/observations`)).status, name).to.equal(404);
    }
    expect((await get('/revenue/observations?as_of=2999-01-01')).body.errors[0]).to.include({
      code: 'in_future',
    });
  });
});
