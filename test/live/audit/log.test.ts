import { expect } from 'chai';
import { sql } from 'kysely';
import { Client } from 'pg';
import { appendAudit, appendWorkspaceAudit } from '#lib/audit/audit.write.ts';
import { bodyOf } from '#lib/audit/entry.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { leafHash } from '#lib/audit/merkle.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { roles, roleUrl } from '#lib/database/roles.ts';
import { auditDatabase, event, type AuditDatabase } from '../../support/audit.ts';
import { testCluster } from '../../support/backends.ts';

const DATABASE = 'assay_test_audit_log';
const TABLES = ['audit_entry', 'audit_leaf', 'audit_node', 'audit_checkpoint'];

describe('the audit log', function () {
  let database: AuditDatabase;
  let tenant: Tenant & { application: string };

  before(async () => {
    database = await auditDatabase(DATABASE);
    tenant = await database.tenant();
  });
  after(() => database.close());

  const inApi = <T>(work: (em: Em) => Promise<T>, of: Tenant = tenant) =>
    inTenant(database.orm('api'), of, work);
  const entriesOf = (of: Tenant) => inApi((em) => listAudit(em, { limit: 100 }), of);

  it('derives the searchable columns of an entry from its body, whatever a statement gives for them', async () => {
    const other = await database.tenant();
    const body = bodyOf({ ...event(1), actor: { kind: 'person', uid: 'per_1' }, requestId: 'req_1' });
    const client = new Client({ connectionString: (await testCluster()).superuserUrl(DATABASE) });
    await client.connect();
    const insert = (workspace: string) =>
      client.query<Record<string, string>>(
        `insert into audit_entry (workspace_uid, environment, body, leaf_hash, at, op, status, actor_uid, subject_type,
           subject_uid, request_id)
         values ($1, $2, $3, 'x', now() - interval '1 year', 'x', 'refused', 'x', 'x', 'x', 'x')
         returning leaf_hash, at, op, actor_uid, subject_uid, request_id`,
        [workspace, other.environment, body],
      );
    try {
      const { at, ...derived } = (await insert(other.workspace)).rows[0]!;
      expect(derived).to.deep.equal({
        leaf_hash: leafHash(body),
        op: event(1).op,
        actor_uid: 'per_1',
        subject_uid: 'test_1',
        request_id: 'req_1',
      });
      expect(new Date(at!).toISOString()).to.equal(event(1).at.toISOString());
      expect(await codeOf(insert('wsp_none'))).to.equal('42501');
      expect(await codeOf(client.query('delete from workspace where uid = $1', [other.workspace]))).to.equal(
        '42501',
      );
    } finally {
      await client.end();
    }
  });

  it('commits an entry if and only if its effect is committed', async () => {
    await inApi((em) => appendAudit(em, event(1)));
    const undone = inApi(async (em) => {
      await appendAudit(em, event(2));
      throw new Error('undone');
    });
    expect(await undone.catch((error: Error) => error.message)).to.equal('undone');
    expect((await entriesOf(tenant)).map(({ entry }) => entry.subject.uid)).to.deep.equal(['test_1']);
  });

  it('stores and hashes each entry in RFC 8785 form', async () => {
    const of = await database.tenant();
    const hash = 'ab'.repeat(32);
    await inApi(
      (em) =>
        appendAudit(em, {
          ...event(3),
          actor: { kind: 'application', uid: of.application, credential: 'key_1' },
          subject: { type: 'delegation', uid: 'dlg_ä', version: 3 },
          refused: 'second_person_required',
          requestId: 'req_"1"',
          decision: 'dec_1',
          payloadHash: hash,
          beforeHash: hash,
          afterHash: hash,
          details: { z: 1, a: ['é', null, 0.1] },
        }),
      of,
    );
    const [row] = await inApi(
      (em) => em.execute<Record<string, string>[]>(`select * from audit_entry order by id desc limit 1`),
      of,
    );
    const entry = JSON.parse(row!['body']!);
    expect(entry).to.deep.equal({
      at: '2027-01-15T08:00:00.003Z',
      op: 'test.happened',
      actor: { kind: 'application', uid: of.application, credential_uid: 'key_1' },
      subject: { type: 'delegation', uid: 'dlg_ä', version: 3 },
      outcome: { status: 'refused', code: 'second_person_required' },
      request_id: 'req_"1"',
      decision_uid: 'dec_1',
      payload_hash: hash,
      before_hash: hash,
      after_hash: hash,
      details: { z: 1, a: ['é', null, 0.1] },
    });
    expect(row!['body']).to.equal(canonicalJson(entry));
    expect(row!['leaf_hash']).to.equal(leafHash(row!['body']!));
    expect(row).to.include({ op: 'test.happened', status: 'refused', actor_uid: of.application });
    expect(row).to.include({ subject_type: 'delegation', subject_uid: 'dlg_ä', request_id: 'req_"1"' });
    expect(new Date(row!['at']!).toISOString()).to.equal(entry.at);
  });

  it('lists the newest entries first, filtered by event, subject and time', async () => {
    const of = await database.tenant();
    await inApi(async (em) => {
      for (let number = 0; number < 5; number += 1) await appendAudit(em, event(number));
      await appendAudit(em, { ...event(5), op: 'test.ended' });
    }, of);
    const found = async (question: object) =>
      (await inApi((em) => listAudit(em, { limit: 100, ...question }), of)).map(
        ({ entry }) => entry.subject.uid,
      );
    expect(await found({ limit: 2 })).to.deep.equal(['test_5', 'test_4']);
    expect(await found({ op: 'test.ended' })).to.deep.equal(['test_5']);
    expect(await found({ subject: 'test_2' })).to.deep.equal(['test_2']);
    expect(await found({ since: event(3).at })).to.deep.equal(['test_5', 'test_4', 'test_3']);
  });

  it('records changes to a whole workspace in the logs of both environments', async () => {
    const { workspace } = await database.tenant();
    await inPlatform(database.orm('operator'), (em) => appendWorkspaceAudit(em, event(6), workspace));
    for (const environment of ['sandbox', 'production'] as const) {
      const entries = await entriesOf({ workspace, environment });
      expect(
        entries.map(({ entry }) => entry.subject.uid),
        environment,
      ).to.deep.equal(['test_6']);
    }
  });

  it('accepts no entry for another tenant, from the API or from a worker', async () => {
    const other = await database.tenant();
    for (const role of ['api', 'worker'] as const) {
      for (const foreign of [other, { ...tenant, environment: 'production' } as const]) {
        const code = await codeOf(
          inTenant(database.orm(role), tenant, (em) => appendAudit(em, event(7), foreign)),
        );
        expect(code, role).to.equal('42501');
      }
    }
    expect(await entriesOf(other)).to.deep.equal([]);
  });

  it('accepts no body without a time, an event or a subject', async () => {
    const body = JSON.parse(
      (await inApi((em) => em.execute<{ body: string }[]>(`select body from audit_entry limit 1`)))[0]!.body,
    );
    const wrong = [
      'no JSON',
      '{}',
      ...['at', 'op', 'outcome', 'subject'].map((name) => JSON.stringify({ ...body, [name]: undefined })),
      JSON.stringify({ ...body, outcome: { status: 'perhaps' } }),
      JSON.stringify({ ...body, details: 'x'.repeat(70_000) }),
    ];
    for (const text of wrong) {
      const written = inApi((em) =>
        sql`insert into audit_entry (workspace_uid, environment, body)
            values (${tenant.workspace}, ${tenant.environment}, ${text})`.execute(em.getKysely()),
      );
      expect(await codeOf(written), text.slice(0, 60)).to.match(/^2[23]/);
    }
  });

  describe('I-128: rejects every change and deletion', () => {
    before(() => inTenant(database.orm('worker'), tenant, placePending));

    const changes = (table: string) => [
      `update ${table} set environment = environment`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ];

    async function send(url: string, statement: string): Promise<string> {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        await client.query(
          `select set_config('app.workspace', '${tenant.workspace}', false), set_config('app.environment', 'sandbox', false)`,
        );
        return await codeOf(client.query(statement));
      } finally {
        await client.end();
      }
    }

    for (const who of [...roles, 'owner', 'superuser'] as const) {
      it(`by the ${who}`, async () => {
        const { ownerUrl } = database;
        const superuserUrl = (await testCluster()).superuserUrl(DATABASE);
        const url = who === 'owner' ? ownerUrl : who === 'superuser' ? superuserUrl : roleUrl(ownerUrl, who);
        for (const statement of TABLES.flatMap(changes)) {
          expect(await send(url, statement), statement).to.equal('42501');
        }
      });
    }

    for (const role of ['api', 'operator'] as const) {
      it(`by the ${role}, also of pending entries and of the hash tree`, async () => {
        for (const statement of [
          `delete from audit_pending`,
          `update audit_pending set entry_id = entry_id`,
          `insert into audit_leaf select * from audit_leaf limit 0`,
          `insert into audit_node select * from audit_node limit 0`,
          `insert into audit_checkpoint select * from audit_checkpoint limit 0`,
          `insert into audit_entry (id, workspace_uid, environment, body) overriding system value
             select 1, 'w', 'sandbox', '' limit 0`,
        ]) {
          expect(await send(roleUrl(database.ownerUrl, role), statement), statement).to.equal('42501');
        }
      });
    }
  });
});

/** Returns the SQLSTATE of a failure. */
function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'allowed',
    (error: { code?: string }) => error.code ?? String(error),
  );
}
