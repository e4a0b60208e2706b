import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, userOf } from '../../support/client.ts';
import { dailyLines, pricesOfPath, weekdays, type DailyPath } from '../../support/daily-prices.ts';
import { importCsv, importSample } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { importPortfolioFile, importPortfolioRows } from '../../support/imported-portfolio.ts';

const paths: DailyPath[] = [
  { symbol: 'AAA', start: 100, drift: 0.0004, swing: 0.012 },
  { symbol: 'BBB', start: 50, drift: 0.0002, swing: 0.021 },
  { symbol: 'IDX', start: 1000, drift: 0.0003, swing: 0.009 },
];
const days = weekdays('2019-01-01', 420);
const asOf = days.at(-1)!;

onOneBackend('GET /investment/risk', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,household,2019-01-01',
      'empty,Empty,USD,taxable,fifo,,household,2019-01-01',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-1,deposit,2019-01-02,,,,100000,,,,,,',
      'main,R-2,buy,2019-01-03,AAA,100,100,,,,,,,',
      'main,R-3,buy,2019-01-03,BBB,300,50,,,,,,,',
      'main,R-4,sell,2019-06-03,BBB,100,50,,,,,,,',
    ]);
  });

  const read = async (query: string, { key = tenancy.key, ...headers }: Record<string, string> = {}) => {
    const answer = await clientOf(live(), key).get(`/investment/risk?as_of=${asOf}${query}`, headers);
    return { ...answer, body: answer.body as Record<string, any> };
  };

  it('200 computes the risk of the current holdings from the returns of the window', async () => {
    const { status, body } = await read(
      '&portfolio=main&benchmark=IDX&include=components,liquidity,backtest',
    );
    expect(status, JSON.stringify(body)).to.equal(200);
    const priceOf = new Map(paths.map((path) => [path.symbol, pricesOfPath(path, days.length).map(Number)]));
    const held = [
      ['AAA', 100],
      ['BBB', 200],
    ] as const;
    const cash = 100_000 - 10_000 - 15_000 + 5_000;
    const values = held.map(([symbol, shares]) => Math.round(shares * priceOf.get(symbol)!.at(-1)! * 100));
    const total = values[0]! + values[1]! + cash * 100;
    const returns = Float64Array.from({ length: 252 }, (_, at) => {
      const t = days.length - 252 + at;
      return held.reduce((sum, [symbol], place) => {
        const prices = priceOf.get(symbol)!;
        return sum + (values[place]! / total) * (prices[t]! / prices[t - 1]! - 1);
      }, 0);
    });
    expect(body['volatility']).to.be.closeTo(annualVolatility(returns, 252)!, 1e-12);
    expect(body).to.include({ value_minor: total, observations: 252, last_date: asOf, currency: 'USD' });
    expect(body['first_date']).to.equal(days.at(-252));
    expect(body['benchmark'].beta).to.be.a('number');
    expect(body['components'].symbols).to.deep.equal(['AAA', 'BBB']);
    const parts = body['components'].volatility.component as number[];
    expect(parts.reduce((sum, each) => sum + each, 0)).to.be.closeTo(body['volatility'], 1e-12);
    expect(body['liquidity'].positions).to.deep.equal([
      { symbol: 'AAA', days: 100 / 2_000 },
      { symbol: 'BBB', days: 200 / 2_000 },
    ]);
    expect(body['backtest'][0]).to.include({ level: 0.95, periods: days.length - 1 - 252 });
  });

  it('returns the same figures that the command line prints', async () => {
    const words = ['--workspace', tenancy.workspace, '--as-of', asOf];
    const printed = await assay(live(), 'portfolio', 'risk', 'main', ...words, '--json');
    const { body } = await read('&portfolio=main&include=components');
    expect(printed.json, printed.stderr).to.deep.equal(body);
    const refused = await assay(live(), 'portfolio', 'risk', 'empty', ...words);
    expect([refused.status, refused.stderr]).to.deep.include(1);
    expect(refused.stderr).to.match(/^market_history_insufficient: /m);
  });

  it('200 computes time-weighted returns of the portfolio as it was held', async () => {
    const { status, body } = await read(
      '&portfolio=main&basis=realised&include=components,liquidity,backtest',
    );
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.include({ basis: 'realised', observations: 252, components: null, last_date: asOf });
    const priceOf = new Map(paths.map((path) => [path.symbol, pricesOfPath(path, days.length).map(Number)]));
    const values = days.map((day, t) => {
      const isSold = day >= '2019-06-03';
      const shares = isSold ? 200 : 300;
      return 80_000 - (isSold ? 0 : 5_000) + 100 * priceOf.get('AAA')![t]! + shares * priceOf.get('BBB')![t]!;
    });
    const returns = Float64Array.from({ length: 252 }, (_, at) => {
      const t = days.length - 252 + at;
      return values[t]! / values[t - 1]! - 1;
    });
    expect(body['volatility']).to.be.closeTo(annualVolatility(returns, 252)!, 1e-12);
    expect(body['liquidity'].positions.length).to.equal(2);
    expect(body['backtest'][0].periods).to.be.above(50);
    const words = ['--workspace', tenancy.workspace, '--as-of', asOf, '--basis', 'realised', '--json'];
    const printed = await assay(live(), 'portfolio', 'risk', 'main', ...words);
    expect(printed.json.volatility, printed.stderr).to.equal(body['volatility']);
    const { body: all } = await read('&basis=realised');
    expect(all['portfolios'].map((row: any) => row.volatility)).to.include(body['volatility']);
  });

  it('compares with another portfolio by its realised returns', async () => {
    const own = await buildTenancy(live());
    await importCsv(live(), own.workspace, 'prices', dailyLines(paths, days));
    const header = 'portfolio,name,base_currency,opened_on,wash_group,benchmark';
    await importPortfolioFile(live(), own, [
      header,
      'fund,Fund,USD,2019-01-01,one,index',
      'index,Index,USD,2019-01-01,two,',
      'late,Late,USD,2019-01-01,three,fund',
      'self,Self,USD,2019-01-01,four,',
    ]);
    const buys = (portfolio: string, symbol: string, price: number) => [
      `${portfolio},D-1,deposit,2019-01-02,,,,${price * 10},,,,,,`,
      `${portfolio},R-1,buy,2019-01-02,${symbol},10,${price},,,,,,,`,
    ];
    await importPortfolioRows(live(), own, 'events', [
      ...buys('fund', 'AAA', 100),
      ...buys('index', 'IDX', 1000),
      'late,R-1,buy,2019-01-03,AAA,10,100,,,,,,2025-01-03,',
      'late,R-2,sell,2019-01-04,AAA,10,100,,,,,,2019-01-04,',
    ]);
    const client = clientOf(live(), own.key);
    const query = (rest: string) => `/investment/risk?as_of=${asOf}&${rest}`;
    const bySymbol = (await client.get(query('portfolio=fund&benchmark=IDX'))).body.benchmark;
    const byPortfolio = (await client.get(query('portfolio=fund'))).body.benchmark;
    expect(byPortfolio).to.include({ portfolio: 'index' });
    for (const name of ['beta', 'tracking_error', 'up_capture'])
      expect(byPortfolio[name], name).to.be.closeTo(bySymbol[name], 1e-9);
    const faultOf = async (rest: string) => {
      const { status, body } = await client.get(query(rest));
      return [status, body.code, body.errors?.[0].code ?? null];
    };
    expect(await faultOf('portfolio=fund&benchmark=fund')).to.deep.equal([
      422,
      'validation_failed',
      'own_benchmark',
    ]);
    expect(await faultOf('portfolio=fund&benchmark=none')).to.deep.equal([
      422,
      'validation_failed',
      'unknown',
    ]);
    expect(await faultOf('portfolio=fund&benchmark=late')).to.deep.equal([
      409,
      'portfolio_inconsistent',
      null,
    ]);
    const refused = await importPortfolioFile(live(), own, [
      header,
      'self,Self,USD,2019-01-01,four,self',
    ]).catch((error: Error) => JSON.stringify(error));
    expect(refused).to.include('own_benchmark');
    const request = { portfolio: 'fund', as_of: asOf, basis: 'realised', include: ['backtest'] };
    const { status, body } = await client.post('/investment/risk-reports', request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.input).to.deep.include({ basis: 'realised', benchmark: null });
    expect(body.input.benchmark_portfolio.portfolio).to.equal('index');
    expect(body.result).to.deep.equal(
      (await client.get(query('portfolio=fund&basis=realised&include=backtest'))).body,
    );
    await importPortfolioRows(live(), own, 'events', [
      'index,R-2,sell,2019-05-02,IDX,5,900,,,,,,2019-05-02,',
    ]);
    const replay = await assay(live(), 'replay', body.uid, '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    const later = (await client.get(query('portfolio=fund'))).body.benchmark;
    expect(later.beta).to.not.equal(byPortfolio.beta);
  });

  it('422 for realised returns without a deposit, and 503 for a portfolio that was opened too late', async () => {
    const own = await buildTenancy(live());
    await importCsv(live(), own.workspace, 'prices', dailyLines(paths, days));
    await importPortfolioRows(live(), own, 'portfolios', [
      'bare,Bare,USD,taxable,fifo,,,2019-01-01',
      'young,Young,USD,taxable,fifo,,other,2019-01-01',
    ]);
    await importPortfolioRows(live(), own, 'events', [
      'bare,R-1,buy,2019-01-03,AAA,10,100,,,,,,,',
      `young,R-1,deposit,${days.at(-30)},,,,1000,,,,,,`,
      `young,R-2,buy,${days.at(-30)},AAA,5,100,,,,,,,`,
    ]);
    const client = clientOf(live(), own.key);
    const refusalOf = async (portfolio: string) => {
      const query = `/investment/risk?as_of=${asOf}&basis=realised&portfolio=${portfolio}`;
      const { status, body } = await client.get(query);
      return [status, body.code, body.observed ?? null];
    };
    expect(await refusalOf('bare')).to.deep.equal([422, 'not_identifiable', null]);
    expect(await refusalOf('young')).to.deep.equal([503, 'market_history_insufficient', 30]);
  });

  it('304 for a caller that has the answer, until an input changes', async () => {
    const query = '&portfolio=main&window=120';
    const etag = (await read(query)).headers.get('etag')!;
    const again = await read(query, { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag'), again.body]).to.deep.equal([304, etag, undefined]);
    expect((await read('&portfolio=main&window=121', { 'if-none-match': etag })).status).to.equal(200);
  });

  it('200 without the parameter `portfolio` returns each portfolio, with the reason if a portfolio has no figures', async () => {
    const { body } = await read('&window=120&include=components,backtest');
    const rows = body['portfolios'].map((row: any) => [row.observations, row.why]);
    expect(rows).to.deep.equal([
      [null, 'market_history_insufficient'],
      [120, null],
    ]);
    const stranger = await buildTenancy(live());
    expect((await read('', { key: stranger.key })).body['portfolios']).to.deep.equal([]);
    expect((await read('&portfolio=main', { key: stranger.key })).status).to.equal(404);
  });

  it('409 for an as-of day on which a sale was known but its purchase was not, with the same code in the list of portfolios', async () => {
    const own = await buildTenancy(live());
    await importPortfolioRows(live(), own, 'portfolios', ['late,Late,USD,taxable,fifo,,,2019-01-01']);
    await importPortfolioRows(live(), own, 'events', [
      'late,R-1,buy,2019-01-03,AAA,10,100,,,,,,2019-09-01,',
      'late,R-2,sell,2019-02-04,AAA,10,100,,,,,,2019-02-04,',
    ]);
    const client = clientOf(live(), own.key);
    const asked = await client.get('/investment/risk?portfolio=late&as_of=2019-03-01');
    expect([asked.status, asked.body.code]).to.deep.equal([409, 'portfolio_inconsistent']);
    const { body } = await client.get('/investment/risk?as_of=2019-03-01');
    expect(body.portfolios[0].why).to.equal('portfolio_inconsistent');
    const run = await client.post('/investment/risk-reports', { portfolio: 'late', as_of: '2019-03-01' });
    expect([run.status, run.body.code]).to.deep.equal([409, 'portfolio_inconsistent']);
  });

  it('503 with the number of observations for a portfolio without price history', async () => {
    const { status, body } = await read('&portfolio=empty');
    expect([status, body['code'], body['observed']]).to.deep.equal([503, 'market_history_insufficient', 0]);
  });

  it('422 for a benchmark without prices, a level out of range and a day in the future', async () => {
    const pointers = async (query: string) => {
      const { status, body } = await read(query);
      return [status, ...body['errors'].map((each: { pointer: string }) => each.pointer)];
    };
    expect(await pointers('&portfolio=main&benchmark=main')).to.deep.equal([422, '/benchmark']);
    expect(await pointers('&portfolio=main&level=.3')).to.deep.equal([422, '/level']);
    const path = '/investment/risk?as_of=2999-01-01';
    expect((await clientOf(live(), tenancy.key).get(path)).body.errors[0].pointer).to.equal('/as_of');
  });

  it('200 adds the factor risk of the latest sealed theme factor run', async () => {
    const own = await buildTenancy(live());
    await importSample(live(), own.workspace);
    await importPortfolioRows(live(), own, 'portfolios', ['tech,Tech,USD,taxable,fifo,,,2019-01-01']);
    const buy = (symbol: string, at: number) => `tech,R-${at},buy,2019-01-03,${symbol},10,100,,,,,,,`;
    await importPortfolioRows(live(), own, 'events', ['AAPL', 'MSFT', 'NVDA'].map(buy));
    const client = clientOf(live(), own.key);
    const query = '/investment/risk?portfolio=tech&as_of=2020-09-30&frequency=monthly&include=factors';
    const without = await client.get(query);
    expect([without.status, without.body.factors], JSON.stringify(without.body)).to.deep.equal([200, null]);
    const run = await userOf(live(), own.key).sealedFactors({ as_of_date: '2020-09-30', history_months: 36 });
    const { body } = await client.get(query);
    expect(body.factors).to.include({ run: run.uid, result_hash: run.result_hash });
    expect(body.factors.coverage).to.deep.equal({ value_share: 1, symbols_missing: [] });
    expect(body).to.include({ observations: 60, last_date: '2020-09-30' });
  });
});

onOneBackend('POST /investment/risk-reports', (live) => {
  it('201 seals the body of the request, and replays it after later events and prices', async () => {
    const tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
    await importPortfolioRows(live(), tenancy, 'portfolios', ['main,Main,USD,taxable,fifo,,,2019-01-01']);
    await importPortfolioRows(live(), tenancy, 'events', ['main,R-1,buy,2019-01-03,AAA,100,100,,,,,,,']);
    const client = clientOf(live(), tenancy.key);
    const request = { portfolio: 'main', as_of: asOf, benchmark: 'IDX', include: ['components', 'backtest'] };
    const { status, body } = await client.post('/investment/risk-reports', request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const query = `/investment/risk?portfolio=main&as_of=${asOf}&benchmark=IDX&include=components,backtest`;
    const shown = await client.get(query);
    expect(body.result).to.deep.equal(shown.body);
    // The purchase and the price imported below have a `known_at` before the as-of date, so requests after
    // the import use them.
    await importPortfolioRows(live(), tenancy, 'events', [
      `main,R-2,buy,2019-02-01,BBB,10,50,,,,,,2019-02-01,`,
    ]);
    const corrected = `AAA,${days.at(-5)},90,90,1,${days.at(-2)}`;
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close,adj_close,volume,known_at',
      corrected,
    ]);
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,hifo,,other,2019-01-01',
    ]);
    const later = await client.get(query);
    expect(later.body.volatility).to.not.equal(shown.body.volatility);
    const replay = await assay(live(), 'replay', body.uid, '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    const listed = await client.get(`/investment/risk-reports?portfolio_uid=${body.input.portfolio_uid}`);
    expect(listed.body.data.map((each: { uid: string }) => each.uid)).to.deep.equal([body.uid]);
  });

  it('refuses an unknown portfolio, a benchmark without prices and a day in the future', async () => {
    const tenancy = await buildTenancy(live());
    await importPortfolioRows(live(), tenancy, 'portfolios', ['main,Main,USD,taxable,fifo,,,2019-01-01']);
    const post = async (body: Record<string, unknown>) => {
      const answer = await clientOf(live(), tenancy.key).post('/investment/risk-reports', body);
      return [answer.status, answer.body.code, answer.body.errors?.[0].pointer ?? null];
    };
    expect(await post({ portfolio: 'none' })).to.deep.equal([404, 'not_found', null]);
    expect(await post({ portfolio: 'main', benchmark: 'X' })).to.deep.equal([
      422,
      'validation_failed',
      '/benchmark',
    ]);
    expect(await post({ portfolio: 'main', as_of: '2999-01-01' })).to.deep.equal([
      422,
      'validation_failed',
      '/as_of',
    ]);
    expect((await post({ portfolio: 'main' })).slice(0, 2)).to.deep.equal([
      503,
      'market_history_insufficient',
    ]);
  });
});
