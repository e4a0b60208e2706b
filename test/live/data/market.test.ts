import { expect } from 'chai';
import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import { findSeries, findSubject, findSubjectSeries } from '#lib/data/instrument-series.query.ts';
import { placeOf, seriesRows, type ObservedRow } from '#lib/data/series-rows.query.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { importMarket, instrumentOf, marketLines } from '../../support/market.ts';

onOneBackend('Market data', (live) => {
  let tenancy: Tenancy;
  let apple: string;
  before(async () => {
    tenancy = await buildTenancy(live());
    for (const name of [
      'constituents_history',
      'prices_daily',
      'corporate_actions',
      'fundamentals',
    ] as const) {
      await importMarket(live(), tenancy.workspace, name);
    }
    apple = await instrumentOf(live(), tenancy, 'AAPL');
  });

  const get = (path: string, headers: Record<string, string> = {}, { key } = tenancy) =>
    clientOf(live(), key).get(path, headers);
  const ofApple = (what: string) => get(`/data/instruments/${apple}/${what}`);
  const load = (kind: Parameters<typeof importCsv>[2], lines: string[], { workspace } = tenancy) =>
    importCsv(live(), workspace, kind, lines);

  describe('prices', () => {
    it('200 returns the prices of the file, oldest first, for any page size', async () => {
      const { status, body } = await ofApple('prices?from=2020-08-28&to=2020-08-31');
      expect(status).to.equal(200);
      expect(body.data[0]).to.deep.equal({
        observed_on: '2020-08-28',
        open: '126.012',
        high: '126.442',
        low: '124.577',
        close: '124.808',
        volume: '187630000',
        adjustment: 'none',
        factor: 1,
        known_at: '2020-08-28T23:59:59.999Z',
        known_at_basis: 'assumed',
      });
      const closes: string[] = [];
      let next: string | null = `/data/instruments/${apple}/prices?limit=40`;
      while (next) {
        const page = await get(next);
        closes.push(
          ...page.body.data.map((row: Record<string, string>) => `${row['observed_on']},${row['close']}`),
        );
        next = page.headers.get('link')?.match(/^<\/api\/v2([^>]+)>/)?.[1] ?? null;
      }
      const expected = marketLines('prices_daily')
        .slice(1)
        .map((line) => line.split(','));
      expect(closes).to.deep.equal(expected.map(([, day, , , , close]) => `${day},${close}`));
    });

    it('200 returns the adjusted closes of the vendor if the file has them', async () => {
      const { body } = await ofApple('prices?from=2020-08-06&to=2020-08-07&adjusted=true');
      const [before, after] = body.data;
      expect(before).to.include({ close: '113.698', adjustment: 'vendor', volume: '202428800' });
      expect(before.factor).to.equal(113.698 / 113.902);
      expect(Number(before.open)).to.be.closeTo((110.405 * 113.698) / 113.902, 1e-6);
      expect(after).to.include({ close: '111.113', factor: 1 });
      const derived = await ofApple('prices?from=2020-08-06&to=2020-08-06&adjusted=true&adjusted_by=derived');
      expect(derived.body.data[0].adjustment).to.equal('derived');
      expect(Number(derived.body.data[0].close)).to.be.closeTo((113.902 - 0.205) / 4, 1e-6);
    });

    it('200 adjusts quoted prices by the splits and dividends that were known and effective', async () => {
      const own = await buildTenancy(live());
      await load('instruments', ['symbol,name', 'ABC,Alphabet Soup'], own);
      await load(
        'prices',
        [
          'symbol,date,open,close,volume',
          'ABC,2020-01-30,99,100,10',
          'ABC,2020-01-31,99,100,10',
          'ABC,2020-02-03,49,50,20',
        ],
        own,
      );
      await load(
        'corporate_actions',
        [
          'symbol,ex_date,type,amount,ratio,known_at',
          'ABC,2020-01-31,cash_dividend,1,,2020-01-10',
          'ABC,2020-02-03,split,,2,2020-01-15',
          'ABC,2020-02-03,cash_dividend,1,,2020-03-01',
        ],
        own,
      );
      const uid = await instrumentOf(live(), own, 'ABC');
      const closes = async (query: string) => {
        const { body } = await get(`/data/instruments/${uid}/prices?adjusted=true&${query}`, {}, own);
        return body.data.map((row: Record<string, unknown>) => [
          row['close'],
          row['volume'],
          row['adjustment'],
        ]);
      };
      // On 31 January the split is already known, but has no effect before its day, 3 February. The second
      // dividend becomes known only in March.
      expect(await closes('as_of=2020-01-31')).to.deep.equal([
        ['99', '10', 'derived'],
        ['100', '10', 'derived'],
      ]);
      expect(await closes('as_of=2020-02-28')).to.deep.equal([
        ['49.5', '20', 'derived'],
        ['50', '20', 'derived'],
        ['50', '20', 'derived'],
      ]);
      expect(await closes('')).to.deep.equal([
        ['48.51', '20', 'derived'],
        ['49', '20', 'derived'],
        ['50', '20', 'derived'],
      ]);
      const { body } = await get('/data/datasets?kind=prices', {}, own);
      const said = ['--licence', 'ours', '--source', 'made up', '--price-basis', 'split_adjusted'];
      const words = ['dataset', 'describe', body.data[0].uid, '--workspace', own.workspace, ...said];
      expect(await assay(live(), ...words)).to.include({ status: 0 });
      expect(await closes('as_of=2020-02-28')).to.deep.equal([
        ['99', '10', 'derived'],
        ['100', '10', 'derived'],
        ['50', '20', 'derived'],
      ]);
      const described = (await get('/data/datasets?kind=prices', {}, own)).body.data[0];
      expect(described).to.include({ licence: 'ours', source: 'made up', price_basis: 'split_adjusted' });
    });

    it('200 returns the values known on the day, regardless of later values', async () => {
      const own = await buildTenancy(live());
      await load('instruments', ['symbol,name,first_price_date', 'ABC,Alphabet Soup,2020-01-31'], own);
      await load(
        'prices',
        ['symbol,date,close,known_at', 'ABC,2020-01-31,100,2020-01-31', 'ABC,2020-02-28,101,2020-02-28'],
        own,
      );
      const path = `/data/instruments/${await instrumentOf(live(), own, 'ABC')}/prices`;
      const closes = async (query: string) =>
        (await get(`${path}?${query}`, {}, own)).body.data.map((row: { close: string }) => row.close);
      const first = await get(path, {}, own);
      const etag = first.headers.get('etag')!;
      expect((await get(path, { 'if-none-match': etag }, own)).status).to.equal(304);
      await load(
        'prices',
        [
          'symbol,date,close,known_at,withdrawn',
          'ABC,2020-01-31,99,2020-03-02,',
          'ABC,2020-02-28,,2020-03-03,true',
        ],
        own,
      );
      expect((await get(path, { 'if-none-match': etag }, own)).status).to.equal(200);
      expect(await closes('as_of=2020-01-30')).to.deep.equal([]);
      expect(await closes('as_of=2020-03-01')).to.deep.equal(['100', '101']);
      expect(await closes('as_of=2020-03-02')).to.deep.equal(['99', '101']);
      expect(await closes('')).to.deep.equal(['99']);
      const { body } = await get(`${path}?as_of=2999-01-01`, {}, own);
      expect(body.errors[0]).to.include({ pointer: '/as_of', in: 'query', code: 'in_future' });
    });

    it('200 returns the daily series by default and the monthly series on request', async () => {
      const own = await buildTenancy(live());
      await load('instruments', ['symbol,name', 'ABC,Alphabet Soup'], own);
      await load('prices', ['symbol,date,close', 'ABC,2020-01-31,1'], own);
      const { dataset } = await importCsv(
        live(),
        own.workspace,
        'prices',
        ['symbol,date,close', 'ABC,2020-01-30,2', 'ABC,2020-01-31,3'],
        { dataset: 'other' },
      );
      await load('prices', ['symbol,date,open,close', 'ABC,2020-01-31,4,4'], own);
      const path = `/data/instruments/${await instrumentOf(live(), own, 'ABC')}/prices`;
      const closes = async (query: string) =>
        (await get(`${path}?${query}`, {}, own)).body.data.map((row: { close: string }) => row.close);
      expect(await closes('')).to.deep.equal(['4']);
      expect(await closes('frequency=monthly')).to.deep.equal(['1']);
      expect(await closes(`dataset=${dataset.uid}`)).to.deep.equal(['2', '3']);
      expect(await closes(`dataset=${dataset.uid}&frequency=monthly`)).to.deep.equal([]);
    });

    // A list without pagination is read in several transactions, and must not include data that arrives in
    // between.
    it('are read to the last page at the revision of the first page', async () => {
      const own = await buildTenancy(live());
      const days = Array.from({ length: 28 }, (_, at) => `2020-02-${String(at + 1).padStart(2, '0')}`);
      await load('instruments', ['symbol,name', 'ABC,Alphabet Soup'], own);
      await load('prices', ['symbol,date,close', ...days.map((day) => `ABC,${day},1`)], own);
      const uid = await instrumentOf(live(), own, 'ABC');
      const tenant = { workspace: own.workspace, environment: 'sandbox' as const };
      type Row = ObservedRow & { close: string };
      const series = await inTenant(live().orm('api'), tenant, async (em) => {
        const subject = await findSubject(em, uid, undefined);
        return findSeries(em, subject!, { kind: 'prices', asOf: undefined });
      });
      const read = (after: string | undefined) =>
        inTenant(live().orm('api'), tenant, (em) =>
          seriesRows<Row>(
            em,
            series!,
            { table: 'price', columns: ['close'] },
            { asOf: undefined, after, limit: 14 },
          ),
        );
      const first = await read(undefined);
      await load('prices', ['symbol,date,close', ...days.map((day) => `ABC,${day},2`)], own);
      const rest = await read(placeOf(first.at(-1)!));
      expect([...first, ...rest].map(({ observedOn, close }) => `${observedOn} ${close}`)).to.deep.equal(
        days.map((day) => `${day} 1`),
      );
      await inPlatform(live().orm('operator'), (em) =>
        sql`delete from dataset_entitlement where workspace_uid = ${own.workspace}`.execute(em.getKysely()),
      );
      const refusal = await read(undefined).then(
        () => 'read',
        (error: Error) => error.message,
      );
      expect(refusal).to.contain('can no longer be read');
    });
  });

  describe('instruments', () => {
    it('200 returns the sectors with their knowledge times as of any day', async () => {
      const google = await instrumentOf(live(), tenancy, 'GOOGL');
      const { body } = await get(`/data/instruments/${google}`);
      expect(body).to.include({ symbol: 'GOOGL', sector: 'Communication Services', status: null });
      expect(body.sectors).to.deep.equal([
        {
          sector: 'Information Technology',
          from: '2014-07-28',
          known_at: '2014-07-28T23:59:59.999Z',
          known_at_basis: 'stated',
        },
        {
          sector: 'Communication Services',
          from: '2020-08-22',
          known_at: '2020-08-22T23:59:59.999Z',
          known_at_basis: 'stated',
        },
      ]);
      const then = await get(`/data/instruments/${google}?as_of=2018-04-02`);
      expect(then.body).to.include({ sector: 'Information Technology', name: 'Alphabet Inc Class A' });
      expect(then.body.sectors).to.have.lengthOf(1);
      expect((await get(`/data/instruments/${google}?as_of=2014-07-27`)).status).to.equal(404);
      const detail = await ofApple('');
      expect(detail.body.prices).to.include({ from: '2020-06-01', to: '2020-10-28' });
    });

    it('200 filters the list of instruments', async () => {
      const symbols = async (query: string) =>
        (await get(`/data/instruments?${query}`)).body.data
          .map((row: { symbol: string }) => row.symbol)
          .sort();
      expect(await symbols('')).to.deep.equal(['AA', 'AAPL', 'GOOGL']);
      expect(await symbols('sector=Materials')).to.deep.equal(['AA']);
      expect(await symbols('sector=Information%20Technology')).to.deep.equal(['AAPL']);
      expect(await symbols('sector=Information%20Technology&as_of=2018-04-02')).to.deep.equal([
        'AAPL',
        'GOOGL',
      ]);
      expect(await symbols('as_of=2013-12-31')).to.deep.equal(['AA', 'AAPL']);
      expect(await symbols('q=aPp')).to.deep.equal(['AAPL']);
      expect(await symbols('q=%25')).to.deep.equal([]);
      expect(await symbols('status=active')).to.deep.equal([]);
    });

    it('200 returns the same instrument and prices for its old and its new symbol', async () => {
      const own = await buildTenancy(live());
      await load(
        'instruments',
        [
          'published_at,symbol,name,exchange,currency,status,previous_symbol',
          '2012-05-18,FB,Facebook Inc.,XNAS,USD,active,',
          '2022-06-09,META,Meta Platforms Inc.,XNAS,USD,active,FB',
          '2022-06-09,OTHER,Another,XNYS,USD,delisted,',
        ],
        own,
      );
      await load(
        'prices',
        [
          'symbol,date,close',
          'FB,2022-06-07,195',
          'FB,2022-06-08,196',
          'META,2022-06-09,184',
          'META,2022-06-10,175',
        ],
        own,
      );
      const uid = await instrumentOf(live(), own, 'FB');
      expect(await instrumentOf(live(), own, 'META')).to.equal(uid);
      const { body } = await get(`/data/instruments/${uid}`, {}, own);
      expect(body).to.include({ symbol: 'META', exchange: 'XNAS', currency: 'USD', status: 'active' });
      expect(body.symbols).to.deep.equal([
        { symbol: 'FB', from: null, until: '2022-06-09' },
        { symbol: 'META', from: '2022-06-09', until: null },
      ]);
      const then = await get(`/data/instruments/${uid}?as_of=2020-01-01`, {}, own);
      expect(then.body).to.include({ symbol: 'FB', name: 'Facebook Inc.' });
      expect(then.body.symbols).to.deep.equal([{ symbol: 'FB', from: null, until: null }]);
      for (const limit of [1, 3, 50]) {
        const closes: string[] = [];
        let next: string | null = `/data/instruments/${uid}/prices?limit=${limit}`;
        while (next) {
          const page = await get(next, {}, own);
          closes.push(...page.body.data.map((row: { close: string }) => row.close));
          next = page.headers.get('link')?.match(/^<\/api\/v2([^>]+)>/)?.[1] ?? null;
        }
        expect(closes).to.deep.equal(['195', '196', '184', '175']);
      }
      for (const asOf of [undefined, '2011-01-01', '2020-01-01', '2022-06-08', '2022-06-09']) {
        const [together, subject, series] = await inTenant(
          live().orm('api'),
          { workspace: own.workspace, environment: 'sandbox' },
          async (em) => {
            const question = { kind: 'prices', asOf } as const;
            const alone = (await findSubject(em, uid, asOf))!;
            return [
              (await findSubjectSeries(em, uid, question)).found,
              alone,
              await findSeries(em, alone, question),
            ] as const;
          },
        );
        expect(together, asOf).to.deep.equal({ subject, series });
      }
      const refused = await load(
        'instruments',
        ['symbol,name,previous_symbol', 'OTHER,Another,FB'],
        own,
      ).catch((error: Error) => error.message);
      expect(refused).to.contain('belongs to another instrument');
      const delisted = await get('/data/instruments?status=delisted&exchange=XNYS', {}, own);
      expect(delisted.body.data).to.have.lengthOf(1);
    });
  });

  it('corporate actions: 200 returns the requested type in order of the ex date', async () => {
    const { body } = await ofApple('corporate-actions?from=2020-05-08');
    expect(
      body.data.map((row: Record<string, string>) => [
        row['ex_date'],
        row['type'],
        row['amount'],
        row['ratio'],
      ]),
    ).to.deep.equal([
      ['2020-05-08', 'cash_dividend', '0.2050', null],
      ['2020-08-07', 'cash_dividend', '0.2050', null],
      ['2020-08-31', 'split', null, '4'],
    ]);
    const { body: early } = await ofApple('corporate-actions?as_of=2020-05-07');
    expect(early.data).to.have.lengthOf(1);
    expect((await ofApple('corporate-actions?type=split')).body.data).to.have.lengthOf(1);
    await load('corporate_actions', ['symbol,ex_date,type,amount', 'AAPL,2999-01-04,cash_dividend,1']);
    const announced = (await ofApple('corporate-actions?from=2999-01-01')).body.data;
    expect(announced).to.have.lengthOf(1);
    expect(Date.parse(announced[0].known_at)).to.be.at.most(Date.now());
    const refused = await load('corporate_actions', marketLines('corporate_actions')).catch(
      (error: Error) => error.message,
    );
    expect(refused).to.match(/1 error/);
  });

  it('fundamentals: 200 returns each metric of a wide row from its knowledge day on', async () => {
    const { body } = await ofApple('fundamentals?metric=ebitda&from=2016-01-01');
    expect(
      body.data.map((row: Record<string, string>) => [row['observed_on'], row['value'], row['known_at']]),
    ).to.deep.equal([
      ['2016-02-23', '82790000000', '2016-02-23T23:59:59.999Z'],
      ['2016-07-10', '78500000000', '2016-07-10T23:59:59.999Z'],
      ['2017-03-08', '69750000000', '2017-03-08T23:59:59.999Z'],
    ]);
    const then = await ofApple('fundamentals?as_of=2012-12-31');
    expect(then.body.data.map((row: Record<string, string>) => row['metric'])).to.deep.equal([
      'book_value_per_share',
      'dividend_yield_pct',
      'ebitda',
      'market_cap',
      'pe',
      'price',
      'price_book',
      'price_sales',
    ]);
  });

  it('fundamentals: 200 returns a restatement from its knowledge day on', async () => {
    const own = await buildTenancy(live());
    await load('instruments', ['symbol,name', 'ABC,Alphabet Soup'], own);
    await load(
      'fundamentals',
      [
        'symbol,as_of,period_end,metric,value',
        'ABC,2020-02-01,2019-12-31,net_income,-5.5',
        'ABC,2020-05-01,2019-12-31,net_income,-7',
      ],
      own,
    );
    const path = `/data/instruments/${await instrumentOf(live(), own, 'ABC')}/fundamentals`;
    const values = async (query: string) =>
      (await get(`${path}?${query}`, {}, own)).body.data.map((row: { value: string }) => row.value);
    expect(await values('as_of=2020-01-31')).to.deep.equal([]);
    expect(await values('as_of=2020-04-30')).to.deep.equal(['-5.5']);
    expect(await values('')).to.deep.equal(['-7']);
  });

  it('datasets: 200 returns each dataset with its content, its age and a hash of its imports', async () => {
    const own = await buildTenancy(live());
    const first = await load('prices', ['symbol,date,close', 'ABC,2020-01-30,1', 'ABC,2020-01-31,2'], own);
    const datasets = async () => (await get('/data/datasets', {}, own)).body.data;
    const [before] = await datasets();
    expect(before).to.deep.include({
      uid: first.dataset.uid,
      id: first.dataset.id,
      kind: 'prices',
      name: 'prices',
      owner: { kind: 'workspace', is_caller: true },
      licence: null,
      price_basis: 'quoted',
      revision: 1,
      rows: 2,
      coverage: { from: '2020-01-30', to: '2020-01-31' },
    });
    expect(before.freshness.age_days).to.be.greaterThan(2_000);
    expect(before.entitlement.permissions).to.deep.equal(['read', 'import']);
    await load('prices', ['symbol,date,close', 'ABC,2020-01-29,1', 'ABC,2020-01-31,3'], own);
    const [after] = await datasets();
    expect(after).to.deep.include({
      revision: 2,
      rows: 4,
      coverage: { from: '2020-01-29', to: '2020-01-31' },
    });
    const prints = await inPlatform(live().orm('operator'), async (em) => {
      const { rows } = await sql<{ fingerprint: string }>`
        select fingerprint from dataset_import where dataset_id = ${first.dataset.id} order by revision
      `.execute(em.getKysely());
      return rows.map((row) => row.fingerprint);
    });
    expect(before.content_hash).to.equal(sha256(prints[0]!));
    expect(after.content_hash).to.equal(sha256(sha256(prints[0]!) + prints[1]!));
  });

  it('404 or an empty list for another workspace without an entitlement', async () => {
    const stranger = await buildTenancy(live());
    for (const path of ['/data/instruments', '/data/datasets']) {
      expect((await get(path, {}, stranger)).body.data, path).to.deep.equal([]);
    }
    for (const what of ['', '/prices', '/corporate-actions', '/fundamentals']) {
      const { status, body } = await get(`/data/instruments/${apple}${what}`, {}, stranger);
      expect([status, body.code], what).to.deep.equal([404, 'not_found']);
    }
    await inPlatform(live().orm('operator'), (em) =>
      sql`
        insert into dataset_entitlement (dataset_id, workspace_uid, granted_at)
        select id, ${stranger.workspace}, now() from dataset
        where workspace_uid = ${tenancy.workspace} and kind = 'instruments'
      `.execute(em.getKysely()),
    );
    expect((await get(`/data/instruments/${apple}`, {}, stranger)).body.prices).to.equal(null);
    expect((await get(`/data/instruments/${apple}/prices`, {}, stranger)).body.data).to.deep.equal([]);
    const [entitled] = (await get('/data/datasets', {}, stranger)).body.data;
    expect(entitled.owner).to.deep.equal({ kind: 'workspace', is_caller: false });
    expect(entitled.entitlement.permissions).to.deep.equal(['read']);
  });
});
