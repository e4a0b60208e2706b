import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import type { ImportRequest } from '#lib/data/import/load/import-request.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';
import { marketLines } from '../../support/market.ts';

const NOW = clockAt('2021-03-01T10:00:00Z');

describe('imports of corporate actions, fundamentals and instruments', function () {
  const { database, workspace } = useImportDatabase();

  async function load(kind: DatasetKind, lines: readonly string[], options: Partial<ImportRequest> = {}) {
    const path = await database.write(`${kind}.csv`, lines);
    return database.import({ clock: NOW, kind, path, workspace: workspace(), ...options });
  }

  async function faultsOf(kind: DatasetKind, lines: readonly string[]): Promise<string[]> {
    const error = await load(kind, lines).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(ImportRefused);
    const { errors } = error as ImportRefused;
    return errors.map(({ line, column, reason }) => `${line} ${column}: ${reason}`);
  }

  const stored = (table: string, values: string) =>
    database.texts(
      sql<{ text: string }>`
        select concat_ws(' ', o.symbol, o.observed_on, ${sql.raw(values)}, o.known_at::date, o.known_at_basis, o.revision) as text
        from ${sql.table(table)} o join dataset d on d.id = o.dataset_id and d.workspace_uid = ${workspace()}
        order by 1
      `,
    );

  it('load the shipped file of corporate actions except rows without a day', async () => {
    const rejectsPath = `${database.folder}/rejects.csv`;
    const lines = marketLines('corporate_actions');
    const report = await load('corporate_actions', lines, { skipBad: true, rejectsPath });
    expect(report.rows).to.include({ read: 5, inserted: 4, rejected: 1 });
    expect(readFileSync(rejectsPath, 'utf8')).to.match(
      /^line,reason,.*\n5,ex_date is empty,AAPL,,split,,7,.*\n$/,
    );
    const again = await load('corporate_actions', lines, { skipBad: true });
    expect(again).to.include({ alreadyImported: true });
  });

  it('correct or withdraw an action from the time of the import', async () => {
    const header = 'symbol,ex_date,type,amount,ratio,known_at,withdrawn';
    await load('corporate_actions', [
      header,
      'A,2020-01-02,cash_dividend,1.10,,,',
      'A,2020-01-02,split,,2,,',
    ]);
    const report = await load('corporate_actions', [
      header,
      'A,2020-01-02,cash_dividend,1.2,,,',
      'A,2020-01-02,split,,,2020-06-01,true',
      'A,2021-05-03,cash_dividend,1,,,',
    ]);
    expect(report.rows).to.include({ inserted: 1, corrected: 2, unchanged: 0 });
    expect(
      await stored('corporate_action', 'o.type, o.amount::text, o.ratio::text, o.withdrawn'),
    ).to.deep.equal([
      'A 2020-01-02 cash_dividend 1.10 f 2020-01-02 assumed 1',
      'A 2020-01-02 cash_dividend 1.2 f 2021-03-01 imported 2',
      'A 2020-01-02 split 2 f 2020-01-02 assumed 1',
      'A 2020-01-02 split t 2020-06-01 stated 2',
      'A 2021-05-03 cash_dividend 1 f 2021-03-01 assumed 2',
    ]);
  });

  it('report the fault of each row of actions', async () => {
    expect(
      await faultsOf('corporate_actions', [
        'symbol,ex_date,type,amount,ratio,withdrawn',
        'A,2020-01-02,bonus,1,,',
        'A,2020-01-02,split,1,2,',
        'A,2020-01-03,split,,0,',
        'A,2020-01-02,cash_dividend,-1,,',
        'A,2020-02-30,cash_dividend,1,,',
        'A,2020-01-02,cash_dividend,1,,true',
        'A,2020-01-05,cash_dividend,1,,',
        'A,2020-01-05,cash_dividend,1,,',
      ]),
    ).to.deep.equal([
      '2 type: is not one of cash_dividend, special_dividend, split',
      '3 amount: must be empty for a split',
      '4 ratio: is not above 0',
      '5 amount: is negative',
      '6 ex_date: is not a calendar date YYYY-MM-DD',
      '7 amount: must be empty, because the observation is withdrawn',
      '9 null: repeats line 8: the same observation, known at the same moment',
    ]);
  });

  it('turn a wide row of fundamentals into one observation for each of its metrics', async () => {
    const lines = ['as_of,symbol,ebitda,eps', '2020-01-02,A,-5,', '2020-01-03,A,6,0.5', '2020-01-03,B,,'];
    const report = await load('fundamentals', lines);
    expect(report.rows).to.include({ read: 4, inserted: 3, unchanged: 1, rejected: 0 });
    const rows = await stored('fundamental', 'o.metric, o.value::text');
    expect(rows).to.deep.equal([
      'A 2020-01-02 ebitda -5 2020-01-02 stated 1',
      'A 2020-01-03 ebitda 6 2020-01-03 stated 1',
      'A 2020-01-03 eps 0.5 2020-01-03 stated 1',
    ]);
  });

  it('reject a wide row as a whole if an earlier row contains one of its metrics', async () => {
    const lines = ['as_of,symbol,ebitda,eps', '2020-01-02,A,5,', '2020-01-02,A,5,0.5', '2020-01-02,A,,0.6'];
    expect(await faultsOf('fundamentals', lines)).to.have.lengthOf(2);
    const report = await load('fundamentals', lines.slice(0, 3), { skipBad: true });
    expect(report.rows).to.include({ read: 3, inserted: 1, rejected: 2 });
    expect(await stored('fundamental', 'o.metric')).to.deep.equal([
      'A 2020-01-02 ebitda 2020-01-02 stated 1',
    ]);
  });

  it('report the fault of each row of fundamentals', async () => {
    expect(
      await faultsOf('fundamentals', [
        'as_of,symbol,period_end,metric,value,withdrawn',
        '2021-03-02,A,,ebitda,1,',
        '2020-01-02,A,2020-01-03,ebitda,1,',
        '2020-01-02,A,,EBITDA,1,',
        '2020-01-02,A,,ebitda,1e5,',
        '2020-01-02,A,,ebitda,--1,',
        '2020-01-03,A,,ebitda,1,true',
      ]),
    ).to.deep.equal([
      '2 as_of: is in the future',
      '3 period_end: is after as_of',
      '4 metric: must have 1 to 64 characters of a-z, 0-9 and _, and begin with a letter',
      '5 value: is not a plain decimal number such as 28.70',
      '6 value: is not a plain decimal number such as 28.70',
      '7 value: must be empty, because the observation is withdrawn',
    ]);
  });

  it('keep the id of an instrument over a chain of symbol changes in any order of rows', async () => {
    const header = 'symbol,name,published_at,previous_symbol';
    await load('instruments', [
      header,
      'C,Third,2020-03-01,B',
      'B,Second,2020-02-01,A',
      'X,Other,2020-01-01,',
    ]);
    await load('instruments', [header, 'A,First,2020-01-01,', 'D,Fourth,2020-04-01,C']);
    const known = await database.texts(
      sql<{ text: string }>`
        select concat_ws(' ', string_agg(symbol, ',' order by symbol), count(*)) as text
        from instrument i join dataset d on d.id = i.dataset_id and d.workspace_uid = ${workspace()}
        group by i.uid order by 1
      `,
    );
    expect(known).to.deep.equal(['A,B,C,D 4', 'X 1']);
    const circle = [header, 'P,One,2020-01-01,Q', 'Q,Two,2020-01-01,P'];
    const error = await load('instruments', circle).catch((refusal: Error) => refusal.message);
    expect(error).to.contain('form a cycle');
  });

  it('report an invalid exchange, currency, status or previous symbol', async () => {
    expect(
      await faultsOf('instruments', [
        'symbol,name,exchange,currency,status,previous_symbol',
        'A,One,nasdaq stock market,XXY,dead,A',
      ]),
    ).to.deep.equal([
      '2 exchange: must have 1 to 16 characters of A-Z, 0-9 and . _ -',
      '2 currency: is not an active ISO 4217 currency',
      `2 status: is not one of active, suspended, delisted, merged`,
      '2 previous_symbol: is the same as the symbol',
    ]);
  });

  it('can be run on the command line', async () => {
    await database.write('actions.csv', ['symbol,ex_date,type,ratio', 'A,2020-01-02,split,2']);
    await database.write('reports.csv', ['symbol,as_of,eps', 'A,2020-01-02,0.5']);
    const of = ['--workspace', workspace()];
    const person = ['--name', 'olga', '--email', 'olga@example.com', '--roles', 'owner'];
    await database.assay('person', 'create', ...of, ...person);
    const actions = await database.assay('import', 'corporate-actions', 'actions.csv', ...of, '--json');
    expect(actions.json).to.deep.include({ kind: 'corporate_actions', revision: 1 });
    expect((await database.assay('import', 'fundamentals', 'reports.csv', ...of)).status).to.equal(0);
    const { uid } = actions.json.dataset;
    const describe = (...words: string[]) => database.assay('dataset', 'describe', uid, ...of, ...words);
    const said = await describe('--licence', 'CC0', '--json');
    expect(said.json).to.include({ uid, licence: 'CC0', source: null });
    expect((await describe()).stderr).to.match(/^nothing_said: /);
    expect((await describe('--price-basis', 'quoted')).stderr).to.match(/^not_prices: /);
    const foreign = ['--workspace', await database.workspace(), '--licence', 'CC0'];
    const refused = await database.assay('dataset', 'describe', uid, ...foreign);
    expect(refused.stderr).to.match(/^dataset_unknown: /);
  });
});
