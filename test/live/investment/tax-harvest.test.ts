import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';

const RATES = { short_bps: 3700, long_bps: 2000 };

onOneBackend('POST /investment/portfolios/{portfolio}/tax-harvest', (live) => {
  let tenancy: Tenancy;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,household,2020-01-01',
      'ira,IRA,USD,tax_exempt,fifo,,household,2020-01-01',
      'pool,Pool,GBP,taxable,fifo,united_kingdom,,2020-01-01',
    ]);
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      'AAPL,2020-06-01,40',
      'MSFT,2020-06-01,60',
      'BP,2020-06-01,3',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-1,buy,2020-01-03,AAPL,100,50,,,,,,,',
      'main,R-2,buy,2020-01-03,MSFT,10,50,,,,,,,',
      'ira,R-3,buy,2020-05-20,AAPL,30,45,,,,,,,',
      'pool,R-4,buy,2020-01-03,BP,100,5,,,,,,,',
      'pool,R-5,buy,2020-02-03,BP,100,3,,,,,,,',
      'pool,R-6,sell,2020-03-03,BP,50,4,,,,,,,',
    ]);
  });

  const harvest = (portfolio: string, body: Record<string, unknown>, key = tenancy.key) =>
    clientOf(live(), key).post(`/investment/portfolios/${portfolio}/tax-harvest`, { rates: RATES, ...body });

  it('201 proposes to sell shares at a loss, excludes shares that a purchase replaces, and replays to the same seal after later events', async () => {
    const { status, body } = await harvest('main', { as_of: '2020-06-01' });
    expect([status, body.problem ?? null]).to.deep.equal([201, null]);
    expect(checkSeal(body).intact).to.equal(true);
    const [sale] = body.result.sales;
    expect(sale).to.include({
      lot: 'R-1',
      symbol: 'AAPL',
      quantity: '70',
      gain_minor: -70_000,
      term: 'short',
    });
    expect(body.result.held_back).to.deep.equal([{ lot: 'R-1', quantity: '30', by: ['R-3'] }]);
    expect(body.model.key).to.equal('svc_tax_harvest_us_v2');
    expect(body.result.why).to.deep.equal({ 'R-1': 'washed', 'R-2': 'gain' });
    expect(body.result.saving_now_minor).to.equal(25_900);
    expect(body.result.repurchase_not_before).to.deep.equal({ AAPL: '2020-07-02' });
    const { body: whole } = await clientOf(live(), tenancy.key).get(
      `/investment/tax-harvests/${body.uid}?include=orders`,
    );
    expect(whole.orders.orders[0]).to.include({
      side: 'sell',
      quantity: '70',
      settlement_date: '2020-06-03',
    });
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-9,sell,2020-05-01,AAPL,50,45,,,,,,2020-05-01,',
    ]);
    const replay = await assay(live(), 'replay', body.uid, '--json');
    expect(replay.json.identical, JSON.stringify(replay.json)).to.equal(true);
    expect((await harvest('main', { as_of: '2020-06-01' })).body.result.sales[0].quantity).to.not.equal('70');
  });

  it('422 points to each fault of the request', async () => {
    const faults = await harvest('main', {
      as_of: '2999-01-01',
      identical: [
        ['A', 'B'],
        ['B', 'C'],
      ],
      outside_purchases: [{ symbol: 'A', on: '2999-01-01', quantity: '1', account_kind: 'taxable' }],
      planned_purchases: [{ symbol: 'A', on: '2020-06-01', quantity: '0', account_kind: 'taxable' }],
      replacements: { from: 'sector', symbols: ['MSFT', 'ZZQX'] },
    });
    expect(faults.body.errors.map((each: { pointer: string }) => each.pointer)).to.deep.equal([
      '/as_of',
      '/replacements/symbols',
      '/identical/1/0',
      '/outside_purchases/0/on',
      '/planned_purchases/0/quantity',
      '/replacements/symbols/1',
    ]);
  });

  it('422 for a tax-exempt account or a regime without this computation, 503 without prices', async () => {
    const codes = [];
    for (const [portfolio, asOf] of [
      ['ira', '2020-06-01'],
      ['pool', '2020-06-01'],
      ['main', '2020-09-01'],
    ] as const) {
      const { status, body } = await harvest(portfolio, { as_of: asOf });
      codes.push([status, body.code, ...(body.symbols ?? [])]);
    }
    expect(codes).to.deep.equal([
      [422, 'account_tax_exempt'],
      [422, 'tax_regime_unsupported'],
      [503, 'market_history_insufficient', 'AAPL', 'MSFT'],
    ]);
  });

  it('404 for a portfolio of another workspace', async () => {
    const stranger = await buildTenancy(live());
    expect((await harvest('main', {}, stranger.key)).status).to.equal(404);
  });

  it('GET tax-lots returns one pool per symbol for a portfolio under a tax regime with pooling', async () => {
    const { body } = await clientOf(live(), tenancy.key).get(
      '/investment/portfolios/pool/tax-lots?as_of=2020-06-01&state=all',
    );
    expect(
      body.data.map((row: Record<string, any>) => [
        row['lot'],
        row['quantity'],
        row['basis_minor'],
        row['closed']?.gain_minor,
      ]),
    ).to.deep.equal([
      ['pool', '0', 20_000, 0],
      ['pool', '150', 60_000, undefined],
    ]);
    const shown = (await clientOf(live(), tenancy.key).get('/investment/portfolios/pool?as_of=2020-06-01'))
      .body;
    expect(shown.positions[0]).to.include({ symbol: 'BP', quantity: '150', value_minor: 45_000 });
  });
});
