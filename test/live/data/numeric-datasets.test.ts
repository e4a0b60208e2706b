import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { governedNumericDataset } from '../../support/governed-dataset.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

const CONTENT = [
  'date,entity,price,growth',
  '2024-01-31,A,10.50,0.1',
  '2024-01-31,B,20,',
  '2024-02-29,A,1e1,-0.05',
];

onOneBackend('Numeric datasets', function (live) {
  let tenancy: Tenancy;
  let second: string;
  before(async () => {
    tenancy = await buildTenancy(live());
    second = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
  });

  const command = (...words: string[]) => assay(live(), ...words, '--json');
  const bring = (name: string, lines: readonly string[], ...more: string[]) =>
    withFile(lines, (file) =>
      command(
        'import',
        'dataset',
        file,
        '--workspace',
        tenancy.workspace,
        '--name',
        name,
        '--as',
        tenancy.person,
        ...more,
      ),
    );
  const governed = (id: number, { workspace }: Pick<Tenancy, 'workspace'> = tenancy) =>
    inTenant(live().orm('worker'), { workspace, environment: 'sandbox' }, (em) =>
      governedNumericDataset(em, id),
    );

  it('are governed from the approval by a second person until they change', async () => {
    const { json: imported, stderr } = await bring('panel', CONTENT);
    expect(stderr).to.equal('');
    const id = imported.dataset_id as number;
    const canonical = [
      '[["date","date"],["entity","entity"],["price","number"],["growth","number"]]',
      '["2024-01-31","A",10.5,0.1]',
      '["2024-01-31","B",20,null]',
      '["2024-02-29","A",10,-0.05]',
      '',
    ].join('\n');
    expect(imported).to.include({
      revision: 1,
      rows: 3,
      content_hash: createHash('sha256').update(canonical).digest('hex'),
    });
    expect(await governed(id)).to.deep.equal({
      ok: false,
      code: 'dataset_not_governed',
      reasons: ['owner_missing', 'licence_missing', 'unit_missing', 'approval_missing'],
    });
    const approve = (by: string) => command('dataset', 'approve', String(id), '--as', by);
    const owner = ['--owner', tenancy.person, '--licence', 'CC0-1.0'];
    const described = await command(
      'dataset',
      'describe',
      String(id),
      ...owner,
      '--units',
      'price=USD,growth=ratio',
    );
    expect(described.json).to.deep.include({
      governed: false,
      reasons: ['approval_missing'],
      licence: 'CC0-1.0',
    });
    expect((await approve(tenancy.person)).stderr).to.match(/^approver_not_independent: /);
    expect((await approve(second)).json).to.include({ governed: true, approved_by_uid: second });

    const read = await governed(id);
    if (!read.ok) return expect.fail(read.code);
    expect(read.dataset.columns).to.deep.equal([
      { name: 'price', type: 'number', unit: 'USD' },
      { name: 'growth', type: 'number', unit: 'ratio' },
    ]);
    expect(read.rows).to.deep.equal([
      { observedOn: '2024-01-31', entity: 'A', values: [10.5, 0.1] },
      { observedOn: '2024-01-31', entity: 'B', values: [20, null] },
      { observedOn: '2024-02-29', entity: 'A', values: [10, -0.05] },
    ]);

    const changed = await bring('panel', [...CONTENT, '2024-02-29,B,21,0.05']);
    expect(changed.json).to.include({ dataset_id: id, revision: 2, rows: 4 });
    expect(await governed(id)).to.deep.include({ reasons: ['approval_outdated'] });
    expect((await bring('panel', CONTENT)).stderr).to.match(/^content_superseded: /);
    expect((await approve(second)).json).to.include({ governed: true, revision: 2 });
    await command('dataset', 'describe', String(id), '--licence', 'MIT', '--as', tenancy.person);
    expect(await governed(id)).to.deep.include({ reasons: ['approval_outdated'] });

    const { workspace } = tenancy;
    const entries = await inTenant(live().orm('operator'), { workspace, environment: 'sandbox' }, (em) =>
      listAudit(em, { subject: imported.uid, limit: 50 }),
    );
    expect(
      entries.map(({ entry }) => `${entry.op} ${entry.outcome.code ?? 'done'}`).toReversed(),
    ).to.deep.equal([
      'dataset.imported done',
      'dataset.described done',
      'dataset.approved approver_not_independent',
      'dataset.approved done',
      'dataset.imported done',
      'dataset.approved done',
      'dataset.described done',
    ]);
  });

  it('have the columns that a file declares and reject rows that do not fit', async () => {
    const header = 'day,who,n,flag';
    const columns = [
      { name: 'day', type: 'date' },
      { name: 'who', type: 'entity' },
      { name: 'n', type: 'integer', unit: 'count' },
      { name: 'flag', type: 'boolean', unit: 'flag' },
    ];
    await withFile([], async (file) => {
      await writeFile(file, JSON.stringify(columns));
      const good = await bring('stated', [header, '2024-01-31,A,3,true'], '--columns', file);
      const shown = await command('dataset', 'show', String(good.json.dataset_id));
      expect(shown.json.columns).to.deep.equal(columns.slice(2));
      expect(shown.json).to.deep.include({
        governed: false,
        reasons: ['owner_missing', 'licence_missing', 'approval_missing'],
      });
      const bad = await bring(
        'bad',
        [header, '2024-02-30,A,1,true', '2024-01-31,,1.5,yes'],
        '--columns',
        file,
      );
      const { errors } = JSON.parse(bad.stderr) as {
        errors: { line: number; column: string; reason: string }[];
      };
      expect(errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).to.deep.equal([
        '2 day is not a calendar date YYYY-MM-DD',
        '3 who is empty',
        '3 n is not an integer',
        '3 flag is not one of true, false, 1, 0',
      ]);
    });
  });

  it('have owners and units, unlike other kinds of datasets', async () => {
    const { dataset } = await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close',
      'A,2024-01-31,1',
    ]);
    const describe = (...words: string[]) => command('dataset', 'describe', dataset.uid, ...words);
    expect((await describe('--licence', 'CC0-1.0', '--source', 'a vendor')).json).to.include({
      dataset_id: dataset.id,
      kind: 'prices',
      licence: 'CC0-1.0',
      source: 'a vendor',
      description: null,
    });
    expect((await describe('--units', 'close=USD')).stderr).to.match(/^dataset_not_numeric: /);
  });

  it('are hidden from other workspaces', async () => {
    const foreign = await buildTenancy(live());
    const { json } = await bring('mine', ['x', '1']);
    expect(await governed(json.dataset_id, foreign)).to.deep.equal({ ok: false, code: 'dataset_unknown' });
    const approved = await command('dataset', 'approve', String(json.dataset_id), '--as', foreign.person);
    expect(approved.stderr).to.match(/^person_unknown: /);
  });
});
