import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { sql } from 'kysely';
import { useImportDatabase } from '../../support/import-database.ts';

describe('assay import and assay dataset', function () {
  const { database, workspace } = useImportDatabase();

  const assay = (...words: string[]) => database.assay(...words, '--workspace', workspace());

  it('print one JSON document, even for a file that was already imported', async () => {
    await database.write('prices.csv.gz', ['symbol,date,close', 'A,2021-01-29,28.70', 'B,2021-01-29,1']);
    const first = await assay('import', 'prices', 'prices.csv.gz', '--json');
    expect(first).to.include({ status: 0, stderr: '' });
    const { import: uid, dataset, seconds, rows_per_second, ...rest } = first.json;
    expect(rest).to.deep.equal({
      kind: 'prices',
      frequency: 'monthly',
      revision: 1,
      rows: { read: 2, inserted: 2, corrected: 0, unchanged: 0, rejected: 0 },
      already_imported: false,
    });
    expect(uid).to.match(/^imp_/);
    expect(dataset).to.have.keys('id', 'uid', 'name');
    expect([seconds, rows_per_second]).to.satisfy((numbers: unknown[]) => numbers.every(Number.isFinite));
    const again = await assay('import', 'prices', 'prices.csv.gz', '--json');
    expect(again.status).to.equal(0);
    expect(again.json).to.deep.include({ import: uid, already_imported: true, rows: rest.rows });
  });

  it('reject a file with status 1 and with its faults on stderr', async () => {
    await database.write('bad.csv', ['symbol,date,close', 'A,2021-01-29,1', 'B,2021-01-29,-1']);
    const json = await assay('import', 'prices', 'bad.csv', '--json');
    expect(json).to.include({ status: 1, stdout: '' });
    expect(JSON.parse(json.stderr)).to.deep.equal({
      code: 'import_refused',
      detail: '1 error; nothing was loaded',
      errors: [{ line: 3, column: 'close', value: '-1', reason: 'is negative' }],
      errors_total: 1,
    });
    const table = await assay('import', 'prices', 'bad.csv');
    expect(table).to.include({ status: 1, stdout: '' });
    expect(table.stderr).to.match(/^import_refused: 1 error.*\n(.*\n)+.*3.*close.*-1.*is negative/);
  });

  it('do not print control characters of a file to the terminal', async () => {
    await database.write('steer.csv', ['symbol,date,close', 'A\u001b[2J,2021-01-29,1']);
    const { stderr } = await assay('import', 'prices', 'steer.csv');
    expect(stderr).to.contain('A?[2J').and.to.not.contain('\u001b[2J');
  });

  it('skip faulty rows on request and write them to a file named after the imported file', async () => {
    const lines = ['symbol,date,close', 'A,2021-01-29,1', 'B,2021-01-29,-1'];
    await database.write('some.csv.gz', lines);
    const { json, status } = await assay('import', 'prices', 'some.csv.gz', '--skip-bad', '--json');
    expect(status).to.equal(0);
    expect(json).to.include({ rejects_file: 'some.csv.gz.rejects.csv' });
    expect(json.rows).to.include({ inserted: 1, rejected: 1 });
    expect(readFileSync(path.join(database.folder, json.rejects_file), 'utf8')).to.equal(
      'line,reason,symbol,date,close\n3,close is negative,B,2021-01-29,-1\n',
    );
    const over = await assay('import', 'prices', 'some.csv.gz', '--skip-bad', '--rejects', './some.csv.gz');
    expect(over).to.include({ status: 1 });
    expect(readFileSync(path.join(database.folder, 'some.csv.gz'))).to.deep.equal(
      gzipSync(`${lines.join('\n')}\n`),
    );
  });

  it('record the person who imported: the owner of the workspace or another named person', async () => {
    const person = async (name: string, roles: string) => {
      const words = ['--name', name, '--email', `${name}@example.com`, '--roles', roles, '--json'];
      return (await assay('person', 'create', ...words)).json.uid as string;
    };
    const owner = await person('olga', 'owner');
    const clerk = await person('carl', 'analyst');
    await database.write('one.csv', ['symbol,date,close', 'A,2021-01-29,1']);
    await database.write('two.csv', ['symbol,date,close', 'A,2021-01-29,2']);
    expect(await assay('import', 'prices', 'one.csv')).to.include({ status: 0 });
    expect(await assay('import', 'prices', 'two.csv', '--as', clerk)).to.include({ status: 0 });
    const names = await database.texts(
      sql<{ text: string }>`
        select i.imported_by_uid as text from dataset_import i
        join dataset d on d.id = i.dataset_id and d.workspace_uid = ${workspace()} order by i.revision
      `,
    );
    expect(names).to.deep.equal([owner, clerk]);
  });

  it('list the datasets of the requested workspace only', async () => {
    await database.write('mine.csv', ['symbol,date,close', 'A,2021-01-29,1', 'A,2021-02-26,2']);
    await assay('import', 'prices', 'mine.csv', '--dataset', 'mine', '--json');
    const { json } = await assay('dataset', 'list', '--json');
    expect(json.data).to.have.lengthOf(1);
    expect(json.data[0]).to.deep.include({
      kind: 'prices',
      name: 'mine',
      owner: workspace(),
      revision: 1,
      rows: 2,
      first_observed: '2021-01-29',
      last_observed: '2021-02-26',
    });
    expect(json.data[0].newest_import).to.have.keys('uid', 'file', 'imported_at');
    expect((await assay('dataset', 'list')).stdout).to.contain('mine.csv, 20');
  });

  it('exit with 2 on wrong usage and with an error code for an unknown file or workspace', async () => {
    expect(await database.assay('import', 'prices', 'x.csv')).to.include({ status: 2, stdout: '' });
    expect(await assay('import', 'prices', 'x.csv', '--known-at', 'then')).to.include({ status: 2 });
    expect(await assay('import', 'prices', 'x.csv', '--frequency', 'weekly')).to.include({ status: 2 });
    const missing = await assay('import', 'prices', 'x.csv');
    expect(missing).to.include({ status: 1 });
    expect(missing.stderr).to.match(/^file_unreadable: x\.csv cannot be read: ENOENT/);
    const foreign = await database.assay('import', 'prices', 'x.csv', '--workspace', 'wsp_unknown');
    expect(foreign).to.include({
      status: 1,
      stderr: 'workspace_unknown: The workspace wsp_unknown does not exist.\n',
    });
    const named = await assay('import', 'prices', 'x.csv', '--as', 'per_unknown');
    expect(named).to.include({ status: 1 });
    expect(named.stderr).to.match(/^person_unknown: /);
    const dataset = await database.write('y.csv', ['symbol,date,close', 'A,2021-01-29,1']);
    expect((await assay('import', 'prices', dataset, '--dataset', '../y')).stderr).to.match(
      /^invalid_dataset_name: /,
    );
    expect(existsSync(path.join(database.folder, 'x.csv.rejects.csv'))).to.equal(false);
  });
});
