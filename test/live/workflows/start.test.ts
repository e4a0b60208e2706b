import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { library } from '#lib/workflows/library.ts';
import { changeVersion } from '#lib/workflows/change-version.command.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { doneAs } from '../../support/command.ts';
import { onOneBackend } from '../../support/live.ts';
import { changedTables, countRows } from '../../support/rows.ts';
import {
  admitWorkflow,
  forecastWorkflow,
  openWorkflowStage,
  publishWorkflow,
  startAdmitted,
  waitingWorkflow,
  type Approver,
} from '../../support/workflow.ts';

onOneBackend('The start of a run of a workflow', function (live) {
  let tenancy: Tenancy;
  let second: Approver;
  let waiting: WorkflowVersion;
  let forecasting: WorkflowVersion;

  before(async () => {
    ({ tenancy, second, waiting } = await openWorkflowStage(live()));
    forecasting = await publishWorkflow(live(), tenancy, forecastWorkflow);
  });

  const asOperator = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm('operator'), { workspace: tenancy.workspace, environment: 'sandbox' }, work);
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );

  it('I-130: requires an unused admission for its version and parameters', async () => {
    const admission = await admitWorkflow(live(), tenancy, waiting);
    const start = (version: WorkflowVersion, more: object = {}) =>
      startAdmitted(live(), tenancy, { version, admission, ...more });
    expect(await codeOf(start(forecasting, { parameters: { metric: 'm' } }))).to.equal('23514');
    const requested = await admitWorkflow(live(), tenancy, forecasting, { metric: 'economics.GDPC1' });
    const otherParameters = {
      version: forecasting,
      admission: requested,
      parameters: { metric: 'economics.CPI' },
    };
    expect(await codeOf(startAdmitted(live(), tenancy, otherParameters))).to.equal('23514');
    const together = await Promise.all([1, 2, 3].map(() => codeOf(start(waiting))));
    expect(together.sort()).to.deep.equal(['23505', '23505', 'done']);
    expect(await codeOf(start(waiting))).to.equal('23505');
  });

  it('I-130: fails if the admission was denied or has expired or the version was withdrawn', async () => {
    const short = await publishWorkflow(live(), tenancy, { ...waitingWorkflow, key: 'short-lived' });
    const early = await admitWorkflow(live(), tenancy, short);
    await doneAs(live(), second.uid, changeVersion, { version: short.uid, event: 'withdraw' });
    expect(await codeOf(startAdmitted(live(), tenancy, { version: short, admission: early }))).to.equal(
      '23514',
    );
    const stranger = await buildTenancy(live());
    const version = await publishWorkflow(live(), stranger);
    const denied = await admitWorkflow(live(), stranger, version);
    expect(denied.decision).to.equal('denied');
    expect(await codeOf(startAdmitted(live(), stranger, { version, admission: denied }))).to.equal('23514');
    const admission = await admitWorkflow(live(), tenancy, waiting);
    const late = asOperator((em) =>
      sql`insert into workflow_run (uid, workspace_uid, environment, admission_uid, version_uid, workflow_key,
            application_uid, requested_by_uid, parameters, inputs_hash, state, created_at, deadline_at)
          values ('wfr_late', ${tenancy.workspace}, 'sandbox', ${admission.uid}, ${waiting.uid}, 'waits',
            ${tenancy.application}, ${tenancy.person}, '{}', ${admission.inputsHash}, 'queued',
            ${admission.expiresAt}, ${admission.expiresAt})`.execute(em.getKysely()),
    );
    expect(await codeOf(late)).to.equal('23514');
  });

  it('is denied and recorded if the version starts a run that is no longer declared', async () => {
    const steps = [{ ...forecastWorkflow.steps[0], job: 'planning.oracles' }];
    const gone = { 'planning.oracles': { scope: 'planning:forecast:create' } } as const;
    const definition = { ...forecastWorkflow, key: 'outlived', steps };
    const version = await publishWorkflow(live(), tenancy, definition, gone);
    const { decision, refusals } = await admitWorkflow(live(), tenancy, version, { metric: 'm' });
    expect([decision, refusals]).to.deep.equal([
      'denied',
      [{ code: 'run_undeclared', runs: ['planning.oracles'] }],
    ]);
  });

  it('I-135: versions that are published concurrently get different numbers, and exactly one of them stays published', async () => {
    const definition = { ...waitingWorkflow, key: 'in-turn' };
    const versions = await Promise.all([1, 2, 3].map(() => publishWorkflow(live(), tenancy, definition)));
    expect(versions.map(({ version }) => version).sort()).to.deep.equal([1, 2, 3]);
    const { rows } = await asOperator((em) =>
      sql<{
        state: string;
      }>`select state from workflow_version where key = 'in-turn' and workspace_uid = ${tenancy.workspace}
        order by published_at`.execute(em.getKysely()),
    );
    expect(rows.map(({ state }) => state).sort()).to.deep.equal(['published', 'superseded', 'superseded']);
  });

  it('I-134: is not granted by publishing the workflows of the library', async () => {
    const before = await countRows(live(), tenancy.workspace);
    const published = [];
    for (const definition of Object.values(library)) {
      published.push(await publishWorkflow(live(), tenancy, definition));
    }
    const after = await countRows(live(), tenancy.workspace);
    expect(changedTables(before, after)).to.deep.equal(['audit_entry', 'person', 'workflow_version']);
    expect(published.map(({ state }) => state)).to.deep.equal(published.map(() => 'published'));
  });

  it('keeps an admission that no role can change or delete', async () => {
    for (const role of ['operator', 'api', 'worker'] as const) {
      for (const statement of [
        'update workflow_admission set decision = $$admitted$$',
        'delete from workflow_admission',
      ]) {
        const attempt = inTenant(
          live().orm(role),
          { workspace: tenancy.workspace, environment: 'sandbox' },
          (em) => sql.raw(statement).execute(em.getKysely()),
        );
        expect(await codeOf(attempt), `${role}: ${statement}`).to.equal('42501');
      }
    }
    for (const table of [
      'workflow_admission',
      'workflow_run',
      'workflow_step',
      'workflow_version',
      'workflow_rate',
    ]) {
      const attempt = inTenant(
        live().orm('api'),
        { workspace: tenancy.workspace, environment: 'sandbox' },
        (em) => sql.raw(`insert into ${table} select * from ${table} limit 0`).execute(em.getKysely()),
      );
      expect(await codeOf(attempt), table).to.equal('42501');
    }
  });
});
