import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { ImportRequest } from '#lib/data/import/load/import-request.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { readMapping } from '#lib/data/import/readers/mapping-file.ts';
import { NO_MAPPING, withConstants, type Mapping } from '#lib/data/import/readers/mapping.ts';
import { prices as pricesKind } from '#lib/data/import/kinds/prices.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';

describe('files from other sources', function () {
  const { database, workspace } = useImportDatabase();

  async function load(
    kind: DatasetKind,
    content: readonly string[] | Uint8Array,
    options: Partial<ImportRequest> = {},
  ) {
    const file = await database.write('file', content);
    return database.import({
      kind,
      path: file,
      workspace: workspace(),
      clock: clockAt('2024-08-01T10:00:00Z'),
      ...options,
    });
  }

  const ofWorkspace = sql`join dataset d on d.id = o.dataset_id and d.workspace_uid = `;
  const prices = () =>
    database.texts(sql<{ text: string }>`
      select concat_ws(' ', symbol, observed_on, open, high, low, close, adj_close, volume) as text
      from price o ${ofWorkspace} ${workspace()} order by symbol, observed_on`);
  const observations = () =>
    database.texts(sql<{ text: string }>`
      select concat_ws(' ', series, observed_on, value, (known_at at time zone 'utc')::date, known_at_basis) as text
      from economic_observation o ${ofWorkspace} ${workspace()} order by series, observed_on, known_at`);
  const series = () =>
    database.texts(sql<{ text: string }>`
      select concat_ws('|', key, o.revision, title, frequency, unit, seasonal_adjustment, o.source, o.licence) as text
      from economic_series o ${ofWorkspace} ${workspace()} order by key, o.revision`);
  const assay = (...words: string[]) => database.assay('import', ...words, '--workspace', workspace());

  it('are read in the FRED format for one series, including its missing values', async () => {
    const { rows } = await load(
      'economics',
      ['observation_date,DGS10', '2025-07-03,4.35', '2025-07-04,', '2025-07-07,.'],
      {
        clock: clockAt('2025-08-01T10:00:00Z'),
      },
    );
    expect(rows).to.deep.equal({ read: 3, inserted: 1, corrected: 0, unchanged: 2, rejected: 0 });
    expect(await observations()).to.deep.equal(['DGS10 2025-07-03 4.35 2025-07-03 assumed']);
  });

  it('are read with one series per column, without the index column of a saved data frame', async () => {
    await load(
      'economics',
      [',DATE,UNRATE,GS10,Notes', '0,2024-01-01,3.7,4.06,x', '1,2024-02-01,3.9,4.21,y'],
      {
        mapping: { ...NO_MAPPING, columns: { Notes: null } },
      },
    );
    expect(await observations()).to.deep.equal([
      'GS10 2024-01-01 4.06 2024-01-01 assumed',
      'GS10 2024-02-01 4.21 2024-02-01 assumed',
      'UNRATE 2024-01-01 3.7 2024-01-01 assumed',
      'UNRATE 2024-02-01 3.9 2024-02-01 assumed',
    ]);
  });

  it('are imported without a whole line of vintages if one value of that line is bad', async () => {
    const { rows, rejectsPath } = await load(
      'economics',
      ['DATE,UNRATE_20240301,UNRATE_20240401', '2024-01-01,3.7,3.8', '2024-02-01,x,3.9', '2024-01-01,1,2'],
      { skipBad: true, rejectsPath: path.join(database.folder, 'rejects.csv') },
    );
    expect(rows).to.deep.equal({ read: 5, inserted: 1, corrected: 1, unchanged: 0, rejected: 3 });
    expect(readFileSync(rejectsPath!, 'utf8').trim().split('\n')).to.deep.equal([
      'line,reason,DATE,UNRATE_20240301,UNRATE_20240401',
      '3,UNRATE_20240301 is not a plain decimal number such as 28.70,2024-02-01,x,3.9',
      '4,"repeats line 2: the same observation, known at the same moment",2024-01-01,1,2',
    ]);
  });

  it('are read in the ALFRED vintage format, without vintages that change nothing', async () => {
    const { rows } = await load('economics', [
      'observation_date,GDPC1_20240215,GDPC1_2024-03-28,GDPC1_20240615',
      '2023-07-01,22490.692,22490.692,22490.692',
      '2023-10-01,22672.859,22679.255,22679.255',
    ]);
    expect(rows).to.deep.equal({ read: 6, inserted: 2, corrected: 1, unchanged: 3, rejected: 0 });
    expect(await observations()).to.deep.equal([
      'GDPC1 2023-07-01 22490.692 2024-02-15 stated',
      'GDPC1 2023-10-01 22672.859 2024-02-15 stated',
      'GDPC1 2023-10-01 22679.255 2024-03-28 stated',
    ]);
  });

  it('are read in the format of the FRED API, with the start of a vintage as the knowledge time', async () => {
    await load(
      'economics',
      ['realtime_start,realtime_end,date,value', '2024-02-15,9999-12-31,2023-07-01,1'],
      {
        mapping: withConstants(NO_MAPPING, { series: 'GDPC1' }),
      },
    );
    expect(await observations()).to.deep.equal(['GDPC1 2023-07-01 1 2024-02-15 stated']);
  });

  it('are rejected as a whole for a vintage in the future, and the fault states its column and line', async () => {
    const refusal = await load('economics', [
      'observation_date,GDPC1_20240801,GDPC1_20240802',
      '2023-07-01,1,2',
    ]).catch((error: unknown) => error);
    expect(refusal).to.deep.include({
      errors: [
        {
          line: 2,
          column: 'GDPC1_20240802',
          value: '2',
          reason: 'belongs to a vintage that is in the future',
        },
      ],
    });
    expect(await observations()).to.deep.equal([]);
  });

  it('are read in the price formats of OpenBB and Yahoo, with an option for the symbol if the file has none', async () => {
    await load('prices', [
      'date,open,high,low,close,volume,adj_close,dividend,symbol',
      '2024-01-02,187.15,188.44,183.885,185.64,82488700,184.73,0.0,AAPL',
    ]);
    const yahoo = ['Date,Open,High,Low,Close,Adj Close,Volume', '2024-01-02,1,3,1,2,1.5,10'];
    await database.write('yahoo.csv', yahoo);
    expect((await assay('prices', 'yahoo.csv')).stderr).to.contain('set it for the whole file with --symbol');
    expect((await assay('prices', 'yahoo.csv', '--symbol', 'MSFT')).status).to.equal(0);
    expect(await prices()).to.deep.equal([
      'AAPL 2024-01-02 187.15 188.44 183.885 185.64 184.73 82488700',
      'MSFT 2024-01-02 1 3 1 2 1.5 10',
    ]);
    const again = await assay('prices', 'yahoo.csv', '--symbol', 'GOOG', '--json');
    expect(again.json, 'the same file of another symbol is another import').to.include({
      already_imported: false,
    });
  });

  it('are read with a mapping file, whose faults are reported with pointers', async () => {
    const lines = [
      'Kurs;x,Tag,PX_LAST,Notiz',
      '1,02.01.2024,185.64,a',
      '2,31.02.2024,1,b',
      '3,2024-01-02,1,c',
    ];
    const map = {
      columns: { Tag: 'date', PX_LAST: 'close', 'Kurs;x': null, Notiz: null },
      constants: { symbol: 'AAPL' },
      date_format: 'DD.MM.YYYY',
    };
    await database.write('map.json', [JSON.stringify(map)]);
    const mapping = () => readMapping(path.join(database.folder, 'map.json'), pricesKind.columns);
    const bad = await load('prices', lines, { mapping: await mapping() }).catch((error: unknown) => error);
    expect(bad).to.deep.include({
      errors: [
        { line: 3, column: 'date', value: '2024-02-31', reason: 'is not a calendar date YYYY-MM-DD' },
        { line: 4, column: 'Tag', value: '2024-01-02', reason: 'is not a day in the format DD.MM.YYYY' },
      ],
    });
    await load('prices', lines.slice(0, 2), { mapping: await mapping() });
    expect(await prices()).to.deep.equal(['AAPL 2024-01-02 185.64']);

    const faulty = {
      columns: { Tag: 'day', PX: 'close', PX2: 'close' },
      constants: { close: 1 },
      date_format: 'DD.MM',
      more: 1,
    };
    await database.write('map.json', [JSON.stringify(faulty)]);
    const { status, stderr } = await assay('prices', 'file', '--mapping', 'map.json', '--json');
    expect(status).to.equal(1);
    const { code, detail } = JSON.parse(stderr);
    expect(code).to.equal('mapping_invalid');
    const pointers = ['/more', '/columns/Tag', '/columns/PX2', '/constants/close', '/date_format'];
    for (const pointer of pointers) expect(detail).to.contain(`${pointer} `);
  });

  it('are rejected if a mapping contradicts the file, and the fault names the column', async () => {
    const columnOf = async (header: string, mapping: Mapping) => {
      const error = await load('prices', [header, 'A,2024-01-02,1'], { mapping }).catch(
        (refusal: unknown) => refusal,
      );
      return (error as ImportRefused).errors.map(({ column, reason }) => `${column} ${reason}`);
    };
    expect(await columnOf('symbol,date,close', { ...NO_MAPPING, constants: { symbol: 'B' } })).to.deep.equal([
      'symbol is a column for symbol, but symbol is also set for the whole file',
    ]);
    expect(await columnOf('symbol,date,close', { ...NO_MAPPING, columns: { px: 'close' } })).to.deep.equal([
      'px is mapped, but the file does not have this column',
    ]);
    expect(await columnOf('symbol,date,Date', NO_MAPPING)).to.deep.equal([
      'close required column is missing',
      'Date is a second column for date, next to date',
    ]);
    const columns = { date: 'close', Date: 'date' };
    const { rows } = await load('prices', ['Ticker,Date,date', 'A,2024-01-02,1'], {
      mapping: { ...NO_MAPPING, columns },
    });
    expect(rows, 'a mapping comes before our own names').to.include({ inserted: 1 });
  });

  it('are identified by their header before any row is loaded', async () => {
    await database.write('fred.csv', ['observation_date,GDPC1_20240215', '2023-07-01,1']);
    const { status, json } = await database.assay('import', 'headers', 'fred.csv', '--json');
    expect(status).to.equal(0);
    expect(json.data.find((each: { kind: string }) => each.kind === 'economics')).to.deep.equal({
      kind: 'economics',
      columns: [
        { name: 'observation_date', meaning: 'date' },
        { name: 'GDPC1_20240215', meaning: 'value of GDPC1, known at 2024-02-15' },
      ],
      refusals: [],
    });
    expect(json.data.find((each: { kind: string }) => each.kind === 'prices').refusals).to.include(
      'GDPC1_20240215 unknown column',
    );
  });

  it('can add descriptions of series without replacing earlier descriptions', async () => {
    const file = await database.write('series.csv', [
      'ID,Title,Frequency,Units,Seasonal Adjustment,Source,License,Notes',
      'GDPC1,Real GDP,"Quarterly, End of Period",dollars,,BEA,public,x',
      'UNRATE,Unemployment,M,percent,,,,',
    ]);
    const rows = ['series,date,value', 'GDPC1,2023-07-01,1', 'GS10,2023-07-01,2'];
    await load('economics', rows, { seriesPath: file });
    const first = [
      'GDPC1|1|Real GDP|quarterly|dollars|BEA|public',
      'GS10|1',
      'UNRATE|1|Unemployment|monthly|percent',
    ];
    expect(await series()).to.deep.equal(first);
    await database.write('series.csv', [
      'series,title,seasonal_adjustment',
      'GDPC1,Real gross domestic product,SAAR',
      'UNRATE,Unemployment,',
    ]);
    const report = await load('economics', rows, { seriesPath: file });
    expect(report.rows).to.deep.equal({ read: 2, inserted: 0, corrected: 0, unchanged: 2, rejected: 0 });
    expect(await series()).to.deep.equal([
      first[0],
      'GDPC1|2|Real gross domestic product|quarterly|dollars|SAAR|BEA|public',
      ...first.slice(1),
    ]);
    await database.write('series.csv', ['series,frequency', 'GDPC1,sometimes']);
    const refusal = await load('economics', rows, { seriesPath: file }).catch((error: Error) => error);
    expect(refusal).to.have.property('message', '1 error in the series file; nothing was loaded');
  });

  it('have the same rows and faults in Parquet as in CSV', async () => {
    const days = ['2023-07-01', '2023-10-01', '2024-01-01'].map((day) => new Date(day));
    const file = (values: (number | null)[]) =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'Date', data: days },
            { name: 'series', data: ['GDPC1', 'GDPC1', 'GDPC1'], type: 'STRING' },
            { name: 'value', data: values, type: 'DOUBLE' },
            { name: '__index_level_0__', data: [0n, 1n, 2n], type: 'INT64' },
          ],
          rowGroupSize: 2,
        }),
      );
    const { rows } = await load('economics', file([22490.692, null, -1e-7]));
    expect(rows).to.deep.equal({ read: 3, inserted: 2, corrected: 0, unchanged: 1, rejected: 0 });
    expect(await observations()).to.deep.equal([
      'GDPC1 2023-07-01 22490.692 2023-07-01 assumed',
      'GDPC1 2024-01-01 -0.0000001 2024-01-01 assumed',
    ]);
    expect((await load('economics', file([22490.692, null, -1e-7]))).alreadyImported).to.equal(true);
    const csv = await load('economics', [
      'series,date,value',
      'GDPC1,2023-07-01,22490.692',
      'GDPC1,2024-01-01,-0.0000001',
    ]);
    expect(csv.rows).to.include({ inserted: 0, corrected: 0, unchanged: 2 });
    const refusal = await load('economics', file([1, 2, Infinity])).catch((error: unknown) => error);
    expect(refusal).to.deep.include({
      errors: [
        {
          line: 3,
          column: 'value',
          value: 'Infinity',
          reason: 'is not a plain decimal number such as 28.70',
        },
      ],
    });
  });

  it('are imported from Parquet without faulty rows on request, and these rows are written as CSV', async () => {
    const content = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'symbol', data: ['A', 'B', 'A'], type: 'STRING' },
          { name: 'date', data: ['2024-01-02', '2024-01-02', '2024-01-02'], type: 'STRING' },
          { name: 'close', data: [1.5, -1, 2], type: 'DOUBLE' },
        ],
      }),
    );
    await database.write('prices.parquet', content);
    const { status, json } = await assay('prices', 'prices.parquet', '--skip-bad', '--json');
    expect(status).to.equal(0);
    expect(json.rows).to.deep.equal({ read: 3, inserted: 1, corrected: 0, unchanged: 0, rejected: 2 });
    expect(await prices()).to.deep.equal(['A 2024-01-02 1.5']);
    expect(json.rejects_file).to.equal('prices.parquet.rejects.csv');
  });
});
