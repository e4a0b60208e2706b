import { expect } from 'chai';
import { importPortfolios } from '#lib/investment/portfolios/import-portfolios.command.ts';
import { governAsPerson } from '../../support/as-person.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

const HEADER =
  'portfolio,name,base_currency,account_kind,lot_relief,tax_entity,wash_group,benchmark,opened_on,known_at';
const RATES = { short_bps: 3700, long_bps: 2000 };

type Refused = { errors: { line: number; column: string; reason: string }[] };

onOneBackend('The terms of a portfolio', (live) => {
  let tenancy: Tenancy;

  /** Imports a file of portfolios with all columns. */
  const terms = (...rows: string[]) => {
    const { workspace, environment, person } = tenancy;
    const tenant = { workspace, environment };
    return withFile([HEADER, ...rows], async (path) => {
      const imported = await governAsPerson(
        live(),
        importPortfolios,
        { ...tenant, path },
        { tenant, person },
      );
      if (!imported.ok) throw new Error(imported.code);
      return imported.result;
    });
  };
  const refusalOf = async (...rows: string[]) => {
    const error: Refused = await terms(...rows).then(
      () => expect.fail('it was imported'),
      (caught: Refused) => caught,
    );
    return error.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`);
  };
  const read = async (path: string) => {
    const { status, body } = await clientOf(live(), tenancy.key).get(`/investment/${path}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as Record<string, any>;
  };

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    await terms(
      'main,Main,USD,taxable,fifo,household,household,,2020-01-01,',
      'ira,IRA,USD,tax_exempt,fifo,household,household,,2020-01-01,',
    );
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-1,buy,2020-01-03,ZZQA,10,50,,,,,,,',
      'main,R-2,buy,2020-01-06,ZZQA,10,80,,,,,,,',
      'main,R-3,sell,2020-02-03,ZZQA,10,60,,,,,,,',
      'ira,R-4,buy,2020-02-10,ZZQA,4,60,,,,,,,',
    ]);
  });

  it('apply from the stated moment on, while the earlier terms still apply to earlier days', async () => {
    const before = await read('portfolios/main?as_of=2020-02-29');
    expect(before).to.include({ lot_relief: 'fifo', terms_known_at: '2020-01-01T23:59:59.999Z' });
    await terms('main,Chief,USD,taxable,hifo,household,household,SPY,2020-01-01,2020-03-01T12:00:00Z');
    expect(await read('portfolios/main?as_of=2020-02-29')).to.deep.equal(before);
    expect(await read('portfolios/main?as_of=2020-03-01')).to.include({
      name: 'Chief',
      lot_relief: 'hifo',
      benchmark: 'SPY',
      terms_known_at: '2020-03-01T12:00:00.000Z',
    });
    const lotsAt = async (day: string) =>
      (await read(`portfolios/main/tax-lots?as_of=${day}`))['data'].map(({ lot }: { lot: string }) => lot);
    expect(await lotsAt('2020-02-29')).to.deep.equal(['R-2']);
    expect(await lotsAt('2020-03-01')).to.deep.equal(['R-1']);
    const list = await read('portfolios?portfolio=main');
    expect(list['data'][0]).to.include({ name: 'Chief' });
    const place = ['--workspace', tenancy.workspace, '--json'];
    const shown = await assay(live(), 'portfolio', 'show', 'main', '--as-of', '2020-02-29', ...place);
    expect(shown.json).to.include({ name: 'Main', lot_relief: 'fifo' });
  });

  it('are known from the time of the import if the file states no moment', async () => {
    expect((await terms('main,Main,USD,taxable,lifo,household,,,2020-01-01,')).rows).to.include({
      corrected: 1,
    });
    expect(await read('portfolios/main?as_of=2020-03-01')).to.include({ lot_relief: 'fifo' });
    const now = await read('portfolios/main');
    expect(now).to.include({ lot_relief: 'lifo' });
    expect(Date.parse(now['terms_known_at'])).to.be.greaterThan(Date.now() - 600_000);
    expect((await terms('main,Main,USD,taxable,lifo,household,,,2020-01-01,')).rows).to.include({
      unchanged: 1,
    });
    expect(await read('portfolios/main')).to.deep.equal(now);
  });

  it('determine for each day which portfolios share wash sales', async () => {
    await terms('ira,IRA,USD,tax_exempt,fifo,other,other,,2020-01-01,2020-03-01');
    await terms('main,Main,USD,taxable,hifo,household,household,,2020-01-01,2020-03-05');
    const disallowedAt = async (day: string) => {
      const [sold] = (await read(`portfolios/main/tax-lots?state=closed&as_of=${day}`))['data'];
      return sold.closed.disallowed_minor;
    };
    // With `fifo`, the sale has a gain. With `hifo`, it has a loss, but `ira` is no longer in the wash group
    // at that time.
    expect([await disallowedAt('2020-02-29'), await disallowedAt('2020-03-05')]).to.deep.equal([0, 0]);
    await terms('ira,IRA,USD,tax_exempt,fifo,household,household,,2020-01-01,2020-03-07');
    expect([await disallowedAt('2020-03-06'), await disallowedAt('2020-03-07')]).to.deep.equal([0, 8_000]);
  });

  it('that apply on the as-of date are sealed by a harvest, so that its replay does not depend on later terms', async () => {
    const days = ['2020-02-27', '2020-02-28', '2020-03-02'];
    await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      ...days.flatMap((day, at) => [`ZZQA,${day},${40 + at}`, `ZZQB,${day},${60 + at}`]),
    ]);
    await terms('main,Main,USD,taxable,hifo,household,alone,ZZQB,2020-01-01,2020-03-01');
    const client = clientOf(live(), tenancy.key);
    const harvestAt = async (as_of: string) => {
      const { status, body } = await client.post('/investment/portfolios/main/tax-harvest', {
        as_of,
        rates: RATES,
      });
      expect(status, JSON.stringify(body)).to.equal(201);
      const own = body.input.group.find(({ portfolio }: { portfolio: string }) => portfolio === 'main');
      return { uid: body.uid, relief: own.lot_relief, group: own.wash_group };
    };
    const early = await harvestAt('2020-02-28');
    expect([early.relief, early.group]).to.deep.equal(['fifo', 'household']);
    const late = await harvestAt('2020-03-02');
    expect([late.relief, late.group]).to.deep.equal(['hifo', 'alone']);
    await terms('main,Main,USD,taxable,lifo,household,household,,2020-01-01,2020-03-02');
    const replay = await assay(live(), 'replay', late.uid, '--json');
    expect(replay.json.identical, JSON.stringify(replay.json)).to.equal(true);
  });

  it('cannot be replaced from a moment at which the recorded terms were already known', async () => {
    await terms('main,Main,USD,taxable,hifo,household,household,,2020-01-01,2020-03-01');
    expect(
      await refusalOf('main,Main,USD,taxable,lifo,household,household,,2020-01-01,2020-02-01'),
    ).to.deep.equal([
      '2 known_at must be after 2020-03-01T23:59:59.999Z, when the recorded terms became known',
    ]);
    expect(
      await refusalOf('main,Main,USD,taxable,lifo,household,household,,2020-01-01,2999-01-01'),
    ).to.deep.equal(['2 known_at is in the future']);
    expect(await read('portfolios/main')).to.include({ lot_relief: 'hifo' });
  });
});
