import { expect } from 'chai';
import { mean } from 'simple-statistics';
import { forecastScoring } from '#workers/forecasting/forecast-scoring.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createCompany } from '../../support/company.ts';
import { FORECASTS, monthlyMetric } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const HEADER = 'company_id,metric,period,value,currency';
const PAST = [10, 12, 11, 13, 10, 12, 11, 13, 10, 12];

onOneBackend('The accuracy of a forecast', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let company: number;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    company = await createCompany(live(), tenancy.workspace);
    await bring(PAST);
  });

  const bring = (values: readonly number[]) =>
    importCsv(live(), tenancy.workspace, 'metrics', [HEADER, ...monthlyMetric(company, 'revenue', values)]);
  const forecast = async () => {
    const request = { metric: 'revenue', company_id: company, horizon: 3 };
    const { status, body } = await client.post(`${FORECASTS}?method=naive&levels=95`, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const score = (now?: Date) => forecastScoring(live().orm('worker'), now);
  const accuracy = (uid: string, as = client) => as.get(`${FORECASTS}/accuracy/${uid}`);

  it('is reported once actual values are known and updated when more values arrive', async () => {
    const { uid, result } = await forecast();
    expect(result.points).to.deep.equal([12, 12, 12]);
    await score();
    expect((await accuracy(uid)).body).to.deep.equal({ uid, accuracy: null });
    await bring([...PAST, 14]);
    await score(inDays(2));
    const first = (await accuracy(uid)).body.accuracy;
    expect(first).to.deep.include({ periods: 1, of: 3, last_period: '2020-11', mae: 2 });
    expect(first.smape).to.be.closeTo(400 / 26, 1e-9);
    const changes = PAST.slice(1).map((value, at) => Math.abs(value - PAST[at]!));
    const scale = mean(changes);
    expect(first.mase).to.be.closeTo(2 / scale, 1e-9);

    const [{ upper }] = result.intervals;
    await bring([...PAST, 14, 12, Math.ceil(upper[2]) + 1]);
    await score(inDays(4));
    const whole = (await accuracy(uid)).body.accuracy;
    expect(whole).to.deep.include({ periods: 3, of: 3, last_period: '2021-01' });
    expect(whole.coverage[0]).to.deep.include({ level: 95, inside: 2, of: 3 });
    const listed = (await client.get(FORECASTS)).body.data;
    expect(listed[0].accuracy).to.deep.equal(whole);
    const printed = await assay(live(), 'forecast', 'accuracy', '--workspace', tenancy.workspace, '--json');
    expect(printed.json.data[0]).to.include({ uid, known: '3 of 3', coverage: '95 %: 2/3' });
    // The score is final as soon as all values of the horizon are known. Later corrections do not affect it.
    await bring([...PAST, 99, 99, 99]);
    await score(inDays(9));
    expect((await accuracy(uid)).body.accuracy).to.deep.equal(whole);
  });

  it('is null without an actual value in the horizon', async () => {
    const { uid } = await forecast();
    await bring([...PAST, 12]);
    await score(inDays(2));
    expect((await accuracy(uid)).body.accuracy).to.include({ periods: 1, mae: 0 });
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    expect((await accuracy(uid, stranger)).status).to.equal(404);
    const { uid: other } = await forecast();
    expect((await client.get(FORECASTS)).body.data[0]).to.deep.include({ uid: other, accuracy: null });
  });

  it('is not a part of the CSV of the forecast', async () => {
    const { uid, result } = await forecast();
    const [{ lower, upper }] = result.intervals;
    const rows = ['2020-11', '2020-12', '2021-01'].map(
      (period, at) => `${period},12,${lower[at]},${upper[at]}`,
    );
    const expected = ['period,forecast,lower_95,upper_95', ...rows, ''].join('\r\n');
    const headers = { authorization: `Bearer ${tenancy.key}` };
    const read = (query: string, accept = '*/*') =>
      fetch(`${live().url}/api/v2${FORECASTS}/${uid}${query}`, { headers: { ...headers, accept } });
    expect(await (await read('?format=csv')).text()).to.equal(expected);
    expect(await (await read('', 'text/csv')).text()).to.equal(expected);
    expect(((await (await read('')).json()) as { uid: string }).uid).to.equal(uid);
    expect((await read('', 'image/png')).status).to.equal(406);
  });
});
