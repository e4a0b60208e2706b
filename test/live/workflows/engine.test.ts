import { expect } from 'chai';
import { presentReport } from '#api/cli/workflows/workflow-present.ts';
import { checkSeal } from '#lib/core/seal.ts';
import type { StepDefinition, WorkflowDefinition } from '#lib/workflows/definition.schema.ts';
import { library } from '#lib/workflows/library.ts';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import { cancelWorkflowRun } from '#lib/workflows/cancel-run.command.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { governAs } from '../../support/command.ts';
import { importEconomics } from '../../support/forecast.ts';
import { importLedger } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';
import {
  advanceOnce,
  countJobs,
  forecastWorkflow,
  openWorkflowStage,
  publishWorkflow,
  readWorkflowRun,
  setWorkflowRate,
  startWorkflow,
  waitingWorkflow,
  type Approver,
} from '../../support/workflow.ts';

onOneBackend('A run of a workflow', function (live) {
  let tenancy: Tenancy;
  let second: Approver;
  let waiting: WorkflowVersion;
  let forecasting: WorkflowVersion;

  before(async () => {
    ({ tenancy, second, waiting } = await openWorkflowStage(live()));
    await importEconomics(live(), tenancy.workspace);
    forecasting = await publishWorkflow(live(), tenancy, forecastWorkflow);
  });

  const read = (uid: string) => readWorkflowRun(live(), tenancy, uid);
  const reaches = (uid: string, state: string) =>
    eventually(async () => (await read(uid)).run.state === state);
  const approve = (run: string, person = second.uid) =>
    governAs(live(), person, approveStep, { run, reason: 'a test' });
  const asOperator = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm('operator'), { workspace: tenancy.workspace, environment: 'sandbox' }, work);

  it('waits for another person and records the person who approved the step', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    expect(await approve(uid, tenancy.person)).to.deep.include({ code: 'second_person_required' });
    expect(await approve(uid)).to.deep.include({ ok: true, result: ['ask'] });
    await reaches(uid, 'succeeded');
    const { run, steps } = await read(uid);
    expect(steps[0]!.decidedByUid).to.equal(second.uid);
    expect(run.outputsHash).to.match(/^[0-9a-f]{64}$/);
    expect(await approve(uid)).to.deep.include({ code: 'step_not_waiting' });
    const entries = await asOperator((em) => listAudit(em, { subject: uid, limit: 20 }));
    expect(entries.map(({ entry }) => [entry.op, entry.outcome.code]).toReversed()).to.deep.equal([
      ['workflow.run_started', null],
      ['workflow.step_approved', 'second_person_required'],
      ['workflow.step_approved', null],
      ['workflow.run_ended', null],
      ['workflow.step_approved', 'step_not_waiting'],
    ]);
  });

  it('I-139: executes and meters a step once for any number of repetitions and workers', async () => {
    await setWorkflowRate(live(), tenancy);
    const uid = await startWorkflow(live(), tenancy, forecasting, { metric: 'economics.GDPC1' });
    await eventually(async () => {
      await Promise.all([1, 2, 3, 4].map(() => advanceOnce(live(), tenancy, uid)));
      return isOver((await read(uid)).run.state);
    });
    await Promise.all([1, 2, 3, 4].map(() => advanceOnce(live(), tenancy, uid)));
    expect((await read(uid)).run.errorCode ?? null).to.equal(null);
    expect(await countJobs(live(), tenancy, uid)).to.deep.equal({ requested: 1, metered: 1 });
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

  it('fails with the error code of an invalid step and starts no later step', async () => {
    const uid = await startWorkflow(live(), tenancy, forecasting, { metric: 'nothing_of_the_kind' });
    await reaches(uid, 'failed');
    const { run, steps } = await read(uid);
    expect([run.errorCode, steps[0]!.attempts]).to.deep.equal(['unknown_metric', 1]);
  });

  it('applies the current rights of its application to each step', async () => {
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
    await approve(uid, tenancy.person);
    await reaches(uid, 'failed');
    expect((await read(uid)).run.errorCode).to.equal('insufficient_scope');
    expect(await countJobs(live(), tenancy, uid)).to.deep.equal({ requested: 0, metered: 0 });
  });

  it('is cancelled by one person together with the compute run that it waits for', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    const cancel = () => governAs(live(), second.uid, cancelWorkflowRun, { run: uid, reason: 'a test' });
    expect(await cancel()).to.deep.include({ ok: true });
    expect(await cancel()).to.deep.include({ code: 'run_not_cancellable' });
    expect((await read(uid)).steps[0]!.state).to.equal('cancelled');
  });

  it('is recorded as cancelled earlier than the compute run that it waits for', async () => {
    const worker = live().pid('worker-numerics-1')!;
    process.kill(worker, 'SIGSTOP');
    try {
      const uid = await startWorkflow(live(), tenancy, forecasting, { metric: 'economics.GDPC1' });
      await eventually(async () => {
        await advanceOnce(live(), tenancy, uid);
        return (await read(uid)).steps[0]!.jobUid !== null;
      });
      const job = (await read(uid)).steps[0]!.jobUid!;
      const cancelled = await governAs(live(), second.uid, cancelWorkflowRun, { run: uid, reason: 'a test' });
      expect(cancelled).to.deep.include({ ok: true, result: { jobs: [job] } });
      const entries = await asOperator((em) => listAudit(em, { limit: 2 }));
      expect(entries.map(({ entry }) => [entry.op, entry.subject.uid]).toReversed()).to.deep.equal([
        ['workflow.run_cancelled', uid],
        ['run.cancelled', job],
      ]);
    } finally {
      process.kill(worker, 'SIGCONT');
    }
  });

  it('waits for a person or fails at a closed gate, as its definition states', async () => {
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

  it('seals and reports a weekly evidence pack after a person has approved it', async () => {
    const version = await publishWorkflow(live(), tenancy, library['weekly-evidence-pack']);
    const uid = await startWorkflow(live(), tenancy, version);
    await reaches(uid, 'waiting_approval');
    await approve(uid);
    await reaches(uid, 'succeeded');
    const report = presentReport(await read(uid))!;
    expect(checkSeal(report)).to.deep.include({ intact: true });
    expect(report['figures']).to.deep.include({ pack: (await read(uid)).steps[0]!.jobUid });
  });

  it('seals and reports the balances of the ledger once, as a step', async () => {
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
});
