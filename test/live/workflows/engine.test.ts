import { expect } from 'chai';
import { sql } from 'kysely';
import { systemClock } from '#lib/core/clock.ts';
import { inTenant } from '#lib/database/orm.ts';
import { listAudit } from '#lib/audit/audit.repository.ts';
import { approveStep, cancelWorkflowRun } from '#lib/workflows/change-run.repository.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { importEconomics } from '../../support/forecast.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { eventually } from '../../support/runs.ts';
import {
  admitWorkflow,
  advanceOnce,
  countJobs,
  forecastWorkflow,
  publishWorkflow,
  readWorkflowRun,
  setWorkflowRate,
  startAdmitted,
  startWorkflow,
  waitingWorkflow,
  workflowPolicy,
} from '../../support/workflow.ts';

onOneBackend('A run of a workflow', function (live) {
  this.timeout(90_000);
  let tenancy: Tenancy;
  let second: { uid: string; roles: string[] };
  let waiting: WorkflowVersion;
  let forecasting: WorkflowVersion;

  before(async () => {
    tenancy = await buildTenancy(live());
    const other = await buildTenancy(live(), { workspace: tenancy.workspace });
    second = { uid: other.person, roles: ['owner'] };
    await importEconomics(live(), tenancy.workspace);
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    waiting = await publishWorkflow(live(), tenancy);
    forecasting = await publishWorkflow(live(), tenancy, forecastWorkflow);
  });

  const read = (uid: string) => readWorkflowRun(live(), tenancy, uid);
  const reaches = (uid: string, state: string) =>
    eventually(async () => (await read(uid)).run.state === state);
  const asOperator = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm('operator'), { workspace: tenancy.workspace, environment: 'sandbox' }, work);
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );

  it('I-130: is started by a live admission of its own, once, and by nothing else', async () => {
    const admission = await admitWorkflow(live(), tenancy, waiting);
    const start = (version: WorkflowVersion, more: object = {}) =>
      startAdmitted(live(), tenancy, { version, admission, ...more });
    const otherInputs = startAdmitted(live(), tenancy, {
      version: waiting,
      admission: { ...admission, inputsHash: '0'.repeat(64) } as typeof admission,
    });
    expect(await codeOf(otherInputs)).to.equal('23514');
    expect(await codeOf(start(forecasting, { parameters: { metric: 'm' } }))).to.equal('23514');
    const together = await Promise.all([1, 2, 3].map(() => codeOf(start(waiting))));
    expect(together.sort()).to.deep.equal(['23505', '23505', 'done']);
    expect(await codeOf(start(waiting))).to.equal('23505');
  });

  it('I-130: is not started by an admission that was denied or has expired', async () => {
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

  it('waits for another person, and is told who let it go on', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    const approve = (person: typeof second) =>
      asOperator((em) => approveStep(em, uid, { person, reason: 'a test', now: systemClock.now() }));
    expect(await approve({ uid: tenancy.person, roles: ['owner'] })).to.deep.include({
      code: 'second_person_required',
    });
    expect(await approve(second)).to.deep.equal({ ok: true, steps: ['ask'] });
    await reaches(uid, 'succeeded');
    const { run, steps } = await read(uid);
    expect(steps[0]!.decidedByUid).to.equal(second.uid);
    expect(run.outputsHash).to.match(/^[0-9a-f]{64}$/);
    expect(await approve(second)).to.deep.include({ code: 'step_not_waiting' });
    const entries = await asOperator((em) => listAudit(em, { subject: uid, most: 20 }));
    expect(entries.map(({ entry }) => [entry.op, entry.outcome.code]).toReversed()).to.deep.equal([
      ['workflow.run_started', null],
      ['workflow.step_approved', 'second_person_required'],
      ['workflow.step_approved', null],
      ['workflow.run_ended', null],
      ['workflow.step_approved', 'step_not_waiting'],
    ]);
  });

  it('I-139: asks for a step once and meters it once, however often and by however many it is taken on', async () => {
    await setWorkflowRate(live(), tenancy);
    const uid = await startWorkflow(live(), tenancy, forecasting, { metric: 'economics.GDPC1' });
    await eventually(async () => {
      await Promise.all([1, 2, 3, 4].map(() => advanceOnce(live(), tenancy, uid)));
      return isOver((await read(uid)).run.state);
    });
    await Promise.all([1, 2, 3, 4].map(() => advanceOnce(live(), tenancy, uid)));
    expect((await read(uid)).run.errorCode ?? null).to.equal(null);
    expect(await countJobs(live(), tenancy, uid)).to.deep.equal({ asked: 1, metered: 1 });
    const { cost, steps } = await read(uid);
    const { rows } = await asOperator((em) =>
      sql<{ ms: number }>`select round(extract(epoch from finished_at - started_at) * 1000)::int as ms
        from run where uid = ${steps[0]!.jobUid}`.execute(em.getKysely()),
    );
    expect(cost).to.deep.include({ currency: 'EUR', micro: BigInt(rows[0]!.ms) * 1_000n, isFloor: false });
    const watched = await asOperator((em) =>
      sql`select from workflow_watch where run_uid = ${uid}`.execute(em.getKysely()),
    );
    expect(watched.rows).to.deep.equal([]);
  });

  it('fails with the code of what a step cannot ask for, and begins nothing behind it', async () => {
    const uid = await startWorkflow(live(), tenancy, forecasting, { metric: 'nothing_of_the_kind' });
    await reaches(uid, 'failed');
    const { run, steps } = await read(uid);
    expect([run.errorCode, steps[0]!.attempts]).to.deep.equal(['unknown_metric', 1]);
  });

  it('goes on with what its application may do at that moment', async () => {
    const own = await buildTenancy(live(), { workspace: tenancy.workspace });
    const uid = await startWorkflow(
      live(),
      own,
      await publishWorkflow(live(), own, {
        ...forecastWorkflow,
        key: 'behind-a-person',
        steps: [...waitingWorkflow.steps, ...forecastWorkflow.steps],
      }),
      { metric: 'economics.GDPC1' },
    );
    await reaches(uid, 'waiting_approval');
    await asOperator((em) =>
      sql`update application set scopes = '{workflow:read}' where uid = ${own.application}`.execute(
        em.getKysely(),
      ),
    );
    await asOperator((em) =>
      approveStep(em, uid, {
        person: { uid: tenancy.person, roles: ['owner'] },
        reason: 'a test',
        now: systemClock.now(),
      }),
    );
    await reaches(uid, 'failed');
    expect((await read(uid)).run.errorCode).to.equal('insufficient_scope');
    expect(await countJobs(live(), tenancy, uid)).to.deep.equal({ asked: 0, metered: 0 });
  });

  it('is cancelled with what it waits for by one person, and ends when its time is over', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    const cancel = () =>
      asOperator((em) =>
        cancelWorkflowRun(em, uid, { person: second.uid, reason: 'a test', now: systemClock.now() }),
      );
    expect(await cancel()).to.deep.include({ ok: true });
    expect(await cancel()).to.deep.include({ code: 'run_not_cancellable' });
    expect((await read(uid)).steps[0]!.state).to.equal('cancelled');
    const slow = await startWorkflow(live(), tenancy, waiting);
    await reaches(slow, 'waiting_approval');
    await asOperator((em) =>
      sql`update workflow_watch set look_at = now() where run_uid = ${slow}`.execute(em.getKysely()),
    );
    expect((await read(slow)).run.state).to.equal('waiting_approval');
  });

  it('keeps admissions for ever: no role changes or deletes one, and the API starts nothing', async () => {
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
