import { expect } from 'chai';
import { sql } from 'kysely';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { grants } from '#lib/database/grants.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
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

const tenantTables = ['workspace', 'person', 'application', 'credential', 'dataset', 'dataset_entitlement'];
const dataTables = [
  'dataset_import',
  'dataset_retention',
  'instrument',
  'instrument_version',
  'price',
  'corporate_action',
  'fundamental',
  'economic_series',
  'economic_observation',
  'taxonomy_version',
  'taxonomy_exposure',
];
const researchTables = ['research_project', 'project_version'];
const featureTables = ['feature', 'feature_version', 'feature_value', 'feature_materialisation'];
/** Transactions with their balances, companies with their metrics, numeric datasets. */
const ledgerTables = [
  'ledger_account',
  'ledger_import',
  'ledger_transaction',
  'ledger_posting',
  'ledger_snapshot',
  'company',
  'metric_definition',
  'company_metric',
  'numeric_version',
  'numeric_row',
  'numeric_description',
  'numeric_approval',
];
/** Tables that hold nothing of a workspace. */
const sharedTables = ['model_version', 'model_alias', 'rate_limit', 'penalty', 'signing_key'];
/** What is attested of a workspace. */
const attestedTables = ['evidence_pack', 'value_snapshot'];
/** Connections to AI providers, what they were used for, and the words that came of it. */
const aiTables = [
  'ai_connection',
  'ai_price',
  'ai_budget',
  'ai_call',
  'summary_wording_choice',
  'summary_wording',
];
/** Written by the operator, and in part by the API: who may call. */
const accessTables = ['oauth_client', 'access_token', 'credential_use', 'production_access', 'person_code'];
/** What was asked for together. */
const forecastTables = ['forecast_batch', 'forecast_batch_item'];
/** Numeric models, the statistics of their drift, and what follows from it. */
const modelTables = ['lqm_model', 'lqm_version', 'lqm_serving', 'drift_metric', 'retraining_request'];
/** Written by the API: what agents called. */
const agentTables = ['agent_invocation'];
/** Written by workers: for which forecasts one waits, and how they came out. */
const scoreTables = ['forecast_score', 'forecast_watch'];
const runTables = ['run', 'run_result', 'run_matrix', 'run_part', 'dispatch', 'idempotency_key'];
/** Order batches and the evidence of their execution. */
const executionTables = [
  'legacy_batch',
  'order_batch',
  'batch_order',
  'trade_confirmation',
  'custody_observation',
  'execution_exception',
];
/** Financial Actions. */
const delegationTables = [
  'delegation',
  'delegation_approval',
  'approval_intent',
  'delegation_window',
  'reservation',
];
const policyTables = ['governed_record', 'policy_set', 'policy_decision'];
const actionTables = ['counterparty', 'obligation', 'evidence_conflict', 'netting_set', ...executionTables];
/** What happened. Where it is sent is no business of the API's role, which may not even look. */
const eventTables = ['event'];
const webhookTables = ['event_position', 'webhook', 'webhook_delivery', 'webhook_attempt'];
/** Workflows, what was decided about their starts, their runs, and what those cost. */
const workflowTables = [
  'workflow_version',
  'workflow_admission',
  'workflow_run',
  'workflow_step',
  'workflow_step_run',
  'workflow_meter',
  'workflow_rate',
  'finops_policy',
];
/** Of operators and workers alone: which runs of workflows are looked at and started, with what files and budgets. */
const closedTables = [
  'workflow_watch',
  'workflow_schedule',
  'workflow_file',
  'workflow_file_chunk',
  'workflow_budget_crossing',
];
const auditTables = ['audit_entry', 'audit_pending', 'audit_leaf', 'audit_node', 'audit_checkpoint'];

// The second wall has to stand when the first is gone: with raw SQL, and with the ORM filter switched off.
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
    await createPack(live(), theirs);
    await createValueSnapshot(live(), theirs);
    await importCsv(live(), theirs.workspace, 'economics', ['series,date,value', 'GDPC1,2020-01-01,1']);
    for (const tenancy of [mine, theirs]) {
      // Before there is a policy about payments, which denies what names no currency.
      await fillWorkflowTables(live(), tenancy);
      await createConflict(live(), tenancy);
      await createNettingSet(live(), tenancy);
      // Before there is a policy about payments, which denies a batch whose currency it is not told.
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
    }
    await clientOf(live(), theirs.key).post(
      '/investment/theme-watch/factors',
      {},
      { 'idempotency-key': 'theirs' },
    );
    await clientOf(live(), mine.key).post('/investment/theme-watch/factors', {});
  });

  it('is tried on every table that there is', () => {
    const tried = [
      ...tenantTables,
      ...dataTables,
      ...featureTables,
      ...ledgerTables,
      ...researchTables,
      ...runTables,
      ...forecastTables,
      ...scoreTables,
      ...agentTables,
      ...accessTables,
      ...auditTables,
      ...actionTables,
      ...policyTables,
      ...delegationTables,
      ...modelTables,
      ...attestedTables,
      ...aiTables,
      'ai_connection_key',
      ...workflowTables,
      ...closedTables,
      ...sharedTables,
      ...eventTables,
      ...webhookTables,
    ];
    expect(tried.sort()).to.deep.equal(Object.keys(grants).sort());
  });

  const rowsOf = async (table: string, as: Tenant | undefined) => {
    const em = live().orm('api').em.fork();
    if (as)
      em.setSessionContext({
        variables: { 'app.workspace': as.workspace, 'app.environment': as.environment },
      });
    const { rows } = await em.transactional((inner) =>
      sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(inner.getKysely()),
    );
    return rows;
  };

  for (const table of [
    ...tenantTables,
    ...dataTables,
    ...featureTables,
    ...ledgerTables,
    ...researchTables,
    ...runTables,
    ...forecastTables,
    ...scoreTables,
    ...auditTables,
    ...actionTables,
    ...policyTables,
    ...delegationTables,
    ...modelTables,
    ...attestedTables,
    ...eventTables,
    ...aiTables,
    ...workflowTables,
  ]) {
    it(`shows the api role no row of ${table} without a workspace`, async () => {
      expect(await rowsOf(table, undefined)).to.deep.equal([]);
    });

    it(`shows the api role no row of another workspace in ${table}`, async () => {
      const text = JSON.stringify(await rowsOf(table, tenant));
      for (const foreign of [theirs.workspace, theirs.person, theirs.application, theirs.credential]) {
        expect(text).not.to.include(foreign);
      }
    });
  }

  for (const table of dataTables.filter((name) => !/^instrument|^dataset_import$/.test(name))) {
    it(`shows the owner of the data its rows of ${table}, and the other workspace none`, async () => {
      expect(await rowsOf(table, { ...tenant, workspace: theirs.workspace })).not.to.deep.equal([]);
      expect(await rowsOf(table, tenant)).to.deep.equal([]);
    });
  }

  const shown = [...ledgerTables, ...forecastTables, ...eventTables, ...aiTables, ...workflowTables];
  for (const table of [...shown, 'dataset_import']) {
    it(`shows each workspace its own rows of ${table} alone`, async () => {
      const own = (await rowsOf(table, tenant)).map((row) => JSON.stringify(row));
      const foreign = (await rowsOf(table, { ...tenant, workspace: theirs.workspace })).map((row) =>
        JSON.stringify(row),
      );
      expect(own).not.to.deep.equal([]);
      expect(foreign).not.to.deep.equal([]);
      expect(own.filter((row) => foreign.includes(row))).to.deep.equal([]);
    });
  }

  it('shows the owner of a run its samples, and the other workspace none', async () => {
    expect(await rowsOf('run_matrix', { ...tenant, workspace: theirs.workspace })).to.have.length(1);
    expect(await rowsOf('run_matrix', tenant)).to.deep.equal([]);
  });

  it('hides the rows of the other environment', async () => {
    expect(await rowsOf('run', tenant)).not.to.deep.equal([]);
    expect(await rowsOf('run', { ...tenant, environment: 'production' })).to.deep.equal([]);
  });

  it('holds with the ORM filter switched off', async () => {
    const runs = await inTenant(live().orm('api'), tenant, (em) => em.find(Run, {}, { filters: false }));
    expect([...new Set(runs.map((run) => run.workspaceUid))]).to.deep.equal([mine.workspace]);
  });

  it('throws in the ORM when no workspace was set, instead of reading all', async () => {
    const error = await live()
      .orm('api')
      .em.fork()
      .find(Run, {})
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(Error);
  });

  const refusedWrites: [string, string][] = [
    ['issue a credential', `insert into credential select * from credential limit 0`],
    ['revive a credential', `update credential set revoked_at = null`],
    ['grant scopes', `update application set scopes = '{investment:run}'`],
    ['widen an entitlement', `update workspace set entitlements = '{}'`],
    [
      'entitle itself to a dataset',
      `insert into dataset_entitlement select * from dataset_entitlement limit 0`,
    ],
    ['write a transaction', `insert into ledger_transaction select * from ledger_transaction limit 0`],
    ['approve a dataset', `insert into numeric_approval (dataset_id, revision) values (1, 1)`],
    ['write a price', `insert into price select * from price limit 0`],
    [
      'activate a model',
      `insert into model_alias (key, alias, set_by, since) values ('m', 'active', 'api', now())`,
    ],
    ['approve a model', `update model_version set state = 'approved'`],
    ['name a person', `insert into person select * from person limit 0`],
    ['write a sealed result', `insert into run_result select * from run_result limit 0`],
    ['change a sealed result', `update run_result set members = '{}'`],
    ['write the samples of a run', `insert into run_matrix select * from run_matrix limit 0`],
    ['change the samples of a run', `update run_matrix set content = ''`],
    ['delete a run', `delete from run`],
    ['make an event', `insert into event select * from event limit 0`],
    ['read the address of a webhook', `select url from webhook`],
    ['change the input of a run', `update run set input = '{}'`],
  ];
  for (const [what, statement] of refusedWrites) {
    it(`refuses the api role to ${what}`, async () => {
      const code = await inTenant(live().orm('api'), tenant, (em) =>
        sql.raw(statement).execute(em.getKysely()),
      ).then(
        () => 'allowed',
        (error: { code?: string }) => error.code,
      );
      expect(code).to.equal('42501');
    });
  }

  it('refuses the api role to write a run into another workspace', async () => {
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

  it('lets no role but the owner hold tables or pass the policies', async () => {
    const { rows } = await sql<{ super: boolean; bypass: boolean; owned: number }>`
      select bool_or(rolsuper) as super, bool_or(rolbypassrls) as bypass,
        (select count(*)::int from pg_tables t where t.tableowner = any(array_agg(rolname))) as owned
      from pg_roles where rolname like current_database() || '\\_%' and rolname <> current_database() || '_owner'
    `.execute(live().orm('operator').em.fork().getKysely());
    expect(rows[0]).to.deep.equal({ super: false, bypass: false, owned: 0 });
  });
});
