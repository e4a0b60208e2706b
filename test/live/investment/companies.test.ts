import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import { scopes } from '#lib/core/scope.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createFeature } from '../../support/feature.ts';
import { importCsv, importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

const COMPANIES = '/investment/companies';

/** Imports a company whose symbol changes on 2022-06-09, with daily closes from 2021-06-01 to 2022-06-30. */
async function importCompany(
  backend: Parameters<typeof importCsv>[0],
  { workspace }: Pick<Tenancy, 'workspace'>,
): Promise<void> {
  const load = (kind: Parameters<typeof importCsv>[2], lines: string[]) =>
    importCsv(backend, workspace, kind, lines);
  await load('instruments', [
    'published_at,symbol,name,sector,exchange,currency,status,previous_symbol',
    '2012-05-18,FB,Facebook,Technology,XNAS,USD,active,',
    '2018-09-24,FB,Facebook,Communication,XNAS,USD,active,',
    '2022-06-09,META,Meta Platforms,Communication,XNAS,USD,active,FB',
  ]);
  const days = Array.from({ length: 395 }, (_, at) => addDays('2021-06-01', at));
  await load('prices', [
    'symbol,date,close,volume',
    ...days.map((day, at) => {
      const quoted = day < '2022-03-01' ? 200 : 100; // a split of 2 on 2022-03-01
      return `${day < '2022-06-09' ? 'FB' : 'META'},${day},${quoted + (at % 2)},${1_000 + at}`;
    }),
  ]);
  await load('corporate_actions', [
    'symbol,ex_date,type,amount,ratio,known_at',
    'FB,2022-03-01,split,,2,2022-02-01T00:00:00Z',
    'META,2022-07-15,cash_dividend,1.5,,2022-06-20T00:00:00Z',
  ]);
  await load('fundamentals', [
    'symbol,as_of,period_end,metric,value',
    'FB,2022-02-02,2021-12-31,eps,3.67',
    'FB,2022-04-27,2022-03-31,eps,2.72',
    'FB,2022-02-02,2021-12-31,revenue,33671',
    'META,2022-07-27,2022-06-30,eps,2.46',
  ]);
  await load('taxonomy', [
    'version,published_at,theme,symbol,exposure',
    '2022.1,2022-01-01T00:00:00Z,social,FB,0.900000',
    '2022.1,2022-01-01T00:00:00Z,chips,NVDA,1.000000',
    '2022.2,2022-06-15T00:00:00Z,social,META,0.800000',
    '2022.2,2022-06-15T00:00:00Z,virtual,META,0.250000',
  ]);
}

onOneBackend('GET /investment/companies/{symbol}', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importCompany(live(), tenancy);
    await createFeature(live(), tenancy, {
      key: 'momentum',
      values: [
        { entity: 'FB', eventTime: '2022-04-30T00:00:00Z', knownAt: '2022-04-30T00:00:00Z', value: 0.1 },
        { entity: 'META', eventTime: '2022-06-30T00:00:00Z', knownAt: '2022-07-01T12:00:00Z', value: -0.2 },
      ],
    });
  });

  const get = async (path: string, { key } = tenancy) => clientOf(live(), key).get(`${COMPANIES}/${path}`);
  const company = async (path: string, of = tenancy) => {
    const { status, body } = await get(path, of);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  it('200 shows each block with its dataset, its age and the values of the files', async () => {
    const page = await company('META?as_of=2022-06-30');
    expect(page).to.deep.include({
      symbol: 'META',
      current_symbol: 'META',
      as_of: '2022-06-30',
      reasons: { holders: 'never_observed' },
    });
    for (const block of ['identity', 'price', 'fundamentals', 'actions', 'themes']) {
      expect(page[block].dataset, block).to.match(/^dst_/);
    }
    const { identity, price, fundamentals, actions, themes, features } = page;
    expect(identity).to.deep.include({ name: 'Meta Platforms', currency: 'USD', age_days: 21 });
    expect(identity.symbols).to.deep.equal([
      { symbol: 'FB', from: null, until: '2022-06-09' },
      { symbol: 'META', from: '2022-06-09', until: null },
    ]);
    expect(identity.sectors.map(({ sector }: { sector: string }) => sector)).to.deep.equal([
      'Technology',
      'Communication',
    ]);
    expect(price).to.deep.include({
      age_days: 0,
      frequency: 'daily',
      adjustment: 'derived',
      last: { close: '100', observed_on: '2022-06-30' },
      volatility_returns: 365,
      median_volume: 1_348.5,
    });
    // The close of 2022-06-30 is 100. One month earlier, the close is 101. One year earlier, the quoted close is 201,
    // which is 100.5 after the adjustment for the split.
    expect(price.return_1m).to.be.closeTo(100 / 101 - 1, 1e-12);
    expect(price.return_12m).to.be.closeTo(100 / 100.5 - 1, 1e-12);
    expect(price.range_52w.low).to.deep.equal({ close: 100, observed_on: '2021-07-03' });
    expect(price.range_52w.high.close).to.equal(101);
    expect(fundamentals).to.deep.include({ age_days: 91, known_at: '2022-04-27T23:59:59.999Z' });
    expect(
      fundamentals.metrics.map((each: Record<string, unknown>) => [
        each['metric'],
        each['period_end'],
        each['value'],
      ]),
    ).to.deep.equal([
      ['eps', '2022-03-31', '2.72'],
      ['revenue', '2021-12-31', '33671'],
    ]);
    expect(actions.last).to.deep.equal([
      {
        ex_date: '2022-03-01',
        type: 'split',
        amount: null,
        ratio: '2',
        known_at: '2022-02-01T00:00:00.000Z',
      },
    ]);
    expect(actions.next).to.deep.include({ ex_date: '2022-07-15', type: 'cash_dividend', amount: '1.5' });
    expect(themes).to.deep.include({
      version: '2022.2',
      age_days: 15,
      exposures: [
        { theme: 'social', exposure: 0.8 },
        { theme: 'virtual', exposure: 0.25 },
      ],
      specific_risk: null,
    });
    expect(features.values).to.have.length(1);
    expect(features.values[0]).to.include({ feature: 'momentum', value: 0.1 });
  });

  it('200 shows nothing that became known after the requested day, even if it concerns an earlier day', async () => {
    const page = await company('FB?as_of=2022-05-31');
    expect(page).to.deep.include({ current_symbol: 'FB' });
    expect(page.identity).to.deep.include({ name: 'Facebook' });
    expect(page.identity.symbols).to.deep.equal([{ symbol: 'FB', from: null, until: null }]);
    expect(page.price.last.observed_on).to.equal('2022-05-31');
    expect(page.actions.next).to.equal(null);
    expect(page.themes).to.deep.include({
      version: '2022.1',
      exposures: [{ theme: 'social', exposure: 0.9 }],
    });
    const before = await company('FB?as_of=2022-02-15');
    expect(before.actions).to.deep.include({ last: [] });
    expect(before.actions.next).to.deep.include({ ex_date: '2022-03-01' });
    expect(before.price).to.deep.include({ adjustment: 'none' });
    // Later imports never change the page of a past day.
    await importCsv(live(), tenancy.workspace, 'fundamentals', [
      'symbol,as_of,period_end,metric,value',
      'FB,2022-06-02,2022-03-31,eps,9.99',
    ]);
    expect(await company('FB?as_of=2022-05-31')).to.deep.equal(page);
    const restated = await company('META?as_of=2022-06-30');
    expect(restated.fundamentals.metrics[0]).to.include({ value: '9.99' });
  });

  it('200 returns the company under its current symbol if the request has a former symbol', async () => {
    const [former, current] = [await company('FB?as_of=2022-06-30'), await company('META?as_of=2022-06-30')];
    expect(former).to.deep.equal({ ...current, symbol: 'FB' });
  });

  it('404 for an unknown symbol, and for a symbol that was not known on the requested day', async () => {
    for (const path of ['NONE', 'META?as_of=2022-06-08', 'FB?as_of=2012-05-17']) {
      const { status, body } = await get(path);
      expect([status, body.code], path).to.deep.equal([404, 'not_found']);
    }
  });

  it('422 for a day in the future', async () => {
    const { status, body } = await get('META?as_of=2999-01-01');
    expect([status, body.errors[0].code]).to.deep.equal([422, 'in_future']);
  });

  it('200 with the reason for each block that is null', async () => {
    const { body } = await get('META');
    expect(body.reasons).to.deep.equal({
      price: 'stale',
      fundamentals: 'stale',
      features: 'stale',
      holders: 'never_observed',
    });
    expect([body.price, body.fundamentals, body.features]).to.deep.equal([null, null, null]);

    const own = await buildTenancy(live());
    await importCsv(live(), own.workspace, 'instruments', [
      'symbol,name,first_price_date',
      'META,Meta,2020-01-01',
    ]);
    expect((await company('META', own)).reasons).to.deep.equal({
      price: 'not_entitled',
      fundamentals: 'not_entitled',
      actions: 'not_entitled',
      themes: 'not_entitled',
      features: 'never_observed',
      holders: 'never_observed',
    });
    await importTiny(live(), own.workspace);
    expect((await company('META', own)).reasons).to.include({
      price: 'never_observed',
      themes: 'never_observed',
    });
  });

  it('200 without the blocks whose scope the credential or the workspace lacks', async () => {
    const { workspace } = tenancy;
    const narrow = await buildTenancy(live(), { workspace, scopes: ['investment:read'] });
    const path = 'META?as_of=2022-06-30';
    const page = await company(path, narrow);
    const lacking = ['identity', 'price', 'fundamentals', 'actions', 'features'];
    expect(page.reasons).to.deep.equal({
      ...Object.fromEntries(lacking.map((block) => [block, 'insufficient_scope'])),
      holders: 'never_observed',
    });
    expect(page.themes).to.be.an('object');

    const own = await buildTenancy(live());
    await importCompany(live(), own);
    await asSuperuser(live(), (database) =>
      database.query('update workspace set entitlements = $1 where uid = $2', [
        scopes.filter((scope) => scope !== 'data:market:read'),
        own.workspace,
      ]),
    );
    expect((await company(path, own)).reasons).to.deep.include({
      price: 'not_entitled',
      actions: 'not_entitled',
    });
  });

  it('200 with the specific risk of the sealed run with the latest as-of date', async () => {
    const own = await buildTenancy(live());
    await importTiny(live(), own.workspace);
    await importCsv(live(), own.workspace, 'instruments', [
      'symbol,name,first_price_date',
      'S00,Zero,2015-01-01',
    ]);
    const client = clientOf(live(), own.key);
    const runs = [];
    for (const as_of_date of ['2018-12-31', '2018-11-30']) {
      const { status, body } = await client.post(themeFactorsRun.resource, { as_of_date });
      expect(status, JSON.stringify(body)).to.equal(201);
      runs.push(body);
    }
    const riskOf = (run: { result: { specific_risk: { symbol: string }[] } }) =>
      run.result.specific_risk.find(({ symbol }) => symbol === 'S00');
    for (const [day, run] of [
      ['2019-01-15', runs[0]],
      ['2018-12-15', runs[1]],
    ] as const) {
      const { themes } = await company(`S00?as_of=${day}`, own);
      expect(themes.specific_risk).to.deep.equal({
        run_uid: run.uid,
        as_of: run.input.as_of_date,
        ...riskOf(run),
      });
    }
    expect((await company('S00?as_of=2018-11-15', own)).themes.specific_risk).to.equal(null);
    const production = await buildTenancy(live(), {
      workspace: own.workspace,
      environment: 'production',
    });
    expect((await company('S00?as_of=2019-01-15', production)).themes.specific_risk).to.equal(null);
  });

  it('404 for the company of another workspace', async () => {
    const stranger = await buildTenancy(live());
    const { status } = await get('META?as_of=2022-06-30', stranger);
    expect(status).to.equal(404);
  });
});
