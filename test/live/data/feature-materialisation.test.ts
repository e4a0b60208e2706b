import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beginMaterialisation } from '#lib/data/feature/materialisation.write.ts';
import { findMaterialisable } from '#lib/data/feature/version.query.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';
import { define, definer, computeValues, readSteps } from '../../support/feature-store.ts';
import { repetitions } from '../../support/repetitions.ts';

type Row = { symbol: string; date: string; close: string; knownAt: string };
type File = { rows: Row[]; frequency: 'daily' | 'monthly' };

const DATES = [
  '2021-01-28',
  '2021-01-29',
  '2021-02-10',
  '2021-02-26',
  '2021-03-01',
  '2021-03-02',
  '2020-12-31',
];

const row = fc.record({
  symbol: fc.constantFrom('A', 'B', 'C'),
  date: fc.constantFrom(...DATES),
  /** An empty text withdraws the observation. */
  close: fc.constantFrom('1', '2', '3', '5', '8', ''),
  knownAt: fc.constantFrom('', '', '', '2021-02-28', '2021-03-02T09:00:00Z'),
});
const file: fc.Arbitrary<File> = fc.record({
  rows: fc
    .uniqueArray(row, { minLength: 1, maxLength: 8, selector: ({ symbol, date }) => symbol + date })
    .map((rows) =>
      rows.map((each) => ({ ...each, knownAt: each.knownAt.slice(0, 10) >= each.date ? each.knownAt : '' })),
    ),
  frequency: fc.constantFrom('daily', 'daily', 'monthly'),
});

/**
 * Two symbols with a value on every date. The values of one symbol are corrected later. Every rule therefore
 * has values to work on.
 */
const everyDate: File[] = [
  ['A', '2'],
  ['B', '5'],
  ['A', '3'],
].map(([symbol, close]) => ({
  rows: DATES.map((date) => ({ symbol: symbol!, date, close: close!, knownAt: '' })),
  frequency: 'daily',
}));

const rules = [
  { expression: 'mean(close, 2) / lag(close, 1)', frequency: 'daily' },
  { expression: 'return(close, 1)', frequency: 'monthly' },
  { expression: 'zscore(ewma(close, half_life=2))', frequency: 'daily' },
  { expression: 'rank(close) - lag(rank(close), 1)', frequency: 'monthly' },
] as const;

describe('the materialisation of features', function () {
  const { database } = useImportDatabase();

  async function load(workspace: string, { rows, frequency }: File, at: string) {
    const lines = rows.map(({ symbol, date, close, knownAt }) =>
      [symbol, date, close, knownAt, close === ''].join(','),
    );
    return database.import({
      kind: 'prices',
      workspace,
      path: await database.write('features.csv', ['symbol,date,close,known_at,withdrawn', ...lines, '']),
      frequency,
      skipBad: true,
      clock: clockAt(at),
    });
  }

  it('gives the same bits as a single run, even after late, corrected and withdrawn data', async () => {
    const workspace = await database.workspace();
    const by = await definer(database, workspace);
    let history = 0;
    let reported = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 2, maxLength: 4 }),
        fc.constantFrom(...rules),
        async (files, rule) => {
          history += 1;
          const name = `h${history}`;
          let dataset = '';
          for (const [at, each] of files.entries()) {
            const clock = clockAt(`2021-03-0${at + 1}T10:00:00Z`);
            const lines = each.rows.map(({ symbol, date, close, knownAt }) =>
              [symbol, date, close, knownAt, close === ''].join(','),
            );
            const report = await database.import({
              kind: 'prices',
              workspace,
              path: await database.write(`${name}.csv`, [
                'symbol,date,close,known_at,withdrawn',
                'Z,2020-01-31,1,,false',
                ...lines,
                '',
              ]),
              dataset: name,
              frequency: each.frequency,
              skipBad: true,
              clock,
            });
            dataset = report.dataset.uid;
            if (at === 0) await define(database, { workspace, dataset, by, key: name, ...rule });
            await computeValues(database, workspace, name, { mode: 'incremental', clock });
          }
          const clock = clockAt('2021-04-05T10:00:00Z');
          const step = await computeValues(database, workspace, name, { mode: 'incremental', clock });
          expect(step).to.include({ mode: 'incremental' });
          const atOnce = `${name}.full`;
          await define(database, { workspace, dataset, by, key: atOnce, ...rule });
          const full = await computeValues(database, workspace, atOnce, { mode: 'full', clock });
          expect(full).to.include({ mode: 'full' });
          const steps = await readSteps(database, workspace, name);
          reported += steps.length;
          expect(steps).to.deep.equal(await readSteps(database, workspace, atOnce));
          const again = await computeValues(database, workspace, name, { mode: 'full', clock });
          expect(again).to.include({ mode: 'full', written: 0 });
        },
      ),
      // These fixed cases cover the rules even if the random cases do not.
      { numRuns: repetitions.materialisations, examples: rules.map((rule) => [everyDate, rule]) },
    );
    expect(reported).to.be.greaterThan(repetitions.materialisations / 2);
  });

  it('records the effect of late data from the time when the data became known', async () => {
    const workspace = await database.workspace();
    const by = await definer(database, workspace);
    const prices = (rows: [string, string, string?][]): File => ({
      rows: rows.map(([date, close, knownAt = '']) => ({ symbol: 'A', date, close, knownAt })),
      frequency: 'monthly',
    });
    const first = await load(
      workspace,
      prices([
        ['2021-01-29', '10'],
        ['2021-02-26', '15'],
      ]),
      '2021-03-01T10:00:00Z',
    );
    const dataset = first.dataset.uid;
    await define(database, { workspace, dataset, by, key: 'm', expression: 'return(close, 1)' });
    const compute = (day: string) =>
      computeValues(database, workspace, 'm', { mode: 'incremental', clock: clockAt(`${day}T10:00:00Z`) });
    expect(await compute('2021-03-01')).to.include({ mode: 'full', total: 1, written: 1 });
    expect(await readSteps(database, workspace, 'm')).to.deep.equal(['A 2021-02-28 | 2021-02-28 00:00 0.5']);
    expect(await compute('2021-03-01')).to.include({ mode: 'incremental', written: 0 });

    await load(workspace, prices([['2021-01-29', '8']]), '2021-03-03T10:00:00Z');
    await load(workspace, prices([['2021-03-31', '30']]), '2021-04-01T10:00:00Z');
    expect(await compute('2021-04-01')).to.include({ mode: 'incremental', total: 1, written: 2 });
    expect(await readSteps(database, workspace, 'm')).to.deep.equal([
      'A 2021-02-28 | 2021-02-28 00:00 0.5, 2021-03-03 10:00 0.875',
      'A 2021-03-31 | 2021-03-31 23:59 1',
    ]);
    await load(workspace, prices([['2021-02-26', '', '']]), '2021-04-02T10:00:00Z');
    await compute('2021-04-02');
    expect(await readSteps(database, workspace, 'm')).to.deep.equal([
      'A 2021-02-28 | 2021-02-28 00:00 0.5, 2021-03-03 10:00 0.875, 2021-04-02 10:00 -',
      'A 2021-03-31 | 2021-03-31 23:59 1, 2021-04-02 10:00 -',
    ]);
  });

  it('reads reported values by name and compares the companies of one quarter', async () => {
    const workspace = await database.workspace();
    const by = await definer(database, workspace);
    const path = await database.write('fundamentals.csv', [
      'symbol,as_of,price,eps',
      'A,2020-03-31,2,2',
      'B,2020-03-31,6,3',
      'C,2020-02-28,12,4',
      'A,2020-06-30,12,2',
    ]);
    const clock = clockAt('2021-03-01T10:00:00Z');
    const { dataset } = await database.import({ kind: 'fundamentals', workspace, path, clock });
    const given = { workspace, dataset: dataset.uid, by, frequency: 'quarterly' as const };
    await define(database, {
      ...given,
      key: 'cheap',
      expression: 'zscore(ratio(metric("price"), metric("eps")))',
    });
    const reported = await computeValues(database, workspace, 'cheap', { mode: 'incremental', clock });
    expect(reported).to.include({ mode: 'full', total: 3 });
    expect(await readSteps(database, workspace, 'cheap')).to.deep.equal([
      'A 2020-03-31 | 2020-03-31 23:59 -1',
      'B 2020-03-31 | 2020-03-31 23:59 0',
      'C 2020-03-31 | 2020-03-31 23:59 1',
    ]);
  });

  it('runs in one process at a time and moves to another process if the first stops responding', async () => {
    const workspace = await database.workspace();
    const by = await definer(database, workspace);
    const rows = [{ symbol: 'A', date: '2021-01-29', close: '10', knownAt: '' }];
    const { dataset } = await load(workspace, { rows, frequency: 'monthly' }, '2021-03-01T10:00:00Z');
    await define(database, { workspace, dataset: dataset.uid, by, key: 'm', expression: 'close' });
    const version = (await database.operate((em) => findMaterialisable(em, { workspace, key: 'm' })))!;
    await database.operate((em) =>
      beginMaterialisation(em, version, { mode: 'full', now: new Date('2021-03-01T10:00:00Z') }),
    );
    const at = (time: string) =>
      computeValues(database, workspace, 'm', {
        mode: 'incremental',
        clock: clockAt(`2021-03-01T${time}:00Z`),
      });
    expect(await at('10:09')).to.equal(undefined);
    expect(await at('10:11')).to.include({ mode: 'full', written: 1 });
    const states = await database.texts(sql<{ text: string }>`
      select concat_ws(' ', state, problem) as text from feature_materialisation
      where workspace_uid = ${workspace} order by uid
    `);
    expect(states).to.deep.equal(['planned', 'failed its process was lost', 'succeeded']);
  });
});
