import { expect } from 'chai';
import { Client } from 'pg';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { LogBroken } from '#lib/audit/log-check.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { auditDatabase, event, type AuditDatabase } from '../../support/audit.ts';
import { testCluster } from '../../support/backends.ts';

const DATABASE = 'assay_test_audit_verify';
const TABLES = ['audit_entry', 'audit_leaf', 'audit_node', 'audit_checkpoint'];

// A person with full control of the server can bypass the triggers and change any entry; the verification detects such
// a change.
describe('the verification of an audit log', function () {
  let database: AuditDatabase;
  let tenant: Tenant;
  let superuser: Client;

  before(async () => {
    database = await auditDatabase(DATABASE);
    tenant = await database.tenant();
    for (const numbers of [
      [0, 1, 2, 3, 4],
      [5, 6],
      [7, 8, 9, 10],
    ]) {
      await inTenant(database.orm('api'), tenant, async (em) => {
        for (const number of numbers) await appendAudit(em, event(number));
      });
      await inTenant(database.orm('worker'), tenant, placePending);
    }
    superuser = new Client({ connectionString: (await testCluster()).superuserUrl(DATABASE) });
    await superuser.connect();
    await superuser.query(TABLES.map((name) => `create table kept_${name} as table ${name}`).join(';'));
    await superuser.query(`set session_replication_role = replica`);
  });
  after(async () => {
    await superuser.end();
    await database.close();
  });

  const verify = () => inTenant(database.orm('operator'), tenant, verifyLog);
  const difference = () =>
    verify().then(
      () => 'none',
      (error: unknown) => (error instanceof LogBroken ? error.message : String(error)),
    );

  it('confirms an intact log and counts its unplaced entries', async () => {
    await inTenant(database.orm('api'), tenant, (em) => appendAudit(em, event(11)));
    expect(await verify()).to.include({ size: 11, checkpoints: 3, pending: 1 });
    await superuser.query(
      'delete from audit_pending; delete from audit_entry where id not in (select entry_id from audit_leaf)',
    );
    expect(await verify()).to.include({ size: 11, checkpoints: 3, pending: 0 });
  });

  const third = `(select entry_id from audit_leaf where leaf_index = 3)`;
  const forgeries: [string, string, string][] = [
    [
      'an entry with another body',
      `update audit_entry set body = replace(body, '"done"', '"refused"') where id = ${third}`,
      'entry 3 does not match its stored leaf hash',
    ],
    [
      'an entry that is not in RFC 8785 form',
      `update audit_entry set body = body || ' ' where id = ${third}`,
      'entry 3 is not in RFC 8785 form',
    ],
    [
      'a deleted entry',
      `delete from audit_entry where id = ${third}`,
      'entry 3 is missing; the next one is 4',
    ],
    [
      'an entry that was removed from the tree',
      `delete from audit_leaf where leaf_index = 3`,
      'entry 3 is missing; the next one is 4',
    ],
    [
      'the last entry, removed from the tree',
      `delete from audit_leaf where leaf_index = 10`,
      'the log has 10 entries, but a checkpoint states 11',
    ],
    [
      'two entries with exchanged content',
      `update audit_entry e set body = o.body from audit_entry o, audit_leaf l, audit_leaf k
         where e.id = l.entry_id and o.id = k.entry_id and l.leaf_index + k.leaf_index = 7 and l.leaf_index in (3, 4)`,
      'entry 3 does not match its stored leaf hash',
    ],
    [
      'a deleted leaf hash',
      `delete from audit_node where level = 0 and node_index = 3`,
      'entry 3 does not match its stored leaf hash',
    ],
    [
      'a subtree with another hash',
      `update audit_node set hash = repeat('0', 64) where level = 2 and node_index = 1`,
      'node 1 of level 2 has a different hash',
    ],
    ['a deleted subtree', `delete from audit_node where level = 3`, 'node 0 of level 3 is not stored'],
    [
      'an old checkpoint with another root',
      `update audit_checkpoint set root_hash = repeat('0', 64) where tree_size = 5`,
      'the checkpoint at 5 entries has a different root',
    ],
    [
      'the newest checkpoint with another root',
      `update audit_checkpoint set root_hash = repeat('0', 64) where tree_size = 11`,
      'the checkpoint at 11 entries has a different root',
    ],
    [
      'a changed entry with a matching leaf hash',
      `with forged as (update audit_entry set body = replace(body, '"done"', '"refused"') where id = ${third} returning audit_leaf_hash(body) as hash)
       update audit_node set hash = forged.hash from forged where level = 0 and node_index = 3`,
      'the checkpoint at 5 entries has a different root',
    ],
    [
      'an entry that was added without being queued for the tree',
      `insert into audit_entry overriding system value select (jsonb_populate_record(e, jsonb_build_object('id', e.id + 1000))).* from audit_entry e where id = ${third}`,
      '1 entries are neither in the tree nor waiting to be added to it',
    ],
    [
      'the newest entries, removed from the tree together with their checkpoint',
      `with cut as (delete from audit_checkpoint where tree_size = 11), leaves as (delete from audit_leaf where leaf_index > 6) delete from audit_node where level = 0 and node_index > 6`,
      '4 entries are neither in the tree nor waiting to be added to it',
    ],
  ];
  for (const [what, statement, expected] of forgeries) {
    it(`reports ${what}`, async () => {
      try {
        expect((await superuser.query(statement)).rowCount).to.be.greaterThan(0);
        expect(await difference()).to.equal(expected);
      } finally {
        await superuser.query(TABLES.map(restored).join(';'));
      }
      expect(await difference()).to.equal('none');
    });
  }
});

/** Returns SQL that restores a table. */
function restored(name: string): string {
  return `delete from ${name}; insert into ${name} overriding system value select * from kept_${name}`;
}
