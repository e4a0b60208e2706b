import { expect } from 'chai';
import { presentReport } from '#api/cli/workflow-present.ts';
import { Problem } from '#lib/core/problem.ts';
import { checkSeal } from '#lib/core/seal.ts';
import type { Work } from '#lib/workflows/begin-step.repository.ts';
import type { StepDefinition, WorkflowDefinition } from '#lib/workflows/definition.schema.ts';
import { library } from '#lib/workflows/library.ts';
import { sql } from 'kysely';
import { systemClock } from '#lib/core/clock.ts';
import { inTenant } from '#lib/database/orm.ts';
import { listAudit } from '#lib/audit/audit.repository.ts';
import { approveStep, cancelWorkflowRun } from '#lib/workflows/change-run.repository.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { importEconomics } from '../../support/forecast.ts';
import { importLedger } from '../../support/ledger.ts';
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

  it('is cancelled with what it waits for, by one person', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    const cancel = () =>
      asOperator((em) =>
        cancelWorkflowRun(em, uid, { person: second.uid, reason: 'a test', now: systemClock.now() }),
      );
    expect(await cancel()).to.deep.include({ ok: true });
    expect(await cancel()).to.deep.include({ code: 'run_not_cancellable' });
    expect((await read(uid)).steps[0]!.state).to.equal('cancelled');
  });

  it('ends when its time is over', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    const { deadlineAt } = (await read(uid)).run;
    await advanceOnce(live(), tenancy, uid, { now: new Date(deadlineAt.getTime() - 1) });
    expect((await read(uid)).run.state).to.equal('waiting_approval');
    await advanceOnce(live(), tenancy, uid, { now: deadlineAt });
    const { run, steps } = await read(uid);
    expect([run.state, run.errorCode, steps[0]!.state]).to.deep.equal([
      'timed_out',
      'time_limit_exceeded',
      'cancelled',
    ]);
  });

  it('tries again what may succeed later, after its wait and as often as its definition says', async () => {
    const [step] = forecastWorkflow.steps;
    const version = await publishWorkflow(live(), tenancy, {
      ...forecastWorkflow,
      key: 'patient',
      steps: [...waitingWorkflow.steps, { ...step, wait_seconds: 600 }],
    });
    const uid = await startWorkflow(live(), tenancy, version, { metric: 'economics.GDPC1' });
    await reaches(uid, 'waiting_approval');
    await asOperator(async (em) => {
      await approveStep(em, uid, { person: second, reason: 'a test', now: systemClock.now() });
      // so that the worker of the tests does not come first
      await sql`update workflow_watch set look_at = now() + '1 hour' where run_uid = ${uid}`.execute(
        em.getKysely(),
      );
    });
    const away: Work = {
      prepare: () => Promise.reject(new Problem('dependency_unavailable', 'It is away.')),
      perform: () => Promise.reject(new Error('there is no task')),
    };
    const begun = systemClock.now();
    const after = (seconds: number) => new Date(begun.getTime() + seconds * 1_000);
    const attempts = async () => (await read(uid)).steps[1]!.attempts;
    await advanceOnce(live(), tenancy, uid, { now: begun, work: away });
    await advanceOnce(live(), tenancy, uid, { now: after(599), work: away });
    expect([await attempts(), (await read(uid)).run.state]).to.deep.equal([1, 'running']);
    await advanceOnce(live(), tenancy, uid, { now: after(600), work: away });
    const { run, steps } = await read(uid);
    expect([steps[1]!.attempts, run.state, run.errorCode]).to.deep.equal([
      2,
      'failed',
      'dependency_unavailable',
    ]);
  });

  it('asks a person at a gate that is closed, or fails there, as its definition says', async () => {
    const gated = (otherwise: 'ask' | 'fail') =>
      publishWorkflow(live(), tenancy, {
        ...waitingWorkflow,
        key: `gate-${otherwise}`,
        parameters: [{ name: 'severity', type: 'text', description: 'How bad.', required: true }],
        steps: [
          {
            key: 'gate',
            kind: 'gate',
            value: { parameter: 'severity' },
            op: 'in',
            against: ['none', 'watch'],
            otherwise,
          },
          {
            key: 'report',
            kind: 'report',
            title: 'Report',
            figures: { seen: { step: 'gate', pointer: '/value' } },
          },
        ],
      });
    const ends = async (version: WorkflowVersion, severity: string, state: string) =>
      reaches(await startWorkflow(live(), tenancy, version, { severity }), state);
    const [ask, fail] = [await gated('ask'), await gated('fail')];
    await ends(ask, 'watch', 'succeeded');
    await ends(ask, 'material', 'waiting_approval');
    await ends(fail, 'material', 'failed');
  });

  it('signs the evidence of a week, and reports it once a person has looked', async () => {
    const version = await publishWorkflow(live(), tenancy, library['weekly-evidence-pack']);
    const uid = await startWorkflow(live(), tenancy, version);
    await reaches(uid, 'waiting_approval');
    await asOperator((em) =>
      approveStep(em, uid, { person: second, reason: 'a test', now: systemClock.now() }),
    );
    await reaches(uid, 'succeeded');
    const report = presentReport(await read(uid))!;
    expect(checkSeal(report)).to.deep.include({ intact: true });
    expect(report['figures']).to.deep.include({ pack: (await read(uid)).steps[0]!.jobUid });
  });

  it('seals the balances of the ledger as a step, once, and reports them', async () => {
    const day = '2024-06-30';
    await importLedger(live(), tenancy, [`${day},${day},credit,EUR,12.5,main,,Sale,sales,posted,flow-1,`]);
    const { balances, report } = Object.fromEntries(
      (library['weekly-ledger-close'] as WorkflowDefinition).steps.map((step) => [step.key, step]),
    );
    const { by_currency, as_of } = (report as Extract<StepDefinition, { kind: 'report' }>).figures;
    const version = await publishWorkflow(live(), tenancy, {
      ...waitingWorkflow,
      key: 'balances',
      parameters: [{ name: 'as_of', type: 'date', description: 'The day.', required: true }],
      steps: [balances, { ...report, needs: ['balances'], figures: { by_currency, as_of } }],
    });
    const uid = await startWorkflow(live(), tenancy, version, { as_of: day });
    await reaches(uid, 'succeeded');
    expect(presentReport(await read(uid))!['figures']).to.deep.equal({
      as_of: day,
      by_currency: [{ currency: 'EUR', ledger_minor: 1_250 }],
    });
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
