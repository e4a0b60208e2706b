import { expect } from 'chai';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy } from '../../support/build.ts';
import { openCell, type Cell } from '../../support/cell.ts';

describe('a dataset of a workspace that rests', () => {
  let cell: Cell;

  before(async () => {
    cell = await openCell('assay_test_cell_resting');
  });

  after(() => cell?.close());

  it('stays readable for the workers of another workspace that may use it, and takes no writes', async () => {
    const [owner, user] = [await buildTenancy(cell), await buildTenancy(cell)];
    const [dataset] = await cell.sql<{ id: number }>(
      `insert into dataset (uid, workspace_uid, kind, name, created_at) values ('dts_lent', $1, 'prices', 'Lent', now())
       returning id`,
      [owner.workspace],
    );
    for (const { workspace } of [owner, user])
      await cell.sql('insert into dataset_entitlement values ($1, $2, now())', [dataset!.id, workspace]);
    await cell.sql(
      `insert into workspace_move (workspace_uid, state, to_cell, address, begun_at)
       values ($1, 'moving', 'b', 'https://b.example.com', now())`,
      [owner.workspace],
    );
    const asWorker = (workspace: string, statement: string) =>
      inTenant(cell.orm('worker'), { workspace, environment: 'sandbox' }, (em) =>
        em.execute<{ id: number }[]>(statement, [dataset!.id]),
      );
    expect(await asWorker(user.workspace, 'select id from dataset where id = ?')).to.have.length(1);
    const write = asWorker(owner.workspace, 'update dataset set revision = 1 where id = ?');
    expect(await write.then(() => 'written', String)).to.match(/the workspace rests/);
  });
});
