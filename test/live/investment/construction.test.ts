import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioFile, importPortfolioRows } from '../../support/imported-portfolio.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'];
const MONTHS = 40;
const CONSTRUCT = '/investment/portfolios/main/construct';
const monthly = { as_of: '2019-04-30', risk: { frequency: 'monthly', window: 36 } };

/** Returns prices of 40 month ends until 2019-04-30 as CSV rows. `AAA` has the smallest volatility. */
function prices(): string[] {
  return SYMBOLS.flatMap((symbol, row) =>
    Array.from({ length: MONTHS }, (_, at) => {
      const date = new Date(Date.UTC(2016, 1 + at, 0)).toISOString().slice(0, 10);
      const wave = ((at * (7 - 2 * row)) % 11) - 5;
      return `${symbol},${date},${(100 + 0.3 * at + wave * (0.5 + row)).toFixed(2)}`;
    }),
  );
}

onOneBackend('POST /investment/portfolios/{portfolio}/construct', (live) => {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importCsv(live(), tenancy.workspace, 'prices', ['symbol,date,close', ...prices()]);
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,owner,2018-01-01',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-0,deposit,2018-01-02,,,,100000,,,,,,',
      ...SYMBOLS.map((symbol, at) => `main,R-${at + 1},buy,2018-01-03,${symbol},200,100,,,,,,,`),
    ]);
  });

  it('201 seals the weights with the smallest variance, and replays to the same seal after later events', async () => {
    const { status, body } = await client.post(CONSTRUCT, {
      ...monthly,
      costs: { linear_bps: 5 },
      tax: { rates: { short_bps: 3700, long_bps: 2000 }, aversion: 0 },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body.uid).to.match(/^pcn_/);
    expect(body.input).to.deep.include({ portfolio: 'main', universe: { kind: 'holdings' }, feature: null });
    const { weights, trades, value_minor: value, cash_left_minor: left, volatility } = body.result;
    const total = Object.values<number>(weights).reduce((sum, each) => sum + each, 0);
    expect(total).to.be.closeTo(1, 1e-9);
    expect(volatility).to.be.above(0);
    expect(weights.AAA)
      .to.be.above(weights.BBB)
      .and.above(weights.CCC ?? 0);
    expect(value).to.be.above(9_000_000);
    expect(left).to.be.within(0, 50_000);
    const sold = trades.find(({ side }: { side: string }) => side === 'sell');
    expect(sold.lots[0].lot).to.match(/^R-/);

    const orders = (await client.get(`/investment/constructions/${body.uid}?include=orders`)).body.orders;
    expect(canonicalHash(orders)).to.equal(body.attachment_hashes.orders);
    expect(
      orders.orders.map((order: any) => [order.instrument.symbol, order.side, order.quantity]),
    ).to.deep.equal(trades.map((trade: any) => [trade.symbol, trade.side, trade.quantity]));

    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-9,sell,2019-04-01,AAA,50,110,,,,,,2019-04-02,',
    ]);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(JSON.parse(replayed.stdout)).to.include({ identical: true, sealed_hash: body.seal.hash });
    const later = (await client.post(CONSTRUCT, monthly)).body;
    expect(later.input_data.events_sha256).not.to.equal(body.input_data.events_sha256);
    expect(later.input_data.market_sha256).to.equal(body.input_data.market_sha256);
    const list = await client.get('/investment/constructions?portfolio=main');
    expect(list.body.data.map(({ uid }: { uid: string }) => uid)).to.deep.equal([later.uid, body.uid]);
  });

  it('stores the covariance matrix as an attachment whose hash the result states', async () => {
    const { body } = await client.post(CONSTRUCT, monthly);
    const path = `/investment/constructions/${body.uid}`;
    const whole = (await client.get(`${path}?include=covariance`)).body;
    expect(canonicalHash(whole.covariance)).to.equal(body.result.covariance_sha256);
    expect(body.attachment_hashes.covariance).to.equal(body.result.covariance_sha256);
    expect(checkSeal(whole)).to.include({ intact: true });
    whole.covariance.covariance[0][1] += 1e-12;
    expect(checkSeal(whole).differences).to.deep.equal(['covariance']);
    const matrix = (await client.get(`${path}/covariance`)).body;
    expect(canonicalHash(matrix)).to.equal(body.result.covariance_sha256);
    expect(matrix.symbols).to.deep.equal(SYMBOLS);
    const csv = await client.get(`${path}/covariance?format=csv`);
    expect(csv.body.split('\r\n').slice(0, 2)).to.deep.equal([
      'symbol,AAA,BBB,CCC',
      `AAA,${matrix.covariance[0].join(',')}`,
    ]);
    expect((await client.get(`${path}/covariance?format=parquet`)).body.slice(0, 4)).to.equal('PAR1');
    const saved = await withFile([JSON.stringify(whole)], (file) => assay(live(), 'verify', file));
    expect([saved.status, saved.stderr]).to.deep.include(1);
    const other = await buildTenancy(live());
    expect((await clientOf(live(), other.key).get(`${path}/covariance`)).status).to.equal(404);
  });

  it('tracks the current weights of the benchmark portfolio, and refuses an unknown benchmark portfolio', async () => {
    const terms = (benchmark: string, knownAt: string) => [
      'portfolio,name,base_currency,tax_entity,wash_group,opened_on,benchmark,known_at',
      `main,Main,USD,owner,owner,2018-01-01,${benchmark},${knownAt}`,
      'index,Index,USD,other,other,2018-01-01,,',
    ];
    await importPortfolioFile(live(), tenancy, terms('index', '2019-02-01'));
    await importPortfolioRows(live(), tenancy, 'events', [
      'index,I-0,deposit,2018-01-02,,,,30000,,,,,,',
      'index,I-1,buy,2018-01-03,AAA,200,100,,,,,,,',
      'index,I-2,buy,2018-01-03,CCC,100,100,,,,,,,',
    ]);
    const tracking = { ...monthly, objective: { kind: 'minimum_tracking_error' } };
    const { status, body } = await client.post(CONSTRUCT, {
      ...tracking,
      universe: { kind: 'list', symbols: SYMBOLS },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.input.benchmark_portfolio.portfolio).to.equal('index');
    const held = (await client.get('/investment/portfolios/index?as_of=2019-04-30')).body;
    const total = held.totals[0].value_minor;
    for (const { symbol, value_minor: value } of held.positions)
      expect(body.result.weights[symbol], symbol).to.be.closeTo(value / total, 1e-6);
    expect(body.result.tracking_error).to.be.closeTo(0, 1e-6);
    await importPortfolioRows(live(), tenancy, 'events', [
      'index,I-3,sell,2019-04-01,AAA,50,110,,,,,,2019-04-02,',
    ]);
    await importPortfolioFile(live(), tenancy, terms('none', '2019-03-01'));
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const unknown = await client.post(CONSTRUCT, tracking);
    expect([unknown.status, unknown.body.errors?.[0].pointer]).to.deep.equal([422, '/benchmark']);
    const risk = { frequency: 'monthly', window: 24 };
    const statusAt = async (as_of: string) =>
      (await client.post(CONSTRUCT, { ...tracking, as_of, risk })).status;
    expect([await statusAt('2019-01-31'), await statusAt('2019-02-28')]).to.deep.equal([422, 201]);
    await importPortfolioFile(live(), tenancy, terms('', '2019-04-01'));
  });

  it('422 constraints_infeasible names the limits in conflict and the smallest change of each', async () => {
    const { status, body } = await client.post(CONSTRUCT, {
      ...monthly,
      constraints: { weight: { max: 0.3 }, cash_min: 0.05 },
    });
    expect([status, body.code]).to.deep.equal([422, 'constraints_infeasible']);
    expect(body.conflict).to.have.members(['/constraints/weight/max', '/constraints/cash_min']);
    const max = body.relax.find(({ pointer }: { pointer: string }) => pointer === '/constraints/weight/max');
    expect(max.to).to.be.closeTo(0.95 / 3, 0.05);
  });

  it('422, 409 or 503 for a request that lacks returns, an assigned symbol, a factor run or price history', async () => {
    const sharpe = await client.post(CONSTRUCT, { ...monthly, objective: { kind: 'maximum_sharpe' } });
    expect([sharpe.status, sharpe.body.code]).to.deep.equal([422, 'returns_required']);
    expect(sharpe.body.errors[0].pointer).to.equal('/returns');
    const unknown = await client.post(CONSTRUCT, {
      ...monthly,
      constraints: { weight: { by_symbol: { ZZZ: { max: 0.1 } } } },
    });
    expect([unknown.status, unknown.body.code]).to.deep.equal([422, 'validation_failed']);
    expect(unknown.body.errors[0].pointer).to.equal('/constraints/weight/by_symbol/ZZZ');
    const run = await client.post(CONSTRUCT, { ...monthly, risk: { estimator: 'factor_run' } });
    expect([run.status, run.body.code]).to.deep.equal([409, 'factor_run_ineligible']);
    const daily = await client.post(CONSTRUCT, { as_of: '2019-04-30' });
    expect([daily.status, daily.body.code]).to.deep.equal([503, 'market_history_insufficient']);
  });

  it('404 not_found for the portfolio of another workspace', async () => {
    const other = await buildTenancy(live());
    const { status, body } = await clientOf(live(), other.key).post(CONSTRUCT, monthly);
    expect([status, body.code]).to.deep.equal([404, 'not_found']);
  });
});
