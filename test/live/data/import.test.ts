import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { sql } from 'kysely';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { datasetSummaries } from '#lib/data/import/load/dataset-summaries.ts';
import type { ImportReport, ImportRequest } from '#lib/data/import/load/import-request.ts';
import { sampleImports } from '#lib/data/sample.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';

const FIRST = clockAt('2021-03-01T10:00:00Z');
const LATER = clockAt('2021-06-01T10:00:00Z');

const BESIDE = path.resolve('../shared/data/market');

describe('imports', function () {
  const { database, workspace } = useImportDatabase();

  const load = (request: Omit<ImportRequest, 'workspace'>) =>
    database.import({ clock: FIRST, ...request, workspace: workspace() });

  async function loadPrices(lines: readonly string[], options: Partial<ImportRequest> = {}) {
    return load({ kind: 'prices', path: await database.write('prices.csv', lines), ...options });
  }

  const pricesAsOf = (symbol: string, asOfDate: string, { dataset, revision }: ImportReport) =>
    database.pricesAsOf(workspace(), { symbol, asOfDate, revisions: { [dataset.id]: revision } });

  /**
   * Returns all price rows of the workspace, ordered by symbol, date and the time at which the price became
   * known.
   */
  const storedPrices = () =>
    database.texts(
      sql<{ text: string }>`
        select concat_ws(' ', symbol, observed_on, close::text, coalesce(adj_close::text, '-'),
          to_char(known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), known_at_basis, p.revision) as text
        from price p join dataset d on d.id = p.dataset_id and d.workspace_uid = ${workspace()}
        order by symbol, observed_on, known_at, p.revision
      `,
    );

  async function refusalOf(attempt: Promise<unknown>): Promise<ImportRefused> {
    const error = await attempt.then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(ImportRefused);
    return error as ImportRefused;
  }

  const summaries = () => database.operate((em) => datasetSummaries(em, workspace()));

  describe('of the shipped market data', () => {
    it('load every row once', async () => {
      const expected: Record<string, number> = {
        instruments: 503,
        prices: 88_631,
        economics: 1_575,
        taxonomy: 2_600,
      };
      for (const sample of sampleImports) {
        const first = await load({ ...sample, clock: undefined });
        const count = expected[sample.kind]!;
        expect(first.rows).to.deep.equal({
          read: count,
          inserted: count,
          corrected: 0,
          unchanged: 0,
          rejected: 0,
        });
        expect(first).to.include({ alreadyImported: false, revision: 1 });
        const again = await load({ ...sample, clock: undefined });
        expect(again).to.include({ alreadyImported: true, revision: 1, importUid: first.importUid });
        expect(again.rows).to.deep.equal(first.rows);
      }
      expect(
        (await summaries()).map(({ kind, name, owner, revision, rows, firstObservedOn, lastObservedOn }) =>
          [kind, name, owner === workspace(), revision, rows, firstObservedOn, lastObservedOn].join(' '),
        ),
      ).to.deep.equal([
        'economics economics true 1 1575 1990-01-01 2025-12-31',
        'instruments instruments true 1 503 1999-12-31 2020-10-09',
        'prices prices true 1 88631 2004-12-31 2020-10-28',
        'taxonomy taxonomy true 1 2600 2013-02-10 2020-08-22',
      ]);
    });

    // The table must return the text of the file digit for digit, because seals depend on it.
    it('keep each price with the digits of the file', async () => {
      const sample = sampleImports.find(({ kind }) => kind === 'prices')!;
      await load({ ...sample, clock: undefined });
      const lines = gunzipSync(readFileSync(sample.path)).toString().trim().split('\n').slice(1);
      const stored = await database.texts(
        sql<{ text: string }>`
          select concat_ws(' ', encode(sha256(convert_to(string_agg(
              concat_ws(',', symbol, observed_on, close::text, adj_close::text, volume::text), e'\n'
              order by symbol, observed_on), 'UTF8')), 'hex'), min(known_at_basis), max(known_at_basis)) as text
          from price p join dataset d on d.id = p.dataset_id and d.workspace_uid = ${workspace()}
        `,
      );
      const hash = createHash('sha256').update(lines.sort().join('\n')).digest('hex');
      expect(stored).to.deep.equal([`${hash} assumed assumed`]);
    });

    it('treat a plain and a compressed file as the same import', async () => {
      const sample = sampleImports.find(({ kind }) => kind === 'prices')!;
      await load(sample);
      const plain = await database.write('plain.csv', gunzipSync(readFileSync(sample.path)));
      expect(await load({ kind: 'prices', path: plain })).to.include({ alreadyImported: true });
    });
  });

  // These files of market data are larger than the shipped files and are in a folder next to the project.
  // Without that folder, the tests are skipped.
  describe(
    existsSync(BESIDE)
      ? 'of market data next to the project'
      : 'of market data next to the project (skipped: there are none)',
    () => {
      before(function () {
        if (!existsSync(BESIDE)) this.skip();
      });

      const counts = {
        'prices_monthly.csv': ['prices', 88_631],
        'prices_daily.csv.gz': ['prices', 125_514],
        'constituents.csv': ['instruments', 503],
        'constituents_history.csv': ['instruments', 2_515],
        'taxonomy.csv': ['taxonomy', 2_600],
      } as const;
      for (const [name, [kind, count]] of Object.entries(counts)) {
        it(`load every row of ${name}`, async () => {
          const versionsPath = kind === 'taxonomy' ? path.join(BESIDE, 'taxonomy_versions.csv') : undefined;
          const report = await load({ kind, path: path.join(BESIDE, name), versionsPath });
          expect(report.rows).to.include({ read: count, inserted: count });
          if (kind === 'prices')
            expect(report.frequency).to.equal(name.includes('daily') ? 'daily' : 'monthly');
        });
      }
    },
  );

  describe('of prices', () => {
    it('treat a row without a knowledge time as known at the end of its day', async () => {
      await loadPrices(['symbol,date,close,adj_close', 'A,2021-01-29,28.70,28.0']);
      expect(await storedPrices()).to.deep.equal([
        'A 2021-01-29 28.70 28.0 2021-01-29T23:59:59.999999 assumed 1',
      ]);
    });

    it('treat a row without a knowledge time as known at the import, on request', async () => {
      await loadPrices(['symbol,date,close', 'A,2021-01-29,1'], { knownAt: 'now' });
      expect(await storedPrices()).to.deep.equal(['A 2021-01-29 1 - 2021-03-01T10:00:00.000000 imported 1']);
    });

    it('keep a stated knowledge time and read a date as the end of that day', async () => {
      await loadPrices([
        'symbol,date,known_at,close',
        'A,2021-01-29,2021-02-03,1',
        'B,2021-01-29,2021-02-03T09:00:00+01:00,2',
        'C,2021-01-29,,3',
      ]);
      expect(await storedPrices()).to.deep.equal([
        'A 2021-01-29 1 - 2021-02-03T23:59:59.999999 stated 1',
        'B 2021-01-29 2 - 2021-02-03T08:00:00.000000 stated 1',
        'C 2021-01-29 3 - 2021-01-29T23:59:59.999999 assumed 1',
      ]);
    });

    // A replay of a sealed result must find the same values, regardless of corrections after the seal.
    it('return the old value before a correction and the corrected value afterwards', async () => {
      const header = 'symbol,date,close,adj_close';
      const first = await loadPrices([header, 'A,2021-01-29,10,9.5', 'A,2021-02-26,11,10.5']);
      const later = await loadPrices(
        [header, 'A,2021-01-29,10,9.75', 'A,2021-02-26,11.00,10.5', 'A,2021-03-31,12,12'],
        { clock: LATER },
      );
      expect(later.rows).to.deep.equal({ read: 3, inserted: 1, corrected: 1, unchanged: 1, rejected: 0 });
      const before = ['2021-01-29 9.5', '2021-02-26 10.5'];
      expect(await pricesAsOf('A', '2021-05-31', later)).to.deep.equal([...before, '2021-03-31 12']);
      expect(await pricesAsOf('A', '2021-06-01', later)).to.deep.equal([
        '2021-01-29 9.75',
        '2021-02-26 10.5',
        '2021-03-31 12',
      ]);
      expect(await pricesAsOf('A', '2021-06-01', first)).to.deep.equal(before);
      expect(await storedPrices()).to.include('A 2021-01-29 10 9.75 2021-06-01T10:00:00.000000 imported 2');
    });

    it('keep the values of columns that a later file does not contain', async () => {
      await loadPrices(['symbol,date,close,adj_close', 'A,2021-01-29,10,9.5', 'B,2021-01-29,20,19']);
      const later = await loadPrices(['symbol,date,close', 'A,2021-01-29,10', 'B,2021-01-29,21'], {
        clock: LATER,
      });
      expect(later.rows).to.include({ corrected: 1, unchanged: 1 });
      expect((await storedPrices()).at(-1)).to.equal(
        'B 2021-01-29 21 19 2021-06-01T10:00:00.000000 imported 2',
      );
    });

    // A price of today counts as known at the end of the day, and a correction of today would be known
    // earlier. The correction gets the later time, so that it applies.
    it('apply a correction at once, even if the corrected price has a future knowledge time', async () => {
      await loadPrices(['symbol,date,close', 'A,2021-03-01,10']);
      const later = await loadPrices(['symbol,date,close', 'A,2021-03-01,11']);
      expect(await pricesAsOf('A', '2021-03-01', later)).to.deep.equal(['2021-03-01 11']);
      expect(await storedPrices()).to.deep.equal([
        'A 2021-03-01 10 - 2021-03-01T23:59:59.999999 assumed 1',
        'A 2021-03-01 11 - 2021-03-01T23:59:59.999999 imported 2',
      ]);
    });

    it('accept successive values of one observation and omit values that change nothing', async () => {
      const header = 'symbol,date,close,known_at';
      const first = await loadPrices([
        header,
        'A,2021-01-29,3,2021-02-03',
        'A,2021-01-29,1,2021-01-29',
        'A,2021-01-29,1.0,2021-02-01',
      ]);
      expect(first.rows).to.deep.equal({ read: 3, inserted: 1, corrected: 1, unchanged: 1, rejected: 0 });
      const second = await loadPrices([header, 'A,2021-01-29,2,2021-02-02', 'A,2021-01-29,3,2021-02-04']);
      expect(second.rows).to.include({ inserted: 0, corrected: 1, unchanged: 1 });
      const asOf = async (day: string) => (await pricesAsOf('A', day, second))[0];
      expect(
        await Promise.all(['2021-01-29', '2021-02-02', '2021-02-03', '2021-02-04'].map(asOf)),
      ).to.deep.equal(['2021-01-29 1', '2021-01-29 2', '2021-01-29 3', '2021-01-29 3']);
    });

    it('are daily if they have an `open` column or two days in one month, and otherwise monthly', async () => {
      const rows = ['A,2021-01-28,1', 'B,2021-01-29,1', 'A,2021-01-29,1'];
      expect(await loadPrices(['symbol,date,close', ...rows.slice(1)])).to.include({ frequency: 'monthly' });
      expect(await loadPrices(['symbol,date,close', ...rows])).to.include({ frequency: 'daily' });
      expect(await loadPrices(['symbol,date,close,open', 'C,2021-01-29,1,1'])).to.include({
        frequency: 'daily',
      });
      expect(await loadPrices(['symbol,date,close', ...rows], { frequency: 'monthly' })).to.include({
        frequency: 'monthly',
        alreadyImported: false,
      });
    });

    it('are not compared across frequencies', async () => {
      await loadPrices(['symbol,date,close', 'A,2021-01-29,1'], { frequency: 'daily' });
      const monthly = await loadPrices(['symbol,date,close', 'A,2021-01-29,2'], { frequency: 'monthly' });
      expect(monthly.rows).to.include({ inserted: 1, corrected: 0 });
    });
  });

  describe('of a file with faults', () => {
    const faulty = [
      'symbol,date,close,volume',
      'A,2021-01-29,1,5',
      'A,2021-02-30,2,5',
      'B B,2021-01-29,3e4,5',
      'C,2021-01-29,4',
      '"C,2021-01-29,4,4',
      'A,2021-01-29,9,5',
      'D,2021-01-29,7.50,5',
    ];

    it('are rejected as a whole, with line, column, value and reason of each fault', async () => {
      const refusal = await refusalOf(loadPrices(faulty));
      expect(refusal).to.include({ code: 'import_refused', errorsTotal: 6 });
      expect(
        refusal.errors.map(({ line, column, value, reason }) => [line, column, value, reason]),
      ).to.deep.equal([
        [3, 'date', '2021-02-30', 'is not a calendar date YYYY-MM-DD'],
        [4, 'symbol', 'B B', 'must have 1 to 32 characters: letters, digits and . ^ = _ -'],
        [4, 'close', '3e4', 'is not a plain decimal number such as 28.70'],
        [5, null, null, 'has 3 fields, but the header has 4'],
        [6, null, '"C,2021-01-29,4,4', 'has a quote that does not open and close a whole field'],
        [7, null, 'A 2021-01-29', 'repeats line 2: the same observation, known at the same moment'],
      ]);
      expect(await summaries()).to.deep.equal([]);
    });

    it('list the first hundred faults and count the others', async () => {
      const lines = Array.from({ length: 250 }, (_, at) => `A,2021-01-29,${at < 150 ? 1 : 'x'}`);
      const refusal = await refusalOf(loadPrices(['symbol,date,close', ...lines]));
      expect(refusal.errors).to.have.lengthOf(100);
      expect(refusal.errorsTotal).to.equal(249);
      expect(refusal.errors.map(({ line }) => line)).to.deep.equal(
        Array.from({ length: 100 }, (_, at) => at + 3),
      );
    });

    it('load valid rows on request and write each faulty row with its line and reason', async () => {
      const rejectsPath = path.join(database.folder, 'left-out.csv');
      const report = await loadPrices(faulty, { skipBad: true, rejectsPath });
      expect(report.rows).to.deep.equal({ read: 7, inserted: 2, corrected: 0, unchanged: 0, rejected: 5 });
      expect(readFileSync(rejectsPath, 'utf8').trim().split('\n')).to.deep.equal([
        'line,reason,symbol,date,close,volume',
        '3,date is not a calendar date YYYY-MM-DD,A,2021-02-30,2,5',
        '4,"symbol must have 1 to 32 characters: letters, digits and . ^ = _ -; ' +
          'close is not a plain decimal number such as 28.70",B B,2021-01-29,3e4,5',
        '5,"has 3 fields, but the header has 4",C,2021-01-29,4',
        '6,has a quote that does not open and close a whole field,"""C,2021-01-29,4,4"',
        '7,"repeats line 2: the same observation, known at the same moment",A,2021-01-29,9,5',
      ]);
      expect(await storedPrices()).to.deep.equal([
        'A 2021-01-29 1 - 2021-01-29T23:59:59.999999 assumed 1',
        'D 2021-01-29 7.50 - 2021-01-29T23:59:59.999999 assumed 1',
      ]);
    });

    it('with skipped rows do not count as an earlier import of the same file', async () => {
      await loadPrices(faulty, { skipBad: true });
      expect(await loadPrices(faulty, { skipBad: true })).to.include({ alreadyImported: true });
      expect((await refusalOf(loadPrices(faulty))).errorsTotal).to.equal(6);
    });

    it('are rejected without a rejects file if no row is valid', async () => {
      const rejectsPath = path.join(database.folder, 'none.csv');
      await refusalOf(loadPrices(['symbol,date,close', 'A,2021-01-29,x'], { skipBad: true, rejectsPath }));
      expect([rejectsPath, `${rejectsPath}.partial`].filter((file) => existsSync(file))).to.deep.equal([]);
    });

    it('are rejected if only some rows of a day state a knowledge time', async () => {
      const lines = ['symbol,date,close,known_at', 'A,2021-01-29,1,', 'A,2021-01-29,2,2021-02-01'];
      const refusal = await refusalOf(loadPrices(lines));
      expect(refusal.errors).to.have.lengthOf(1);
      expect(refusal.errors[0]).to.include({
        line: 2,
        reason: 'has no known_at, but line 3 of the same observation has one',
      });
    });

    it('are rejected if the file changes between its check and its loading', async () => {
      await loadPrices(['symbol,date,close', 'A,2021-01-29,1']);
      const lines = Array.from({ length: 50_000 }, (_, at) => `S${at},2021-01-29,1`);
      const file = await database.write('moving.csv', ['symbol,date,close', ...lines]);
      let calls = 0;
      const onProgress = () => {
        calls += 1;
        if (calls === 1) appendFileSync(file, 'Z,2021-01-29,1\n');
      };
      const refusal = await refusalOf(load({ kind: 'prices', path: file, onProgress }));
      expect(refusal).to.include({ code: 'file_changed' });
      expect(await storedPrices()).to.have.lengthOf(1);
    });

    it('are rejected if empty or with only a header', async () => {
      for (const lines of [new Uint8Array(), Buffer.from('symbol,date,close\n')]) {
        const file = await database.write('empty.csv', lines);
        expect(await refusalOf(load({ kind: 'prices', path: file }))).to.include({ code: 'import_refused' });
      }
    });
  });

  describe('that run at the same time', () => {
    it('become one import if they load the same file', async () => {
      const file = await database.write('both.csv', [
        'symbol,date,close',
        'A,2021-01-29,1',
        'B,2021-01-29,1',
      ]);
      const reports = await Promise.all([1, 2, 3].map(() => load({ kind: 'prices', path: file })));
      expect(new Set(reports.map(({ importUid }) => importUid))).to.have.property('size', 1);
      expect(reports.map(({ alreadyImported }) => alreadyImported).sort()).to.deep.equal([false, true, true]);
      expect(await storedPrices()).to.have.lengthOf(2);
    });

    it('run one after the other if they load different files into one dataset', async () => {
      const files = await Promise.all(
        [1, 2, 3].map((close) =>
          database.write(`turn-${close}.csv`, ['symbol,date,close', `A,2021-01-29,${close}`]),
        ),
      );
      const reports = await Promise.all(files.map((file) => load({ kind: 'prices', path: file })));
      expect(reports.map(({ revision }) => revision).sort()).to.deep.equal([1, 2, 3]);
      expect(reports.map(({ rows }) => rows.inserted).sort()).to.deep.equal([0, 0, 1]);
      const last = reports.find(({ revision }) => revision === 3)!;
      const stored = await storedPrices();
      expect(stored).to.have.lengthOf(3);
      const [seen] = await pricesAsOf('A', '2021-03-01', last);
      expect(`A ${seen}`).to.equal(
        stored
          .find((row) => row.endsWith(' 3'))!
          .split(' ')
          .slice(0, 3)
          .join(' '),
      );
    });
  });

  describe('of instruments', () => {
    const versions = () =>
      database.texts(
        sql<{ text: string }>`
          select concat_ws('|', v.symbol, observed_on, known_at_basis, v.revision, v.name, coalesce(sector, '-'),
            coalesce(sub_industry, '-')) as text
          from instrument_version v
          join instrument i on i.dataset_id = v.dataset_id and i.symbol = v.symbol and i.uid like 'ins!_%' escape '!'
          join dataset d on d.id = v.dataset_id and d.workspace_uid = ${workspace()}
          order by v.symbol, observed_on, known_at, v.revision
        `,
      );

    it('give each symbol of a published list one id and the knowledge time of the list', async () => {
      const history = await database.write('history.csv', [
        'published_at,symbol,name,sector,has_prices',
        '2016-07-02,EL,"Estée Lauder, Inc",Staples,1',
        '2018-04-02,EL,"Estée Lauder, Inc",,1',
      ]);
      const current = await database.write('current.csv', [
        'symbol,name,sector,sub_industry,sub_industry_source,first_price_date,last_price_date',
        'EL,Estée Lauder,Staples,Personal \\N Care,hand,1999-12-31,2020-10-28',
        'NEW,New One,Staples,,,,',
      ]);
      expect((await load({ kind: 'instruments', path: history })).rows).to.include({ read: 2, inserted: 2 });
      expect((await load({ kind: 'instruments', path: current })).rows).to.include({ read: 2, inserted: 2 });
      expect(await versions()).to.deep.equal([
        'EL|1999-12-31|assumed|2|Estée Lauder|Staples|Personal \\N Care',
        'EL|2016-07-02|stated|1|Estée Lauder, Inc|Staples|-',
        'EL|2018-04-02|stated|1|Estée Lauder, Inc|-|-',
        'NEW|2021-03-01|assumed|2|New One|Staples|-',
      ]);
    });

    it('correct a name without changing the name of earlier days', async () => {
      const first = await database.write('names-1.csv', ['symbol,name,first_price_date', 'A,Old,2000-01-03']);
      const second = await database.write('names-2.csv', [
        'symbol,name,first_price_date',
        'A,New,2000-01-03',
      ]);
      await load({ kind: 'instruments', path: first });
      expect((await load({ kind: 'instruments', path: second, clock: LATER })).rows).to.include({
        corrected: 1,
      });
      expect(await versions()).to.deep.equal([
        'A|2000-01-03|assumed|1|Old|-|-',
        'A|2000-01-03|imported|2|New|-|-',
      ]);
    });
  });
});
