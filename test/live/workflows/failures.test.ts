import { expect } from 'chai';
import { Problem } from '#lib/core/problem.ts';
import type { Work } from '#lib/workflows/begin-step.write.ts';
import { sql } from 'kysely';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { type Tenancy } from '../../support/build.ts';
import { governAs } from '../../support/command.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';
import {
  advanceOnce,
  forecastWorkflow,
  openWorkflowStage,
  publishWorkflow,
  readWorkflowRun,
  startWorkflow,
  waitingWorkflow,
  type Approver,
} from '../../support/workflow.ts';

onOneBackend('A run of a workflow under faults', function (live) {
  let tenancy: Tenancy;
  let second: Approver;
  let waiting: WorkflowVersion;

  before(async () => {
    ({ tenancy, second, waiting } = await openWorkflowStage(live()));
  });

  const read = (uid: string) => readWorkflowRun(live(), tenancy, uid);
  const reaches = (uid: string, state: string) =>
    eventually(async () => (await read(uid)).run.state === state);
  const approve = (em: Em, run: string) =>
    governWithin(
      em,
      approveStep,
      { run, reason: 'a test' },
      {
        actor: { kind: 'person', uid: second.uid },
        place: { workspace: tenancy.workspace, environment: 'sandbox' },
        clock: systemClock,
      },
    );
  const asOperator = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm('operator'), { workspace: tenancy.workspace, environment: 'sandbox' }, work);

  it('leaves no effect of a task that was rejected midway', async () => {
    const version = await publishWorkflow(live(), tenancy, {
      ...waitingWorkflow,
      key: 'half-way',
      steps: [
        ...waitingWorkflow.steps,
        { key: 'balances', kind: 'task', task: 'planning.ledger-snapshot', input: {} },
      ],
    });
    const uid = await startWorkflow(live(), tenancy, version);
    await reaches(uid, 'waiting_approval');
    await asOperator(async (em) => {
      await approve(em, uid);
      await sql`update workflow_watch set look_at = now() + '1 hour' where run_uid = ${uid}`.execute(
        em.getKysely(),
      );
    });
    const halfWay: Work = {
      runs: {},
      perform: async (_task, em, _input, now) => {
        const subject = { type: 'workflow_run', uid };
        await appendAudit(em, { at: now, op: 'test.half_done', actor: { kind: 'system' }, subject });
        throw new Problem('validation_failed', 'It is refused.');
      },
    };
    await advanceOnce(live(), tenancy, uid, { work: halfWay });
    expect((await read(uid)).run).to.deep.include({ state: 'failed', errorCode: 'validation_failed' });
    const entries = await asOperator((em) => listAudit(em, { subject: uid, limit: 20 }));
    expect(entries.map(({ entry }) => entry.op))
      .to.include('workflow.run_ended')
      .and.not.include('test.half_done');
  });

  it('is postponed if it cannot be processed, without delaying other runs', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    await asSuperuser(live(), (client) =>
      client.query(`update workflow_step set state = 'running' where run_uid = $1`, [uid]),
    );
    const watch = (set: string) =>
      asSuperuser(live(), (client) =>
        client.query(`update workflow_watch set ${set} where run_uid = $1`, [uid]),
      );
    const postponed = new Date(Date.now() + 20_000);
    await watch(`look_at = now() - interval '1 day'`);
    await eventually(async () => {
      const { rows } = await asOperator((em) =>
        sql`select from workflow_watch where run_uid = ${uid} and look_at > ${postponed}`.execute(
          em.getKysely(),
        ),
      );
      return rows.length === 1;
    });
    await reaches(await startWorkflow(live(), tenancy, waiting), 'waiting_approval');
    await watch(`look_at = now() + interval '1 day'`);
  });

  it('retries temporary failures with the delay and the number of attempts of its definition', async () => {
    const [step] = forecastWorkflow.steps;
    const version = await publishWorkflow(live(), tenancy, {
      ...forecastWorkflow,
      key: 'patient',
      steps: [...waitingWorkflow.steps, { ...step, wait_seconds: 600 }],
    });
    const uid = await startWorkflow(live(), tenancy, version, { metric: 'economics.GDPC1' });
    await reaches(uid, 'waiting_approval');
    await asOperator(async (em) => {
      await approve(em, uid);
      // The test continues the run itself. The run is therefore due only in an hour, so that the worker of
      // the stack does not take it.
      await sql`update workflow_watch set look_at = now() + '1 hour' where run_uid = ${uid}`.execute(
        em.getKysely(),
      );
    });
    const away: Work = {
      runs: {
        [forecastsRun.key]: {
          ...forecastsRun,
          resolve: () => Promise.reject(new Problem('dependency_unavailable', 'It is away.')),
        },
      },
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

  it('is ended when it exceeds its time limit', async () => {
    const uid = await startWorkflow(live(), tenancy, waiting);
    await reaches(uid, 'waiting_approval');
    const { deadlineAt } = (await read(uid)).run;
    await advanceOnce(live(), tenancy, uid, { now: new Date(deadlineAt.getTime() - 1) });
    expect((await read(uid)).run.state).to.equal('waiting_approval');
    const approval = { run: uid, reason: 'a test' };
    const late = await governAs(live(), second.uid, approveStep, approval, { now: () => deadlineAt });
    expect(late).to.deep.include({ code: 'step_not_waiting' });
    await advanceOnce(live(), tenancy, uid, { now: deadlineAt });
    const { run, steps } = await read(uid);
    expect([run.state, run.errorCode, steps[0]!.state]).to.deep.equal([
      'timed_out',
      'time_limit_exceeded',
      'cancelled',
    ]);
  });
});
