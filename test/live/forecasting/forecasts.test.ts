import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Answer, type Client } from '../../support/client.ts';
import { createCompany } from '../../support/company.ts';
import { FORECASTS, importEconomics, monthlyMetric } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { importLedger } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

const HEADER = 'company_id,metric,period,value,currency';
/** Three years of sales with a season. */
const SALES = Array.from(
  { length: 36 },
  (_, at) => 100 + at + 20 * [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8][at % 12]!,
);

onOneBackend('POST /planning/forecasts', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let company: number;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    company = await createCompany(live(), tenancy.workspace);
    await importEconomics(live(), tenancy.workspace);
    await importCsv(live(), tenancy.workspace, 'metrics', [
      HEADER,
      ...monthlyMetric(company, 'revenue', SALES),
      ...monthlyMetric(company, 'net_income', [5, -5, 5]),
      ...monthlyMetric(
        company,
        'payroll',
        SALES.map((value, at) => (at % 3 === 1 ? null : value)),
      ),
      ...monthlyMetric(company, 'bookings', SALES).map((row, at) =>
        at === 7 ? row.replace('EUR', 'USD') : row,
      ),
    ]);
  });

  const forecast = (body: object, query = ''): Promise<Answer> => client.post(FORECASTS + query, body);
  const sealed = async (body: object, query = '') => {
    const answer = await forecast(body, query);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    expect(checkSeal(answer.body)).to.include({ intact: true });
    return answer.body;
  };

  it('201 seals a forecast of a real economic series, which replays to the same bytes', async () => {
    const before = new Date().toISOString();
    const run = await sealed({ metric: 'economics.GDPC1', horizon: 8, reason: 'Budget' });
    expect(run.input).to.deep.include({
      metric: 'economics.GDPC1',
      company_id: null,
      horizon: 8,
      reason: 'Budget',
      method: 'combination',
      levels: [50, 80, 95],
      non_negative: false,
      calendar: null,
      frequency: null,
    });
    expect(run.input.as_of >= before && run.input.as_of <= new Date().toISOString()).to.equal(true);
    const { series, periods, points, intervals, backtest, methods } = run.result;
    expect(series).to.deep.include({
      frequency: 'quarterly',
      first_period: '1990-Q1',
      last_period: '2024-Q4',
      periods: 140,
      missing: 0,
      unit: 'billions of chained dollars',
    });
    expect(periods).to.deep.equal([
      '2025-Q1',
      '2025-Q2',
      '2025-Q3',
      '2025-Q4',
      '2026-Q1',
      '2026-Q2',
      '2026-Q3',
      '2026-Q4',
    ]);
    expect(points).to.have.lengthOf(8);
    for (const point of points) expect(point).to.be.within(22_000, 28_000);
    const [inner, , outer] = intervals;
    for (const at of points.keys()) {
      expect(outer.lower[at]).to.be.below(inner.lower[at]);
      expect(outer.upper[at]).to.be.above(inner.upper[at]);
    }
    expect(backtest.methods).to.not.deep.equal([]);
    const weights = methods.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0);
    expect(weights).to.be.closeTo(1, 1e-9);

    const whole = (await client.get(`${FORECASTS}/${run.uid}?include=history`)).body;
    expect(checkSeal(whole)).to.include({ intact: true });
    expect(whole.history).to.have.lengthOf(140);
    expect(whole.history[0]).to.deep.equal({ period: '1990-Q1', value: 10047.4 });

    // Data that becomes known later, including past values, must not change an earlier result.
    await importCsv(live(), tenancy.workspace, 'economics', [
      'series,date,value',
      'GDPC1,1990-01-01,1',
      'GDPC1,2025-01-01,99999',
    ]);
    const replayed = await assay(live(), 'replay', run.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true, sealed_hash: run.seal.hash });
    const again = await sealed({ metric: 'economics.GDPC1', horizon: 8 });
    expect(again.result.series.last_period).to.equal('2025-Q1');
  });

  it('201 applies the options of the query', async () => {
    const run = await sealed(
      { metric: 'revenue', company_id: company, horizon: 2 },
      '?method=naive&levels=90,60.5,90&frequency=quarterly&non_negative=false',
    );
    expect(run.input).to.deep.include({ method: 'naive', levels: [60.5, 90], frequency: 'quarterly' });
    expect(run.result.intervals.map(({ level }: { level: number }) => level)).to.deep.equal([60.5, 90]);
    const lastQuarter = SALES[33]! + SALES[34]! + SALES[35]!;
    expect(run.result.points).to.deep.equal([lastQuarter, lastQuarter]);
    expect(run.result.series).to.deep.include({ last_period: '2022-Q4', currency: 'EUR', unit: 'money' });
    const monthly = await sealed({ metric: 'revenue', company_id: company, horizon: 3 }, '?calendar=target');
    expect(monthly.input.non_negative, 'revenue cannot be below 0').to.equal(true);
    expect(monthly.input.calendar).to.equal('target');
    expect(monthly.result.treatments[0]).to.deep.include({ kind: 'calendar', calendar: 'target' });
  });

  it('201 contains the effects of holidays on a daily series, and replays to the same bytes', async () => {
    const closed = new Set(['01-01', '05-01', '10-03', '12-25', '12-26']);
    const days = Array.from({ length: 722 }, (_, at) => {
      const date = addDays('2023-01-01', at);
      return `economics.orders,${date},${closed.has(date.slice(5)) ? 40 : 100 + ((at * 37) % 11)}`;
    });
    await importCsv(live(), tenancy.workspace, 'metrics', ['metric,period,value', ...days]);
    const request = { metric: 'economics.orders', horizon: 7 };
    const run = await sealed(request, '?holidays=target,DE');
    expect(run.input.holidays).to.deep.equal(['DE', 'target']);
    expect(run.result.periods.slice(2, 4)).to.deep.equal(['2024-12-25', '2024-12-26']);
    const [treatment] = run.result.treatments;
    expect(treatment).to.deep.include({ kind: 'holidays', calendars: ['DE', 'target'], scale: 'relative' });
    expect(treatment.test.error_with).to.be.below(0.95 * treatment.test.error_without);
    const plain = await sealed(request);
    expect(plain.input).to.not.have.property('holidays');
    run.result.points.forEach((point: number, step: number) => {
      const isHoliday = step === 2 || step === 3;
      expect(point, String(step)).to.be.within(isHoliday ? 30 : 90, isHoliday ? 65 : 112);
      if (isHoliday) expect(plain.result.points[step]).to.be.above(90);
    });
    const replayed = await assay(live(), 'replay', run.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true, sealed_hash: run.seal.hash });
  });

  it('201 sums transactions by period unless a value of the period was imported', async () => {
    const rows = Array.from({ length: 24 }, (_, at) => {
      const month = `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
      return [
        `${month}-03,,credit,EUR,${1000 + at}.25,main,,Sale,,posted,in-${at},`,
        `${month}-17,,debit,EUR,400,main,,Rent,,posted,out-${at},`,
        `${month}-18,,debit,EUR,7,main,,Hold,,pending,hold-${at},`,
        `${month}-19,,credit,USD,5,dollars,,Sale,,posted,usd-${at},`,
      ];
    });
    await importLedger(live(), tenancy, [
      ...rows.flat(),
      '2024-12-28,,credit,EUR,90,main,,Mistake,,posted,wrong,',
      '2024-12-29,,debit,EUR,90,main,,Mistake,,posted,taken-back,wrong',
    ]);
    await importCsv(live(), tenancy.workspace, 'metrics', [
      'metric,period,value',
      'ledger.net_cash_flow.EUR,2022-12,555',
      'ledger.net_cash_flow.EUR,2023-01,-1.5',
    ]);
    const history = async (metric: string, query = '') => {
      const { uid, result } = await sealed({ metric, horizon: 3 }, query);
      const { body } = await client.get(`${FORECASTS}/${uid}?include=history`);
      return { result, values: body.history.map(({ value }: { value: number }) => value) as number[] };
    };
    const net = await history('ledger.net_cash_flow.EUR');
    expect(net.values.slice(0, 3)).to.deep.equal([555, -1.5, 601.25]);
    expect(net.values).to.have.lengthOf(25);
    expect(net.values.at(-1)).to.equal(623.25);
    expect(net.result.series).to.deep.include({
      currency: 'EUR',
      last_period: '2024-12',
      frequency: 'monthly',
    });
    expect((await history('ledger.inflow.EUR')).values.at(-1)).to.equal(1023.25);
    expect((await history('ledger.outflow.EUR')).values.at(-1)).to.equal(400);
    expect((await history('ledger.balance.EUR')).values.slice(0, 2)).to.deep.equal([600.25, 1201.5]);
    expect((await history('ledger.inflow.USD', '?frequency=weekly')).values.slice(0, 6)).to.deep.equal([
      5, 0, 0, 0, 5, 0,
    ]);
  });

  it('422 states why a forecast is not possible and names the member at fault', async () => {
    const revenue = { metric: 'revenue', company_id: company, horizon: 3 };
    const foreign = await createCompany(live(), (await buildTenancy(live())).workspace);
    const attempts: [object, string, string, string, object?][] = [
      [{ ...revenue, metric: 'footfall' }, '', 'unknown_metric', '/metric'],
      [{ metric: 'economics.NOTHING', horizon: 3 }, '', 'unknown_metric', '/metric'],
      [{ metric: 'ledger.inflow.ZZZ', horizon: 3 }, '', 'unknown_metric', '/metric'],
      [{ ...revenue, company_id: foreign }, '', 'unknown_company', '/company_id'],
      [{ metric: 'revenue', horizon: 3 }, '', 'validation_failed', '/company_id'],
      [
        { metric: 'economics.GDPC1', company_id: company, horizon: 3 },
        '',
        'validation_failed',
        '/company_id',
      ],
      [{ ...revenue, horizon: 0 }, '', 'horizon_out_of_bounds', '/horizon', { observed: 0, needed: 60 }],
      [{ ...revenue, horizon: 61 }, '', 'horizon_out_of_bounds', '/horizon'],
      [{ ...revenue, horizon: 33 }, '', 'insufficient_history', '/horizon', { observed: 36, needed: 37 }],
      [
        { ...revenue, metric: 'net_income' },
        '',
        'insufficient_history',
        '/metric',
        { observed: 3, needed: 8 },
      ],
      [
        { ...revenue, metric: 'headcount' },
        '',
        'insufficient_history',
        '/metric',
        { observed: 0, needed: 8 },
      ],
      [{ metric: 'ledger.inflow.JPY', horizon: 3 }, '', 'insufficient_history', '/metric', { observed: 0 }],
      [{ ...revenue, metric: 'payroll' }, '', 'too_many_gaps', '/metric'],
      [{ ...revenue, metric: 'bookings' }, '', 'currencies_mixed', '/metric'],
      [revenue, '?frequency=weekly', 'frequency_unavailable', '/frequency'],
      [revenue, '?frequency=quarterly&calendar=nyse', 'calendar_not_applicable', '/calendar'],
      [revenue, '?holidays=US', 'calendar_not_applicable', '/holidays'],
      [revenue, '?holidays=US,Mars', 'validation_failed', '/holidays'],
      [revenue, '?levels=0,50', 'validation_failed', '/levels'],
      [revenue, '?levels=100', 'validation_failed', '/levels'],
      [revenue, '?method=oracle', 'validation_failed', '/method'],
    ];
    for (const [body, query, code, pointer, members = {}] of attempts) {
      const answer = await forecast(body, query);
      const about = `${JSON.stringify(body)}${query}: ${JSON.stringify(answer.body)}`;
      expect([answer.status, answer.body.code], about).to.deep.equal([422, code]);
      expect(answer.body.errors[0].pointer, about).to.equal(pointer);
      expect(answer.body, about).to.deep.include(members);
    }
  });

  it('creates forecasts that are listed by metric, company and day, only within their workspace', async () => {
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    const { uid } = await sealed({ metric: 'revenue', company_id: company, horizon: 3 });
    const found = async (query: string, as = client) => (await as.get(`${FORECASTS}?${query}`)).body.data;
    const today = new Date().toISOString().slice(0, 10);
    const mine = await found(
      `metric=revenue&company_id=${company}&from=${today}&to=${today}&state=succeeded`,
    );
    expect(mine[0]).to.include({ uid, state: 'succeeded' });
    expect(new Set(mine.map(({ metric }: any) => metric))).to.deep.equal(new Set(['revenue']));
    expect(await found(`metric=revenue&company_id=${company + 1}`)).to.deep.equal([]);
    expect(await found('to=2020-01-01')).to.deep.equal([]);
    expect(await found('limit=1', stranger)).to.deep.equal([]);
    expect((await stranger.get(`${FORECASTS}/${uid}`)).status).to.equal(404);
    const requested = await stranger.post(FORECASTS, { metric: 'revenue', company_id: company, horizon: 3 });
    expect(requested.body.code).to.equal('unknown_company');
  });
});
