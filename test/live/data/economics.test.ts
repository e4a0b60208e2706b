import { expect } from 'chai';
import { sql } from 'kysely';
import { addDays } from '#lib/core/date.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { keepPartitions } from '#workers/periodic/keep-partitions.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { keepYears } from '../../support/retention.ts';
import { onOneBackend } from '../../support/live.ts';

const SERIES = '/data/economics/series';

/** Real gross domestic product as ALFRED published it on two days of 2024, one column each. */
const ALFRED = [
  'observation_date,GDPC1_20240215,GDPC1_20240615',
  '2023-07-01,22490.692,22490.692',
  '2023-10-01,22672.859,22679.255',
  '2024-01-01,.,22749.846',
];

onOneBackend('/data/economics/series', (live) => {
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'economics', ALFRED);
  });

  const ask = (path: string, key = tenancy.key) => clientOf(live(), key).get(`${SERIES}${path}`);

  /** Returns `day value` of each observation, in the order of the answer. */
  const observed = async (query: string, { key = tenancy.key, series = 'GDPC1' } = {}) => {
    const { status, body } = await ask(`/${series}/observations${query}`, key);
    expect(status).to.equal(200);
    return body.data.map(
      (each: { observed_on: string; value: string | null }) => `${each.observed_on} ${each.value}`,
    );
  };

  const keys = async (query: string, key = tenancy.key) =>
    (await ask(query, key)).body.data.map((each: { key: string }) => each.key);

  /** Imports observations of the platform, and entitles a workspace to them. */
  const giveOut = async (to: Tenancy, lines: readonly string[]) => {
    const platform = await buildTenancy(live());
    const { dataset } = await importCsv(live(), platform.workspace, 'economics', lines);
    await inPlatform(live().orm('operator'), async (em) => {
      const database = em.getKysely();
      await sql`update dataset set workspace_uid = null, name = uid where id = ${dataset.id}`.execute(
        database,
      );
      await sql`
        insert into dataset_entitlement (dataset_id, workspace_uid, granted_at) values (${dataset.id}, ${to.workspace}, now())
      `.execute(database);
    });
  };

  it('200 returns the values known by the end of the given day, or the last vintage if no day is given', async () => {
    expect(await observed('?as_of=2024-02-14')).to.deep.equal([]);
    expect(await observed('?as_of=2024-02-15')).to.deep.equal([
      '2023-07-01 22490.692',
      '2023-10-01 22672.859',
    ]);
    const latest = ['2023-07-01 22490.692', '2023-10-01 22679.255', '2024-01-01 22749.846'];
    expect(await observed('?as_of=2024-06-15')).to.deep.equal(latest);
    expect(await observed('')).to.deep.equal(latest);
    expect(await observed('?from=2023-10-01&to=2023-10-01')).to.deep.equal([latest[1]]);
  });

  it('200 returns the first release or every vintage on request', async () => {
    expect(await observed('?vintage=first')).to.deep.equal([
      '2023-07-01 22490.692',
      '2023-10-01 22672.859',
      '2024-01-01 22749.846',
    ]);
    const about = '/GDPC1/observations?vintage=all&from=2023-10-01&to=2023-10-01';
    const vintage = (value: string, day: string, superseded: boolean) => ({
      observed_on: '2023-10-01',
      value,
      known_at: `${day}T23:59:59.999999Z`,
      known_at_basis: 'stated',
      superseded,
    });
    expect((await ask(about)).body.data).to.deep.equal([
      vintage('22672.859', '2024-02-15', true),
      vintage('22679.255', '2024-06-15', false),
    ]);
    expect((await ask(`${about}&as_of=2024-03-01`)).body.data).to.deep.equal([
      vintage('22672.859', '2024-02-15', false),
    ]);
  });

  it('200 returns each vintage once and in order for any page size', async () => {
    const all = (await ask('/GDPC1/observations?vintage=all')).body.data;
    expect(all).to.have.length(4);
    for (const limit of [1, 2, 3]) {
      const seen: unknown[] = [];
      let query: string | undefined = `?vintage=all&limit=${limit}`;
      while (query !== undefined) {
        const { body } = await ask(`/GDPC1/observations${query}`);
        seen.push(...body.data);
        query = body.page.has_more
          ? `?vintage=all&limit=${limit}&cursor=${body.page.next_cursor}`
          : undefined;
      }
      expect(seen).to.deep.equal(all);
    }
  });

  // A repeated backtest must see the same data. Values that became known later must therefore not be visible
  // on an earlier day.
  it('200 returns the same values for a past day, regardless of later vintages', async () => {
    const own = await buildTenancy(live());
    const { key } = own;
    await importCsv(live(), own.workspace, 'economics', ALFRED);
    const days = ['2024-02-14', '2024-02-15', '2024-03-31', '2024-06-15'];
    const answers = () =>
      Promise.all(
        days.flatMap((day) =>
          ['latest', 'first', 'all'].map(async (vintage) => {
            const { body } = await ask(`/GDPC1/observations?as_of=${day}&vintage=${vintage}`, key);
            return JSON.stringify(body.data);
          }),
        ),
      );
    const before = await answers();
    await importCsv(live(), own.workspace, 'economics', [
      'series,date,value,known_at,withdrawn',
      'GDPC1,2023-07-01,,2024-06-16,true',
      'GDPC1,2023-10-01,1,2024-06-16,',
      'GDPC1,2024-04-01,2,2024-07-25,',
    ]);
    expect(await answers()).to.deep.equal(before);
    expect(await observed('', { key })).to.deep.equal([
      '2023-10-01 1',
      '2024-01-01 22749.846',
      '2024-04-01 2',
    ]);
    const { body } = await ask('/GDPC1/observations?vintage=all&to=2023-07-01', key);
    expect(
      body.data.map((each: { value: string | null; superseded: boolean }) => [each.value, each.superseded]),
    ).to.deep.equal([
      ['22490.692', true],
      [null, false],
    ]);
    expect(await observed('?vintage=first&to=2023-07-01', { key })).to.deep.equal(['2023-07-01 22490.692']);
  });

  it('200 returns the old value for as-of days before the import of a correction', async () => {
    const own = await buildTenancy(live());
    const { key } = own;
    const rows = (value: string) => ['series,date,value', `RATE,2020-04-20,${value}`, 'RATE,2020-04-21,.'];
    await importCsv(live(), own.workspace, 'economics', rows('-37.630'));
    const report = await importCsv(live(), own.workspace, 'economics', rows('-0.5'));
    expect(report.rows).to.deep.equal({ read: 2, inserted: 0, corrected: 1, unchanged: 1, rejected: 0 });
    const series = 'RATE';
    expect(await observed('', { key, series })).to.deep.equal(['2020-04-20 -0.5']);
    expect(await observed('?as_of=2020-04-20', { key, series })).to.deep.equal(['2020-04-20 -37.630']);
    const { body } = await ask('/RATE/observations?vintage=all', key);
    expect(body.data.map((each: { known_at_basis: string }) => each.known_at_basis)).to.deep.equal([
      'assumed',
      'imported',
    ]);
  });

  it('200 returns a series with its coverage and with null for unknown details', async () => {
    const { body } = await ask('/GDPC1');
    expect(body.dataset).to.match(/^dst_/);
    delete body.dataset;
    expect(body).to.deep.equal({
      dataset_name: 'economics',
      dataset_owner: 'workspace',
      key: 'GDPC1',
      title: null,
      frequency: null,
      unit: null,
      seasonal_adjustment: null,
      source: null,
      licence: null,
      first_observed_on: '2023-07-01',
      last_observed_on: '2024-01-01',
      observations: 3,
    });
  });

  it('200 lists the series by key and filters them', async () => {
    const own = await buildTenancy(live());
    await importCsv(
      live(),
      own.workspace,
      'economics',
      ['series,date,value', 'GDPC1,2023-07-01,1', 'UNRATE,2023-07-01,2', 'gs10,2023-07-01,3'],
      {
        series: [
          'series,title,frequency,source',
          'GDPC1,Real gross domestic product,quarterly,BEA',
          'UNRATE,Unemployment rate,monthly,BLS',
        ],
      },
    );
    const found = (query: string) => keys(query, own.key);
    expect(await found('')).to.deep.equal(['GDPC1', 'UNRATE', 'gs10']);
    expect(await found('?frequency=monthly')).to.deep.equal(['UNRATE']);
    expect(await found('?source=bea')).to.deep.equal(['GDPC1']);
    expect(await found('?q=RATE')).to.deep.equal(['UNRATE']);
    expect(await found('?q=gross%20DOM')).to.deep.equal(['GDPC1']);
    expect(await found('?q=Gs1')).to.deep.equal(['gs10']);
    expect(await found('?q=%25')).to.deep.equal([]);
    expect(await found('?q=rate&frequency=quarterly')).to.deep.equal([]);
  });

  it('404 for a series of another workspace, and lists without that series', async () => {
    const stranger = await buildTenancy(live());
    expect(await keys('', stranger.key)).to.deep.equal([]);
    for (const path of ['/GDPC1', '/GDPC1/observations', '/NONE', '/NONE/observations', '/%00', '/a%20b']) {
      const { status, body } = await ask(path, stranger.key);
      expect(status, path).to.equal(404);
      expect(body.code, path).to.equal('not_found');
    }
  });

  it("200 prefers a series of the workspace to the platform's series of the same key", async () => {
    const own = await buildTenancy(live());
    await giveOut(own, ['series,date,value', 'GDPC1,2023-07-01,1', 'UNRATE,2023-07-01,3.5']);
    await importCsv(live(), own.workspace, 'economics', ['series,date,value', 'GDPC1,2023-07-01,2']);
    const { body } = await ask('', own.key);
    expect(
      body.data.map((each: { key: string; dataset_owner: string }) => `${each.key} ${each.dataset_owner}`),
    ).to.deep.equal(['GDPC1 workspace', 'UNRATE platform']);
    const { key } = own;
    expect(await observed('', { key })).to.deep.equal(['2023-07-01 2']);
    expect(await observed('', { key, series: 'UNRATE' })).to.deep.equal(['2023-07-01 3.5']);
  });

  it('200 returns the description known by the end of a day, or a description derived from the observations', async () => {
    const own = await buildTenancy(live());
    const importSaid = (lines: readonly string[]) =>
      importCsv(live(), own.workspace, 'economics', ALFRED, { series: lines });
    await importSaid([
      'series,title,unit,known_at',
      'GDPC1,Gross domestic product,billions of 2012 dollars,2024-03-01',
    ]);
    await importSaid(['series,unit,known_at', 'GDPC1,billions of 2017 dollars,2024-05-01']);
    // This description is imported after the description of May, but its knowledge time is earlier.
    await importSaid(['series,unit,known_at', 'GDPC1,billions of 2012 USD,2024-03-31']);
    await importSaid(['series,source', 'GDPC1,BEA']);
    const said = async (query: string) => {
      const { status, body } = await ask(`/GDPC1${query}`, own.key);
      const { data } = (await ask(query, own.key)).body;
      expect(data.map((row: { key: string }) => row.key)).to.deep.equal(status === 200 ? ['GDPC1'] : []);
      if (status !== 200) return status;
      expect(body).to.include(data[0]);
      return [body.title, body.unit, body.source, body.last_observed_on];
    };
    expect(await said('?as_of=2024-02-14')).to.equal(404);
    expect(await said('?as_of=2024-02-15')).to.deep.equal([null, null, null, '2023-10-01']);
    const title = 'Gross domestic product';
    expect(await said('?as_of=2024-03-30')).to.deep.equal([
      title,
      'billions of 2012 dollars',
      null,
      '2023-10-01',
    ]);
    expect(await said('?as_of=2024-04-30')).to.deep.equal([
      title,
      'billions of 2012 USD',
      null,
      '2023-10-01',
    ]);
    expect(await said('?as_of=2024-06-15')).to.deep.equal([
      title,
      'billions of 2017 dollars',
      null,
      '2024-01-01',
    ]);
    expect(await said('')).to.deep.equal([title, 'billions of 2017 dollars', 'BEA', '2024-01-01']);
  });

  // Data that a workspace adds after a day must not replace the data that the platform knew on that day.
  it('200 reads a past day from the dataset that had the series on that day', async () => {
    const own = await buildTenancy(live());
    await giveOut(own, ['series,date,value,known_at', 'GDPC1,2023-07-01,1,2023-10-26']);
    const { key } = own;
    const then = await observed('?as_of=2024-01-31', { key });
    await importCsv(live(), own.workspace, 'economics', ALFRED);
    expect(then).to.deep.equal(['2023-07-01 1']);
    expect(await observed('?as_of=2024-01-31', { key })).to.deep.equal(then);
    expect((await ask('/GDPC1?as_of=2024-01-31', key)).body.dataset_owner).to.equal('platform');
    expect(await observed('?as_of=2024-02-15', { key })).to.deep.equal([
      '2023-07-01 22490.692',
      '2023-10-01 22672.859',
    ]);
  });

  it('304 for a known If-None-Match until the next import', async () => {
    const own = await buildTenancy(live());
    const days = (value: number, from: number) =>
      Array.from({ length: 2_500 }, (_, at) => `LONG,${addDays('1990-01-01', from + at)},${value}`);
    const head = 'series,date,value';
    await importCsv(live(), own.workspace, 'economics', [head, ...days(1, 0)]);
    const client = clientOf(live(), own.key);
    for (const path of [SERIES, `${SERIES}/LONG/observations`]) {
      const csv = { accept: 'text/csv' };
      const first = await client.get(path, csv);
      const held = { ...csv, 'if-none-match': first.headers.get('etag')! };
      expect((await client.get(path, held)).status, path).to.equal(304);
      await importCsv(live(), own.workspace, 'economics', [head, ...days(2, path.length * 100)]);
      const next = await client.get(path, held);
      expect(next.status, path).to.equal(200);
      const lines = String(next.body).trimEnd().split('\r\n');
      expect(lines.length, path).to.equal(path === SERIES ? 2 : new Set(lines).size);
      if (path !== SERIES) expect(lines.length).to.be.greaterThan(4_000);
    }
    const path = `${SERIES}/LONG`;
    const held = { 'if-none-match': (await client.get(`${path}/observations`)).headers.get('etag')! };
    await keepYears(live(), own, new Date().getUTCFullYear() - 2000);
    await keepPartitions(live().orm('worker'));
    expect((await client.get(`${path}/observations`, held)).status, 'after a partition was dropped').to.equal(
      200,
    );
    expect((await client.get(path)).body).to.include({ first_observed_on: '2000-01-01' });
  });

  it('422 in_future for an as-of day in the future', async () => {
    for (const path of ['', '/GDPC1', '/GDPC1/observations']) {
      const { status, body } = await ask(`${path}?as_of=2999-01-01`);
      expect(status, path).to.equal(422);
      expect(body.errors, path).to.deep.equal([
        { pointer: '/as_of', in: 'query', code: 'in_future', message: 'must not be after today' },
      ]);
    }
  });
});
