import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('The holders of a company', (live) => {
  let tenancy: Tenancy;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'instruments', [
      'published_at,symbol,name,sector,exchange,currency,status,previous_symbol',
      '2015-01-02,ZZHF,Old,Technology,XNAS,USD,active,',
      '2020-03-02,ZZHM,New,Technology,XNAS,USD,active,ZZHF',
    ]);
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      'ZZHF,2020-02-28,50',
      'ZZHM,2020-03-31,60',
      'ZZHX,2020-02-28,10',
    ]);
  });

  const portfolios = (...keys: string[]) =>
    importPortfolioRows(
      live(),
      tenancy,
      'portfolios',
      keys.map((key) => `${key},${key},USD,taxable,fifo,,,2020-01-01`),
    );
  const events = (...rows: string[]) => importPortfolioRows(live(), tenancy, 'events', rows);
  const company = async (path: string, key = tenancy.key) => {
    const { status, body } = await clientOf(live(), key).get(`/investment/companies/${path}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as Record<string, any>;
  };
  const heldAt = async (day: string, symbol = 'ZZHF') =>
    (await company(`${symbol}?as_of=${day}`))['holders'].portfolios.map((each: Record<string, unknown>) => [
      each['portfolio'],
      each['symbol'],
      each['quantity'],
    ]);

  it('are the portfolios of the environment, with the quantities and values of each portfolio', async () => {
    await portfolios('main', 'other', 'none');
    await events(
      'main,R-0,deposit,2020-01-02,,,,10000,,,,,,',
      'main,R-1,buy,2020-01-03,ZZHF,100,50,,,,,,,',
      'main,R-2,buy,2020-01-03,ZZHX,100,20,,,,,,,',
      'other,R-3,buy,2020-02-05,ZZHF,2.5,40,,,,,,,',
      'none,R-4,buy,2020-02-05,ZZHX,1,10,,,,,,,',
    );
    const { holders } = await company('ZZHF?as_of=2020-02-28');
    expect(holders).to.deep.include({ dataset: null, age_days: 23, inconsistent: [] });
    expect(holders.known_at).to.equal('2020-02-05T23:59:59.999Z');
    const { body } = await clientOf(live(), tenancy.key).get('/investment/portfolios/main?as_of=2020-02-28');
    const position = body.positions.find(({ symbol }: { symbol: string }) => symbol === 'ZZHF');
    const [first, second] = holders.portfolios;
    expect(first).to.deep.equal({
      portfolio: 'main',
      portfolio_uid: body.uid,
      name: 'main',
      symbol: 'ZZHF',
      quantity: position.quantity,
      currency: 'USD',
      value_minor: position.value_minor,
      weight: position.value_minor / body.totals[0].value_minor,
      weight_reason: null,
    });
    expect(first.weight).to.equal(5_000 / 9_000);
    // The other portfolio has no deposits, so its cash is negative: the amount that it paid.
    expect(second).to.include({ portfolio: 'other', quantity: '2.5', weight: 12_500 / 2_500 });
    const production = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      environment: 'production',
    });
    expect((await company('ZZHF?as_of=2020-02-28', production.key))['reasons'].holders).to.equal(
      'never_observed',
    );
  });

  it('are those that were known by the end of the day', async () => {
    await portfolios('main');
    await events(
      'main,R-1,buy,2020-01-03,ZZHF,10,50,,,,,,2020-01-03,',
      'main,R-2,sell,2020-02-03,ZZHF,4,50,,,,,,2020-02-20,',
    );
    expect((await company('ZZHF?as_of=2020-01-02'))['reasons'].holders).to.equal('never_observed');
    expect(await heldAt('2020-02-10')).to.deep.equal([['main', 'ZZHF', '10']]);
    expect(await heldAt('2020-02-20')).to.deep.equal([['main', 'ZZHF', '6']]);
    await events('main,R-3,sell,2020-02-24,ZZHF,6,50,,,,,,2020-02-24,');
    expect(await heldAt('2020-02-20')).to.deep.equal([['main', 'ZZHF', '6']]);
    const { holders, reasons } = await company('ZZHF?as_of=2020-02-28');
    expect(reasons.holders).to.equal(undefined);
    expect(holders.portfolios).to.deep.equal([]);
    // If the sale is corrected to another symbol, the position exists again.
    await events('main,R-3,withdraw,2020-02-24,,,,1,,,,,2020-02-26,');
    expect(await heldAt('2020-02-28')).to.deep.equal([['main', 'ZZHF', '6']]);
  });

  it('hold a company under its current and its former symbols, and after a split', async () => {
    await portfolios('main', 'split');
    await events(
      'main,R-1,buy,2020-01-03,ZZHF,10,50,,,,,,,',
      'main,R-2,buy,2020-03-10,ZZHM,5,60,,,,,,,',
      'split,R-3,buy,2020-01-03,ZZHF,10,50,,,,,,,',
    );
    await importCsv(live(), tenancy.workspace, 'corporate_actions', [
      'symbol,ex_date,type,ratio',
      'ZZHF,2020-02-03,split,2',
    ]);
    await events('split,R-4,sell,2020-02-05,ZZHF,10,25,,,,,,,'); // bought 10, which the split doubled, and sold 10, so 10 remain
    expect(await heldAt('2020-03-31', 'ZZHM')).to.deep.equal([
      ['main', 'ZZHM', '5'],
      ['main', 'ZZHF', '20'],
      ['split', 'ZZHF', '10'],
    ]);
  });

  it('are named if their events contradict each other', async () => {
    await portfolios('main', 'wrong');
    const split = (ratio: string) =>
      importCsv(live(), tenancy.workspace, 'corporate_actions', [
        'symbol,ex_date,type,ratio',
        `ZZHF,2020-02-03,split,${ratio}`,
      ]);
    await split('2');
    await events(
      'main,R-1,buy,2020-02-05,ZZHF,10,50,,,,,,,',
      'wrong,R-1,buy,2020-01-03,ZZHF,10,50,,,,,,,',
      'wrong,R-2,sell,2020-02-05,ZZHF,15,25,,,,,,,',
    );
    expect(await heldAt('2020-02-28')).to.deep.equal([
      ['main', 'ZZHF', '10'],
      ['wrong', 'ZZHF', '5'],
    ]);
    await split('1.2'); // a correction that becomes known now
    const { holders } = await company('ZZHF');
    expect(holders.portfolios.map((each: any) => each.portfolio)).to.deep.equal(['main']);
    expect(holders.inconsistent.map((each: any) => each.portfolio)).to.deep.equal(['wrong']);
    expect(holders.inconsistent[0].detail).to.match(/sale_exceeds_lots: on 2020-02-05/);
  });

  it('are null with a reason if there are more than 200 portfolios, and the other blocks are returned', async () => {
    const keys = Array.from({ length: 201 }, (_, at) => `p${at}`);
    await portfolios(...keys);
    await events(...keys.slice(1).map((key) => `${key},R-1,buy,2020-01-03,ZZHF,10,50,,,,,,,`));
    expect(await heldAt('2020-02-28')).to.have.length(200);
    await events('p0,R-1,buy,2020-01-03,ZZHF,10,50,,,,,,,');
    const page = await company('ZZHF?as_of=2020-02-28');
    expect([page['holders'], page['reasons'].holders]).to.deep.equal([null, 'too_large']);
    expect(page['price']).to.be.an('object');
    await events('p7,R-2,sell,2020-02-03,ZZHF,10,50,,,,,,,'); // this portfolio is no longer counted
    expect(await heldAt('2020-02-28')).to.have.length(200);
  });

  it('are not shown without the scope investment:read, which the whole page requires', async () => {
    const narrow = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      scopes: ['data:reference:read'],
    });
    const { status, body } = await clientOf(live(), narrow.key).get('/investment/companies/ZZHF');
    expect([status, body.code]).to.deep.equal([403, 'insufficient_scope']);
  });
});
