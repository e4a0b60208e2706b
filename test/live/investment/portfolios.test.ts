import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { importPortfolioRows, POSITION_HEADER } from '../../support/imported-portfolio.ts';

type Refused = { code: string; errors: { line: number; column: string; reason: string }[] };

onOneBackend('Portfolios', (live) => {
  let tenancy: Tenancy;
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,household,2020-01-01',
      'ira,IRA,USD,tax_exempt,fifo,,household,2020-01-01',
    ]);
  });

  const read = async (path: string, key = tenancy.key) => {
    const { status, body } = await clientOf(live(), key).get(`/investment/portfolios${path}`);
    return { status, body: body as Record<string, any> };
  };
  const events = (...rows: string[]) => importPortfolioRows(live(), tenancy, 'events', rows);
  const refusalOf = async (kind: 'events' | 'positions', ...rows: string[]): Promise<string[]> => {
    const error: Refused = await importPortfolioRows(live(), tenancy, kind, rows).then(
      () => expect.fail('it was imported'),
      (caught: Refused) => caught,
    );
    expect(error.code).to.equal('import_refused');
    return error.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`);
  };

  it('derive positions, cash, value and lots from imported events', async () => {
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      'ZZQA,2020-03-31,60',
      'ZZQM,2020-01-02,150',
    ]);
    await events(
      'main,R-1,deposit,2020-01-02,,,,10000,,,,,,',
      'main,R-2,buy,2020-01-03,ZZQA,100,50,,5,,,,,',
      'main,R-3,sell,2020-02-03,ZZQA,40,55,,5,,,,,',
      'main,R-4,buy,2020-02-04,ZZQM,2.5,160,,,,,,,',
    );
    const { body } = await read('/main?as_of=2020-03-31');
    expect(body['positions']).to.deep.equal([
      {
        symbol: 'ZZQA',
        currency: 'USD',
        quantity: '60',
        basis_minor: 300_300,
        price: '60',
        price_on: '2020-03-31',
        value_minor: 360_000,
        gain_minor: 59_700,
      },
      {
        symbol: 'ZZQM',
        currency: 'USD',
        quantity: '2.5',
        basis_minor: 40_000,
        price: null,
        price_on: null,
        value_minor: null,
        gain_minor: null,
      },
    ]);
    expect(body['cash']).to.deep.equal([{ currency: 'USD', amount_minor: 679_000 }]);
    expect(body['coverage']).to.deep.equal({
      positions: 2,
      priced: 1,
      stale: ['ZZQM'],
      unpriced: [],
      other_currency: [],
      assumed_currency: ['ZZQA'],
    });
    const lots = (await read('/main/tax-lots?as_of=2020-03-31&state=all')).body;
    expect(
      lots['data'].map((lot: any) => [lot.lot, lot.quantity, lot.closed?.quantity ?? null]),
    ).to.deep.equal([
      ['R-2', '0', '40'],
      ['R-2', '60', null],
      ['R-4', '2.5', null],
    ]);
    expect(lots['totals']).to.deep.equal([
      {
        currency: 'USD',
        term: 'short',
        lots: 2,
        basis_minor: 340_300,
        value_minor: 360_000,
        gain_minor: 59_700,
        unpriced: 1,
      },
    ]);
  });

  it('value no lot at a close in another currency, and name its symbol', async () => {
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      'ZZQA,2020-03-31,60',
      'ZZQM,2020-03-31,150',
      'ZZQN,2020-03-31,7',
    ]);
    await importCsv(live(), tenancy.workspace, 'instruments', [
      'symbol,name,currency',
      'ZZQA,A,USD',
      'ZZQM,M,EUR',
    ]);
    const rows = [
      'portfolio,event_reference,type,traded_on,symbol,quantity,price,currency',
      'main,R-1,buy,2020-01-03,ZZQA,10,50,EUR',
      'main,R-2,buy,2020-01-03,ZZQM,10,50,EUR',
      'main,R-3,buy,2020-01-03,ZZQN,10,5,EUR',
    ];
    await withFile(rows, (file) =>
      assay(live(), 'import', 'portfolio-events', file, '--workspace', tenancy.workspace, '--json'),
    );
    const { body } = await read('/main?as_of=2020-03-31');
    expect(body['positions'].map((each: any) => [each.symbol, each.price, each.value_minor])).to.deep.equal([
      ['ZZQA', null, null],
      ['ZZQM', '150', 150_000],
      ['ZZQN', null, null],
    ]);
    const others = [
      { symbol: 'ZZQA', currency: 'EUR', price_currency: 'USD' },
      { symbol: 'ZZQN', currency: 'EUR', price_currency: 'USD' },
    ];
    expect(body['coverage']).to.deep.include({ priced: 1, stale: [], unpriced: [], other_currency: others });
    const lots = (await read('/main/tax-lots?as_of=2020-03-31')).body;
    expect(lots['other_currency']).to.deep.equal(others);
    expect(lots['totals'][0]).to.include({ currency: 'EUR', unpriced: 2, value_minor: 150_000 });
    const risk = await clientOf(live(), tenancy.key).get('/investment/risk?portfolio=main&as_of=2020-03-31');
    expect([risk.status, risk.body.code]).to.deep.equal([503, 'market_history_insufficient']);
    const construct = await clientOf(live(), tenancy.key).post('/investment/portfolios/main/construct', {
      as_of: '2020-03-31',
    });
    expect([construct.status, construct.body.code]).to.deep.equal([422, 'currencies_mixed']);
  });

  it('return tax lots in pages as JSON, and all tax lots at once as CSV', async () => {
    await events(...['A', 'B', 'C'].map((symbol, at) => `main,R-${at},buy,2020-01-03,${symbol},1,10,,,,,,,`));
    const first = (await read('/main/tax-lots?limit=2')).body;
    const { next_cursor: cursor } = first['page'];
    const second = (await read(`/main/tax-lots?limit=2&cursor=${cursor}`)).body;
    const symbols = [...first['data'], ...second['data']].map(({ symbol }: { symbol: string }) => symbol);
    expect(symbols).to.deep.equal(['A', 'B', 'C']);
    expect(second['page']).to.include({ has_more: false, next_cursor: null });
    const path = '/investment/portfolios/main/tax-lots?format=csv';
    const { body: text } = await clientOf(live(), tenancy.key).get(path);
    expect(text.split('\r\n')).to.have.length(5);
  });

  it('use a correction only from the time at which it became known', async () => {
    await events('main,R-1,buy,2020-01-03,ZZQA,100,50,,,,,,2020-01-03,');
    await events('main,R-1,buy,2020-01-03,ZZQA,90,50,,,,,,2020-02-01,');
    const quantityAt = async (day: string) =>
      (await read(`/main?as_of=${day}`)).body['positions'][0].quantity;
    expect([await quantityAt('2020-01-31'), await quantityAt('2020-02-01')]).to.deep.equal(['100', '90']);
    expect((await events('main,R-1,buy,2020-01-03,ZZQA,90,50,,,,,,2020-02-01,')).rows).to.include({
      unchanged: 1,
    });
    expect(await refusalOf('events', 'main,R-1,buy,2020-01-03,ZZQA,80,50,,,,,,2020-01-15,')).to.match(
      /^2 known_at event_conflict: contradicts/,
    );
  });

  it('disallow a loss because of a purchase in another portfolio of the same taxpayer', async () => {
    await events(
      'main,R-1,buy,2020-01-03,ZZQA,100,50,,,,,,,',
      'main,R-2,sell,2020-03-02,ZZQA,100,40,,,,,,,',
      'ira,R-3,buy,2020-03-20,ZZQA,30,41,,,,,,,',
    );
    const [sold] = (await read('/main/tax-lots?state=closed')).body['data'];
    expect(sold.closed).to.include({ gain_minor: -100_000, disallowed_minor: 30_000 });
  });

  it('reject a file whose events contradict each other, and record none of its events', async () => {
    const refused = await refusalOf(
      'events',
      'main,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,',
      'main,R-2,sell,2020-01-02,ZZQA,10,50,,,,,,,',
      'main,R-3,sell,2020-02-02,ZZQM,1,50,,,,,,,',
    );
    expect(refused).to.deep.equal([
      '3 event_reference sale_exceeds_lots: on 2020-01-02, 10 ZZQA leave the portfolio, which holds 0',
    ]);
    expect((await read('/main')).body['positions']).to.deep.equal([]);
  });

  it('reject a file with a position or amounts above their limits, and name the row', async () => {
    expect(
      await refusalOf(
        'events',
        'main,R-1,buy,2020-01-03,ZZQA,40000000000,0.01,,,,,,,',
        'main,R-2,buy,2020-01-06,ZZQA,40000000000,0.01,,,,,,,',
        'ira,R-3,buy,2020-01-07,ZZQM,1000000000,1000000000,,,,,,,',
      ),
    ).to.deep.equal([
      '4 event_reference amounts_too_large: with the event of 2020-01-07 in ZZQM, the amounts of the portfolio and its related portfolios exceed 2^62 minor units together',
      '3 event_reference position_too_large: on 2020-01-06, the position in ZZQA exceeds 46116860184.27387904 shares',
    ]);
  });

  it('reject events of symbols that no dataset of the workspace has, unless they are registered', async () => {
    const stranger = await buildTenancy(live());
    const prices = (symbol: string) => ['symbol,date,close', `${symbol},2020-01-31,60`];
    await importCsv(live(), stranger.workspace, 'prices', prices('ZZQM'));
    await importCsv(live(), tenancy.workspace, 'prices', prices('ZZQA'));
    const bought = (symbol: string, at: number) => `main,R-${at},buy,2020-01-03,${symbol},10,50,,,,,,,`;
    const rows = ['ZZQA', 'ZZQM', 'ZZQN'].map(bought);
    const refused: Refused = await importPortfolioRows(live(), tenancy, 'events', rows, {
      register: false,
    }).then(
      () => expect.fail('it was imported'),
      (caught: Refused) => caught,
    );
    expect(
      refused.errors.map(({ line, column, reason }) => [line, column, reason.split(':')[0]]),
    ).to.deep.equal([
      [3, 'symbol', 'unknown_symbol'],
      [4, 'symbol', 'unknown_symbol'],
    ]);
    expect((await read('/main')).body['positions']).to.deep.equal([]);
    await events(...rows);
    const uids = (await read('/main/tax-lots')).body['data'].map((lot: any) => lot.instrument_uid);
    expect(uids.map((uid: string | null) => uid?.slice(0, 4))).to.deep.equal([undefined, 'ins_', 'ins_']);
    // A correction needs no registration, because the symbol is in a recorded event.
    const corrected = ['main,R-2,buy,2020-01-03,ZZQN,9,50,,,,,,,'];
    const again = await importPortfolioRows(live(), tenancy, 'events', corrected, { register: false });
    expect(again.rows).to.include({ corrected: 1 });
  });

  it('reject positions in symbols that no dataset of the workspace has, unless they are registered', async () => {
    await events('main,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,');
    expect(await refusalOf('positions', 'main,2020-01-31,ZZQA,10', 'main,2020-01-31,ZZQX,5')).to.deep.equal([
      '3 symbol unknown_symbol: is in no dataset of the workspace; correct it, import its prices, or give --register',
    ]);
    const lines = [
      POSITION_HEADER,
      'main,2020-01-31,ZZQA,10',
      'main,2020-01-31,ZZQX,5',
      'main,2020-02-28,ZZQA,10',
    ];
    const words = ['--workspace', tenancy.workspace, '--record-breaks', '--json'];
    await withFile(lines, async (file) => {
      const rejects = `${file}.rejected`;
      const load = (...more: string[]) =>
        assay(live(), 'import', 'portfolio-positions', file, ...words, ...more);
      const skipped = await load('--skip-bad', '--rejects', rejects);
      expect(skipped.json.rows).to.include({ inserted: 1, rejected: 2 });
      expect(readFileSync(rejects, 'utf8')).to.match(/^2,.*the statement of main on 2020-01-31/m);
      const registered = await load('--register');
      expect(registered.json).to.deep.include({ breaks: 1, registered_symbols: 1 });
    });
  });

  it('leave out faulty and contradicting events on request, and write them to a file', async () => {
    const lines = [
      'portfolio,event_reference,type,traded_on,symbol,quantity,price',
      'main,R-1,buy,2020-01-03,ZZQA,10,50',
      'main,R-2,swap,2020-01-03,ZZQA,10,50',
      'main,R-3,sell,2020-02-03,ZZQA,11,50',
      'main,R-4,sell,2020-02-04,ZZQA,4,50',
      'main,R-4,sell,2020-02-04,ZZQA,5,50',
      'ira,R-5,sell,2020-02-04,ZZQA,1,50',
      'main,R-6,sell,2020-02-05,ZZQA,7,50',
    ];
    const place = ['--workspace', tenancy.workspace, '--register', '--skip-bad', '--json'];
    await withFile(lines, async (file) => {
      const rejects = `${file}.rejected`;
      const words = ['import', 'portfolio-events', file, ...place, '--rejects', rejects];
      const imported = await assay(live(), ...words);
      expect(imported.stderr).to.equal('');
      expect(imported.json.rows).to.deep.equal({
        read: 7,
        inserted: 2,
        corrected: 0,
        unchanged: 0,
        rejected: 5,
      });
      const rejected = readFileSync(rejects, 'utf8').trimEnd().split('\n').slice(1);
      expect(rejected.map((line) => line.split(/,|:/).slice(0, 2).join(' '))).to.deep.equal([
        '3 "type is not one of buy',
        '4 "event_reference sale_exceeds_lots',
        '6 event_reference event_conflict',
        '7 "event_reference sale_exceeds_lots',
        '8 "event_reference sale_exceeds_lots',
      ]);
      expect((await assay(live(), ...words)).json.rows).to.include({
        inserted: 0,
        unchanged: 2,
        rejected: 5,
      });
    });
    expect((await read('/main')).body['positions'][0]).to.include({ symbol: 'ZZQA', quantity: '6' });
  });

  it('load only the statements without an error on request', async () => {
    await events('main,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,', 'ira,R-2,buy,2020-01-03,ZZQA,5,50,,,,,,,');
    const lines = [
      POSITION_HEADER,
      'main,2020-01-31,ZZQA,10',
      'ira,2020-01-31,ZZQA,4',
      'main,2020-02-28,ZZQA,10',
      'main,2020-02-28,ZZQM,many',
    ];
    const place = ['--workspace', tenancy.workspace, '--skip-bad', '--json'];
    await withFile(lines, async (file) => {
      const rejects = `${file}.rejected`;
      const words = ['import', 'portfolio-positions', file, ...place, '--rejects', rejects];
      const imported = await assay(live(), ...words);
      expect(imported.stderr).to.equal('');
      expect(imported.json).to.deep.include({ breaks: 0, rejects_file: rejects });
      expect(imported.json.rows).to.include({ read: 4, inserted: 1, rejected: 3 });
      const rejected = readFileSync(rejects, 'utf8').split('\n');
      expect(rejected.map((line) => line.split(',')[0])).to.deep.equal(['line', '5', '3', '4', '']);
    });
  });

  it('report the fault of each row of a rejected file', async () => {
    const tomorrow = '2999-01-01';
    expect(
      await refusalOf(
        'events',
        'other,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,',
        'main,R-2,swap,2020-01-03,ZZQA,10,50,,,,,,,',
        `main,R-3,buy,${tomorrow},ZZQA,10,50,,,,,,,`,
        'main,R-4,buy,2020-01-03,ZZQA,-10,50,,,,,,,',
        'main,R-5,buy,2020-01-03,ZZQA,10,,,,,,,,',
        'main,R-6,transfer_in,2020-01-03,ZZQA,10,,,,,,,,',
        'main,R-7,buy,2020-01-03,ZZQA,0.000000001,50,,,,,,,',
        'main,R-8,deposit,2020-01-03,,,,90071992547409.93,,,,,,',
        'main,R-9,buy,2020-02-30,ZZQA,1,50,,,,,,,',
      ),
    ).to.deep.equal([
      '2 portfolio does not exist; import it with `assay import portfolios`',
      '3 type is not one of buy, sell, transfer_in, transfer_out, dividend, reinvest, interest, fee, deposit, withdraw, return_of_capital, split_override',
      `4 traded_on future_trade: is after today, ${new Date().toISOString().slice(0, 10)} (UTC)`,
      '5 quantity quantity_sign: must be above 0; the type of the event states the direction',
      '6 amount this type of event needs an amount, or a price if it has a quantity',
      '7 acquired_on basis_missing: a transferred lot needs acquired_on and basis',
      '8 quantity has more than 8 decimals',
      '9 amount is out of range',
      '10 traded_on is not a calendar date YYYY-MM-DD',
    ]);
  });

  it('reject a position statement that differs from the events, and record the differences as breaks on request', async () => {
    await events('main,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,', 'main,R-2,buy,2020-01-03,ZZQM,5,50,,,,,,,');
    expect(await refusalOf('positions', 'main,2020-01-31,ZZQA,12')).to.deep.equal([
      '2 quantity ZZQA of main on 2020-01-31: reported 12, events add up to 10, difference 2',
      '2 quantity ZZQM of main on 2020-01-31: reported 0, events add up to 5, difference -5',
    ]);
    const words = ['--workspace', tenancy.workspace, '--record-breaks', '--json'];
    const recorded = await withFile(['portfolio,as_of,symbol,quantity', 'main,2020-01-31,ZZQA,12'], (file) =>
      assay(live(), 'import', 'portfolio-positions', file, ...words),
    );
    expect(recorded.stderr).to.equal('');
    expect(recorded.json.breaks).to.equal(2);
    expect(
      (await read('/main')).body['breaks'].map((each: any) => [each.symbol, each.difference]),
    ).to.deep.equal([
      ['ZZQA', '2'],
      ['ZZQM', '-5'],
    ]);
  });

  it('are imported with the headers of brokers, with a derived reference for each row that has none', async () => {
    const words = ['--workspace', tenancy.workspace, '--portfolio', 'main', '--register', '--json'];
    const lines = [
      'Run Date,Action,Symbol,Quantity,Price,Commission,Net Amount',
      '2020-01-02,Electronic Funds Transfer Received,,,,,"$10,000.00"',
      '2020-01-03,You Bought,ZZQA,100,$50.00,4.95,"-$5,004.95"',
      '2020-01-03,You Bought,ZZQA,100,$50.00,4.95,"-$5,004.95"',
      '2020-02-03,You Sold,ZZQA,-50,$60.00,4.95,"$2,995.05"',
    ];
    await withFile(lines, async (file) => {
      const first = await assay(live(), 'import', 'portfolio-events', file, ...words);
      expect(first.stderr).to.equal('');
      expect(first.json.rows).to.include({ read: 4, inserted: 4 });
      const again = await assay(live(), 'import', 'portfolio-events', file, ...words);
      expect(again.json.rows).to.include({ inserted: 0, unchanged: 4 });
    });
    const shown = await assay(
      live(),
      'portfolio',
      'show',
      'main',
      '--workspace',
      tenancy.workspace,
      '--json',
    );
    expect(shown.json.positions[0]).to.include({ symbol: 'ZZQA', quantity: '150', basis_minor: 750_743 });
    expect(shown.json.cash).to.deep.equal([{ currency: 'USD', amount_minor: 298_515 }]);
  });

  it('are created once on the command line, which also lists their tax lots', async () => {
    const place = ['--workspace', tenancy.workspace];
    const terms = ['--name', 'New', '--base-currency', 'EUR', '--opened-on', '2020-01-01', '--json'];
    expect((await assay(live(), 'portfolio', 'create', 'new', ...place, ...terms)).json).to.include({
      portfolio: 'new',
      tax_regime: 'united_states',
    });
    expect((await assay(live(), 'portfolio', 'create', 'new', ...place, ...terms)).stderr).to.match(
      /^portfolio_exists: /m,
    );
    await events('main,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,');
    const lots = await assay(live(), 'portfolio', 'lots', 'main', ...place, '--json');
    expect(lots.json.data).to.have.length(1);
  });

  it('use no split and no price of another workspace, over HTTP or on the command line', async () => {
    const stranger = await buildTenancy(live());
    await importCsv(live(), stranger.workspace, 'corporate_actions', [
      'symbol,ex_date,type,ratio',
      'ZZQX,2020-02-03,split,4',
    ]);
    await importCsv(live(), stranger.workspace, 'prices', ['symbol,date,close', 'ZZQX,2020-02-28,7']);
    await events('main,R-1,buy,2020-01-03,ZZQX,10,50,,,,,,,');
    const place = ['--workspace', tenancy.workspace, '--as-of', '2020-02-28', '--json'];
    const shown = await assay(live(), 'portfolio', 'show', 'main', ...place);
    expect(shown.json.positions[0]).to.include({ quantity: '10', price: null });
    const { body } = await read('/main?as_of=2020-02-28');
    expect(body['positions'][0]).to.include({ quantity: '10', price: null });
  });

  it('are reported as inconsistent if an amount exceeds a JSON integer', async () => {
    const most = '80000000000000';
    await events(
      `main,R-1,buy,2020-01-03,ZZQY,1,,${most},,,,,,`,
      `main,R-2,buy,2020-01-04,ZZQY,1,,${most},,,,,,`,
    );
    for (const path of ['/main', '/main/tax-lots']) {
      const { status, body } = await read(path);
      expect([status, body['code']], path).to.deep.equal([409, 'portfolio_inconsistent']);
    }
  });

  it('are hidden from other workspaces', async () => {
    const stranger = await buildTenancy(live());
    expect((await read('/main', stranger.key)).status).to.equal(404);
    expect((await read('/main/tax-lots', stranger.key)).status).to.equal(404);
  });

  it('reject an as-of day in the future', async () => {
    const { status, body } = await read('/main?as_of=2999-01-01');
    expect([status, body['code'], body['errors'][0].pointer]).to.deep.equal([
      422,
      'validation_failed',
      '/as_of',
    ]);
  });
});
