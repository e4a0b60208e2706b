import { expect } from 'chai';
import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { Frontier, leafHash } from '#lib/audit/merkle.ts';
import { verifyConsistency, verifyInclusion } from '#lib/audit/merkle-verify.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import { proveConsistency, proveInclusion, readCheckpoints } from '#lib/audit/tree.query.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { placeAuditEntries } from '#workers/periodic/place-audit-entries.ts';
import { auditDatabase, event, type AuditDatabase } from '../../support/audit.ts';

describe('the sequencer of the audit log', function () {
  let database: AuditDatabase;

  before(async () => (database = await auditDatabase('assay_test_audit_sequencer')));
  after(() => database.close());

  const append = (tenant: Tenant, ...numbers: number[]) =>
    inTenant(database.orm('api'), tenant, async (em) => {
      for (const number of numbers) await appendAudit(em, event(number));
    });
  const place = (tenant: Tenant) => inTenant(database.orm('worker'), tenant, placePending);
  const checkpoints = (tenant: Tenant) =>
    inTenant(database.orm('api'), tenant, (em) => readCheckpoints(em, 0, 1e9));

  /**
   * Checks the whole Merkle tree. Returns the numbers of the events in the order of their positions in the
   * tree.
   */
  async function placed(tenant: Tenant): Promise<number[]> {
    const rows = await inTenant(database.orm('api'), tenant, (em) =>
      em.execute<{ index: string; body: string; pending: number }[]>(
        `select leaf_index as index, body, (select count(*)::int from audit_pending) as pending
         from audit_leaf join audit_entry on id = entry_id order by leaf_index`,
      ),
    );
    const tree = new Frontier();
    const roots = [tree.root()];
    for (const [at, { index, body, pending }] of rows.entries()) {
      expect({ index: Number(index), pending }).to.deep.equal({ index: at, pending: 0 });
      tree.append(leafHash(body));
      roots.push(tree.root());
    }
    for (const { size, root } of await checkpoints(tenant)) expect(root, `at ${size}`).to.equal(roots[size]);
    expect((await checkpoints(tenant)).at(-1)?.size ?? 0).to.equal(rows.length);
    return rows.map(({ body }) => Number(JSON.parse(body).subject.uid.slice('test_'.length)));
  }

  it('places entries in the order of their ids under one checkpoint', async () => {
    const tenant = await database.tenant();
    await append(tenant, 1, 2, 3);
    expect(await placed(tenant)).to.deep.equal([]);
    expect(await place(tenant)).to.equal(3);
    await append(tenant, 4, 5);
    expect(await place(tenant)).to.equal(2);
    expect(await place(tenant)).to.equal(0);
    expect(await placed(tenant)).to.deep.equal([1, 2, 3, 4, 5]);
    expect((await checkpoints(tenant)).map(({ size }) => size)).to.deep.equal([3, 5]);
    const listed = await inTenant(database.orm('api'), tenant, (em) => listAudit(em, { limit: 2 }));
    expect(listed.map(({ index }) => index)).to.deep.equal([4, 3]);
  });

  it('stores subtrees that prove the inclusion of each entry and the consistency of all checkpoints', async () => {
    const tenant = await database.tenant();
    for (let size = 1; size <= 20; size += 1) {
      await append(tenant, size);
      await place(tenant);
    }
    const known = await checkpoints(tenant);
    await inTenant(database.orm('api'), tenant, async (em) => {
      const entries = (await listAudit(em, { limit: 100 })).reverse();
      for (const { size, root } of known) {
        for (let index = 0; index < size; index += 1) {
          const proof = await proveInclusion(em, index, size);
          const claim = { leafHash: entries[index]!.leafHash, index, size, root, proof };
          expect(verifyInclusion(claim), `${index} of ${size}`).to.equal(true);
        }
        for (const earlier of known.filter((each) => each.size <= size)) {
          const [first, second] = [earlier.size, size];
          const proof = await proveConsistency(em, first, second);
          const claim = { first, second, firstRoot: earlier.root, secondRoot: root, proof };
          expect(verifyConsistency(claim), `${first} of ${second}`).to.equal(true);
        }
      }
    });
  });

  it('places an entry that is committed late after entries with higher ids', async () => {
    const tenant = await database.tenant();
    const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = inTenant(database.orm('api'), tenant, async (em) => {
      await appendAudit(em, event(1));
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    await append(tenant, 2, 3);
    await place(tenant);
    mayCommit.resolve();
    await late;
    await append(tenant, 4);
    await place(tenant);
    expect(await placed(tenant)).to.deep.equal([2, 3, 1, 4]);
  });

  it('places every entry once while several sequencers run and new entries arrive', async () => {
    const tenant = await database.tenant();
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let at = 0; at < 40; at += 1) await append(tenant, writer * 1_000 + at);
    });
    const written = new AbortController();
    const sequencers = Array.from({ length: 4 }, async () => {
      while (!written.signal.aborted) await placeAuditEntries(database.orm('worker'));
    });
    await Promise.all(writers);
    written.abort();
    await Promise.all(sequencers);
    await place(tenant);
    const numbers = await placed(tenant);
    expect(new Set(numbers).size).to.equal(240);
    expect(numbers).to.have.lengthOf(240);
    // Entries that one caller wrote one after the other keep their order.
    for (let writer = 0; writer < 6; writer += 1) {
      const own = numbers.filter((number) => Math.floor(number / 1_000) === writer);
      expect(own).to.deep.equal([...own].sort((a, b) => a - b));
    }
  });

  it('skips a log while another sequencer places its entries', async () => {
    const tenant = await database.tenant();
    await append(tenant, 1);
    await inTenant(database.orm('worker'), tenant, async (em) => {
      expect(await placePending(em)).to.equal(1);
      expect(await place(tenant)).to.equal(0);
    });
    expect(await placed(tenant)).to.deep.equal([1]);
  });

  it('completes the work of a sequencer that was killed midway', async () => {
    const tenant = await database.tenant();
    await append(tenant, 1, 2, 3);
    await place(tenant);
    await append(tenant, 4, 5);
    const dead = inTenant(database.orm('worker'), tenant, async (em) => {
      expect(await placePending(em)).to.equal(2);
      await die(em);
      await em.execute('select');
    });
    expect(
      await dead.then(
        () => 'lives',
        () => 'dead',
      ),
    ).to.equal('dead');
    expect((await checkpoints(tenant)).map(({ size }) => size)).to.deep.equal([3]);
    expect(await place(tenant)).to.equal(2);
    expect(await placed(tenant)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('separates the logs of workspaces and of environments', async () => {
    const [one, other] = [await database.tenant(), await database.tenant()];
    const production = { ...one, environment: 'production' } as const;
    await append(one, 1, 2);
    await append(other, 3);
    await append(production, 4);
    await placeAuditEntries(database.orm('worker'));
    await append(one, 5);
    await placeAuditEntries(database.orm('worker'));
    expect(await placed(one)).to.deep.equal([1, 2, 5]);
    expect(await placed(other)).to.deep.equal([3]);
    expect(await placed(production)).to.deep.equal([4]);
  });

  it('places more than one batch under one checkpoint', async () => {
    const tenant = await database.tenant();
    const count = 20_001;
    await inTenant(database.orm('api'), tenant, async (em) => {
      await sql`
        with template as (select ${'{"at":"2027-01-15T08:00:00.000Z","op":"test.happened",'}::text as head),
        written as (
          insert into audit_entry (workspace_uid, environment, body)
          select ${tenant.workspace}, ${tenant.environment},
            head || '"outcome":{"code":null,"status":"done"},"subject":{"type":"test","uid":"test_' || n || '","version":null}}'
          from template, generate_series(1, ${count}::integer) n order by n returning id
        )
        insert into audit_pending select id, ${tenant.workspace}, ${tenant.environment} from written
      `.execute(em.getKysely());
    });
    expect(await place(tenant)).to.equal(count);
    const numbers = await placed(tenant);
    expect(numbers).to.deep.equal(Array.from({ length: count }, (_, at) => at + 1));
    expect(await checkpoints(tenant)).to.have.lengthOf(1);
  });
});

/**
 * Ends the connection of a transaction from outside. The effect is the same as if the process of the transaction had
 * died.
 */
async function die(em: Em): Promise<void> {
  await em.execute('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
}
