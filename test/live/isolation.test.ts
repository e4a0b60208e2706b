import { expect } from 'chai';
import { sql } from 'kysely';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { roleName } from '#lib/database/roles.ts';
import { tables } from '#lib/products.ts';
import type { Manifest } from '#lib/core/product.ts';
import { asSuperuser } from '../support/rows.ts';
import { ensureRow } from '../support/bare-row.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { createInvocation } from '../support/agent.ts';
import { createInstrument } from '../support/market.ts';
import { createNettingSet } from '../support/netting-set.ts';
import { keepYears } from '../support/retention.ts';
import { createPack } from '../support/evidence-pack.ts';
import { createValueSnapshot } from '../support/value-snapshot.ts';
import { createForecastBatch } from '../support/forecast.ts';
import { createEvent } from '../support/event.ts';
import { createFeature } from '../support/feature.ts';
import { createProject } from '../support/research.ts';
import { createDelegation } from '../support/delegation.ts';
import { createException, createObservation } from '../support/order-batch.ts';
import { fillAiTables } from '../support/ai-connection.ts';
import { createSealedRun } from '../support/sealed-run.ts';
import { createConflict } from '../support/obligation.ts';
import { createDecision } from '../support/policy-record.ts';
import { fillLedgerTables } from '../support/ledger-tables.ts';
import { importCsv, importTiny } from '../support/import.ts';
import { fillWorkflowTables } from '../support/workflow-tables.ts';
import { onOneBackend } from '../support/live.ts';

type Tables = NonNullable<Manifest['tables']>;
type Row = Record<string, unknown>;

/** Returns every table whose rows belong to a workspace. */
const walled = Object.entries(tables as Tables).filter(([, { rows }]) => rows !== 'nobody');

/** Whether the role of the API may read all columns of a table. */
function mayRead(table: string): boolean {
  return /select(?! \()/.test((tables as Tables)[table]?.api ?? '');
}

// Row-level security must hold without the ORM filter: with raw SQL, and with the filter switched off.
onOneBackend('Row-level security', (live) => {
  let mine: Tenancy;
  let theirs: Tenancy;
  let tenant: Tenant;

  before(async () => {
    [mine, theirs] = [await buildTenancy(live()), await buildTenancy(live())];
    tenant = { workspace: mine.workspace, environment: 'sandbox' };
    await importTiny(live(), theirs.workspace);
    await keepYears(live(), theirs, 200);
    await createInstrument(live(), theirs);
    await createSealedRun(live(), theirs, scenariosRun);
    await createValueSnapshot(live(), theirs);
    await importCsv(live(), theirs.workspace, 'economics', ['series,date,value', 'GDPC1,2020-01-01,1']);
    for (const tenancy of [mine, theirs]) {
      // The workflow tables are filled before a call below creates a policy on payments, because this policy
      // denies requests without a currency.
      await fillWorkflowTables(live(), tenancy);
      await createConflict(live(), tenancy);
      await createNettingSet(live(), tenancy);
      // The observation is created before a call below creates a policy on payments, because this policy
      // denies a batch with an unknown currency.
      await createObservation(live(), tenancy);
      await createException(live(), tenancy);
      await createDecision(live(), tenancy);
      await createDelegation(live(), tenancy);
      await createFeature(live(), tenancy);
      await createProject(live(), tenancy, ['a']);
      await fillLedgerTables(live(), tenancy);
      await createForecastBatch(live(), tenancy);
      await createEvent(live(), tenancy);
      await fillAiTables(live(), tenancy);
      await createInvocation(live(), tenancy);
      await createPack(live(), tenancy);
    }
    await clientOf(live(), theirs.key).post(
      '/investment/theme-watch/factors',
      {},
      { 'idempotency-key': 'theirs' },
    );
    await clientOf(live(), mine.key).post('/investment/theme-watch/factors', {});
  });

  /**
   * Returns the rows of a table that row-level security shows to the API's role: without a workspace, and as each
   * tenancy. If the role lacks the privilege to read the table, the privilege is granted for the duration of the read.
   * If a table with a workspace column has no row of one of the two workspaces, it gets such a row for the duration of
   * the read.
   */
  const look = (table: string) =>
    asSuperuser(live(), async (client) => {
      await client.query(`begin; set local session_replication_role = replica`);
      await ensureRow(client, table, tenant);
      const environment = await ensureRow(client, table, { ...tenant, workspace: theirs.workspace });
      await client.query(`set local session_replication_role = origin`);
      const { rows: names } = await client.query<{ database: string }>(
        'select current_database() as database',
      );
      const api = client.escapeIdentifier(roleName(names[0]!.database, 'api'));
      if (!mayRead(table)) await client.query(`grant select on ${table} to ${api}`);
      await client.query(`set local role ${api}`);
      const as = async (workspace: string, at = environment) => {
        await client.query(
          `select set_config('app.workspace', $1, true), set_config('app.environment', $2, true)`,
          [workspace, at],
        );
        return (await client.query<Row>(`select * from ${table}`)).rows.map((row) => JSON.stringify(row));
      };
      return {
        nobody: await as('', ''),
        mine: await as(mine.workspace),
        theirs: await as(theirs.workspace),
        otherEnvironment: await as(theirs.workspace, environment === 'sandbox' ? 'production' : 'sandbox'),
      };
    });

  for (const [table, { rows }] of walled) {
    it(`shows the api role only the rows of the current workspace in ${table}`, async () => {
      const seen = await look(table);
      expect(seen.nobody, 'without a workspace').to.deep.equal([]);
      if (mayRead(table)) expect(seen.theirs, '`before` has to make a row').not.to.deep.equal([]);
      expect(seen.mine.filter((row) => seen.theirs.includes(row))).to.deep.equal([]);
      for (const foreign of [theirs.workspace, theirs.person, theirs.application, theirs.credential]) {
        expect(seen.mine.join('\n')).not.to.include(foreign);
      }
      const shared = seen.otherEnvironment.filter((row) => seen.theirs.includes(row));
      if (rows === 'environment') expect(shared, 'in the other environment').to.deep.equal([]);
    });
  }

  for (const [table] of walled.filter(([name]) => !mayRead(name))) {
    it(`denies the api role any read of ${table}`, async () => {
      expect(await codeOf(`select * from ${table}`)).to.equal('42501');
    });
  }

  const rowsOf = async (table: string, as: Tenant) => {
    const { rows } = await inTenant(live().orm('api'), as, (em) =>
      sql<Row>`select * from ${sql.table(table)}`.execute(em.getKysely()),
    );
    return rows;
  };

  /** Returns the error code of a statement of the api role. */
  const codeOf = (statement: string) =>
    inTenant(live().orm('api'), tenant, (em) => sql.raw(statement).execute(em.getKysely())).then(
      () => 'allowed',
      (error: { code?: string }) => error.code,
    );

  it('shows the samples of a run only to its workspace', async () => {
    expect(await rowsOf('run_matrix', { ...tenant, workspace: theirs.workspace })).to.have.length(1);
    expect(await rowsOf('run_matrix', tenant)).to.deep.equal([]);
  });

  it('hides the rows of the other environment', async () => {
    expect(await rowsOf('run', tenant)).not.to.deep.equal([]);
    expect(await rowsOf('run', { ...tenant, environment: 'production' })).to.deep.equal([]);
  });

  it('applies even with the ORM filter switched off', async () => {
    const runs = await inTenant(live().orm('api'), tenant, (em) => em.find(Run, {}, { filters: false }));
    expect([...new Set(runs.map((run) => run.workspaceUid))]).to.deep.equal([mine.workspace]);
  });

  it('throws in the ORM if no workspace was set', async () => {
    const error = await live()
      .orm('api')
      .em.fork()
      .find(Run, {})
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(Error);
  });

  const refusedWrites: [string, string][] = [
    ['issue a credential', `insert into credential select * from credential limit 0`],
    ['undo the revocation of a credential', `update credential set revoked_at = null`],
    ['grant scopes', `update application set scopes = '{investment:run}'`],
    ['change entitlements', `update workspace set entitlements = '{}'`],
    [
      'entitle a workspace to a dataset',
      `insert into dataset_entitlement select * from dataset_entitlement limit 0`,
    ],
    [
      'insert a ledger transaction',
      `insert into ledger_transaction select * from ledger_transaction limit 0`,
    ],
    ['approve a dataset', `insert into numeric_approval (dataset_id, revision) values (1, 1)`],
    ['insert a price', `insert into price select * from price limit 0`],
    [
      'activate a model',
      `insert into model_alias (key, alias, set_by, since) values ('m', 'active', 'api', now())`,
    ],
    ['approve a model', `update model_version set state = 'approved'`],
    ['insert a person', `insert into person select * from person limit 0`],
    ['insert a sealed result', `insert into run_result select * from run_result limit 0`],
    ['change a sealed result', `update run_result set members = '{}'`],
    ['insert samples of a run', `insert into run_matrix select * from run_matrix limit 0`],
    ['change the samples of a run', `update run_matrix set content = ''`],
    ['delete a run', `delete from run`],
    ['insert an event', `insert into event select * from event limit 0`],
    ['read the URL of a webhook', `select url from webhook`],
    ['change the input of a run', `update run set input = '{}'`],
  ];
  for (const [what, statement] of refusedWrites) {
    it(`forbids the api role to ${what}`, async () => {
      expect(await codeOf(statement)).to.equal('42501');
    });
  }

  it('forbids the api role to write a run into another workspace', async () => {
    const code = await inTenant(live().orm('api'), tenant, (em) =>
      sql`insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version,
            input, input_hash, dataset_revisions, request_id, created_at)
          values ('tfr_x', ${theirs.workspace}, 'sandbox', ${theirs.application}, 'k', 'queued', 'm', '1', '{}', 'h',
            '{}', 'r', now())`.execute(em.getKysely()),
    ).then(
      () => 'allowed',
      (error: { code?: string }) => error.code,
    );
    expect(code).to.equal('42501');
  });

  it('allows only the owner to own tables or to bypass the policies', async () => {
    const { rows } = await sql<{ super: boolean; bypass: boolean; owned: number }>`
      select bool_or(rolsuper) as super, bool_or(rolbypassrls) as bypass,
        (select count(*)::int from pg_tables t where t.tableowner = any(array_agg(rolname))) as owned
      from pg_roles where rolname like current_database() || '\\_%' and rolname <> current_database() || '_owner'
    `.execute(live().orm('operator').em.fork().getKysely());
    expect(rows[0]).to.deep.equal({ super: false, bypass: false, owned: 0 });
  });
});
