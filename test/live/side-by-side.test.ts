import { expect } from 'chai';
import { Client } from 'pg';
import { canonicalJson } from '#lib/core/seal.ts';
import { migrate } from '#lib/database/migrate.ts';
import { migrations } from '#lib/database/migrations/index.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl, type Role } from '#lib/database/roles.ts';
import { testCluster } from '../support/backends.ts';
import { baselineRows } from '../support/baseline-rows.ts';
import { previousRelease } from '../support/previous-release.ts';

const DATABASE = 'assay_test_side_by_side';

describe('a database of the newest schema', function () {
  let ownerUrl: string;

  before(async () => {
    ownerUrl = await (await testCluster()).emptyDatabase(DATABASE);
    const orm = openOrm(ownerUrl, 2);
    await orm.migrator.up({ to: migrations[0]!.name });
    await orm.close();
    await withClient((await testCluster()).superuserUrl(DATABASE), (client) => client.query(baselineRows));
    await migrate(ownerUrl);
  });

  async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  function send(role: Role, sql: string) {
    return withClient(roleUrl(ownerUrl, role), async (client) => {
      await client.query('begin');
      await client.query(
        `select set_config('app.workspace', 'wsp_1', true), set_config('app.environment', 'sandbox', true)`,
      );
      const answer = await client.query(sql);
      await client.query('commit');
      return answer;
    });
  }

  // Each statement must find or change rows, because a statement without any effect would pass unnoticed.
  it('accepts the SQL statements of the API and the workers of the previous release', async () => {
    for (const { role, sql } of previousRelease) {
      const { rowCount } = await send(role, sql);
      expect(rowCount, sql).to.be.greaterThan(0);
    }
    const { rows } = await send(
      'api',
      `select state from run where uid in ('tfr_4', 'tfr_8', 'tfr_9') order by uid`,
    );
    expect(rows.map(({ state }) => state)).to.deep.equal(['failed', 'succeeded', 'cancelled']);
  });

  it('has an entry in the audit log for every result that the previous release sealed', async () => {
    const { rows } = await send(
      'worker',
      `select subject_uid, body, exists (select from audit_pending where entry_id = id) as pending
       from audit_entry where op = 'run.sealed' order by id`,
    );
    expect(rows.map(({ subject_uid, pending }) => ({ subject_uid, pending }))).to.deep.equal([
      { subject_uid: 'tfr_1', pending: true },
      { subject_uid: 'tfr_8', pending: true },
    ]);
    for (const { body } of rows) expect(body).to.equal(canonicalJson(JSON.parse(body)));
    expect(JSON.parse(rows[0].body)).to.include({ at: '2026-02-01T00:00:02.000Z', after_hash: 's1' });
  });
});
