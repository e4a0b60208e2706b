import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { findAdmissions } from '#lib/workflows/read-admissions.query.ts';
import { findRuns } from '#lib/workflows/read-runs.query.ts';
import { postponeStart } from '#lib/workflows/start-due.write.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import { startDue } from '#workers/workflows/start-due.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { governAs } from '../../support/command.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { eventually } from '../../support/runs.ts';
import { advanceOnce, publishWorkflow, waitingWorkflow, workflowPolicy } from '../../support/workflow.ts';

const MINUTE = 60_000;
const swift = {
  ...waitingWorkflow,
  parameters: [{ name: 'day', type: 'date', description: 'A day.', required: false }],
  steps: [{ key: 'report', kind: 'report', title: 'Report', figures: { one: 1 } }],
};

onOneBackend('assay workflow schedule', function (live) {
  const asOperator = <T>(of: Tenancy, work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm('operator'), { workspace: of.workspace, environment: 'sandbox' }, work);
  const command = (...words: string[]) => assay(live(), 'workflow', ...words, '--json');
  const runsOf = (of: Tenancy) => asOperator(of, (em) => findRuns(em, { limit: 100 }));
  const admissionsOf = (of: Tenancy) => asOperator(of, (em) => findAdmissions(em, { limit: 100 }));
  const listed = async (of: Tenancy) =>
    (await command('schedules', '--workspace', of.workspace)).json.data[0] as Record<string, any>;
  const ready = async (definition: object = swift) => {
    const tenancy = await buildTenancy(live());
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    await publishWorkflow(live(), tenancy, definition);
    return tenancy;
  };
  const set = async (of: Tenancy, ...words: string[]) => {
    const place = ['--workspace', of.workspace, '--app', of.application, '--as', of.person];
    return command('schedule', 'waits', ...place, ...words);
  };
  const at = (scheduled: { json: any }, later: number) =>
    new Date(Date.parse(scheduled.json.next_at) + later);

  it('starts one admitted run when it is due, for any number of concurrent checks', async () => {
    const tenancy = await ready();
    const scheduled = await set(tenancy, '--every', '1h');
    expect(scheduled.json, scheduled.stderr).to.deep.include({ state: 'active', time_zone: 'UTC' });
    await startDue(live().orm('worker'), at(scheduled, -1));
    expect(await runsOf(tenancy)).to.deep.equal([]);
    const now = at(scheduled, 0);
    await Promise.all([1, 2, 3, 4].map(() => startDue(live().orm('worker'), now)));
    await startDue(live().orm('worker'), at(scheduled, 59 * MINUTE));
    const [run, ...others] = await runsOf(tenancy);
    expect(others).to.deep.equal([]);
    const [{ admission }] = (await admissionsOf(tenancy)) as [any];
    expect(run!.run.admissionUid).to.equal(admission.uid);
    const { body } = await clientOf(live(), tenancy.key).get('/workflow-studio/admission/decisions');
    expect(body.data[0]).to.deep.include({
      trigger: 'schedule',
      decision: 'admitted',
      run_uid: run!.run.uid,
      requested_by: { kind: 'person', uid: tenancy.person },
    });
    expect(await listed(tenancy)).to.deep.include({
      last_outcome: 'started',
      last_run: run!.run.uid,
      last_at: scheduled.json.next_at,
      next_at: at(scheduled, 60 * MINUTE).toISOString(),
    });
  });

  it('starts one run on the workers for all missed times', async () => {
    const tenancy = await ready();
    const scheduled = await set(tenancy, '--every', '1h');
    await asOperator(tenancy, (em) =>
      sql`update workflow_schedule set due_at = now() - interval '150 minutes', look_at = now()
        where uid = ${scheduled.json.uid}`.execute(em.getKysely()),
    );
    await eventually(async () => (await runsOf(tenancy))[0]?.run.state === 'succeeded');
    expect(await runsOf(tenancy)).to.have.length(1);
    expect(await listed(tenancy)).to.deep.include({ last_outcome: 'started', last_missed: 2 });
  });

  it('records a denial and stays active if policies, version, person or parameters do not allow the run', async () => {
    const tenancy = await ready();
    const scheduled = await set(tenancy, '--every', '1h');
    const change = (statement: ReturnType<typeof sql>) =>
      asOperator(tenancy, (em) => statement.execute(em.getKysely()));
    let hour = 0;
    const denied = async (code: string) => {
      await startDue(live().orm('worker'), at(scheduled, hour++ * 60 * MINUTE));
      const [{ admission }] = (await admissionsOf(tenancy)) as [any];
      expect([admission.decision, ...admission.refusals.map((each: any) => each.code)]).to.deep.equal([
        'denied',
        code,
      ]);
      expect(await listed(tenancy)).to.deep.include({ last_outcome: 'denied', last_run: null });
    };
    const own = sql`where workspace_uid = ${tenancy.workspace}`;
    await change(sql`update person set state = 'suspended' ${own}`);
    await denied('person_not_active');
    await change(sql`update person set state = 'active' ${own}`);
    await change(sql`update application set scopes = '{}', status = 'suspended' ${own}`);
    await denied('application_inactive');
    await change(sql`update application set status = 'active' ${own}`);
    await change(sql`update workflow_version set state = 'withdrawn', ended_at = now() ${own}`);
    await denied('version_not_published');
    await publishWorkflow(live(), tenancy, {
      ...swift,
      parameters: [{ ...swift.parameters[0], required: true }],
    });
    await denied('parameters_invalid');
    expect(await runsOf(tenancy)).to.deep.equal([]);
  });

  it('starts no run while its previous run is open', async () => {
    const tenancy = await ready(waitingWorkflow);
    const scheduled = await set(tenancy, '--every', '1h');
    await startDue(live().orm('worker'), at(scheduled, 0));
    const [{ run }] = (await runsOf(tenancy)) as [any];
    const now = at(scheduled, 0);
    await advanceOnce(live(), tenancy, run.uid, { now });
    const approval = { run: run.uid, reason: 'a test' };
    const own = await governAs(live(), tenancy.person, approveStep, approval, { now: () => now });
    expect(own).to.deep.include({ code: 'second_person_required' });
    await startDue(live().orm('worker'), at(scheduled, 60 * MINUTE));
    expect(await listed(tenancy)).to.deep.include({ last_outcome: 'still_open', last_run: run.uid });
    expect(await runsOf(tenancy)).to.have.length(1);
  });

  it('is suspended, resumed and removed by persons', async () => {
    const tenancy = await ready();
    for (const [words, code] of [
      [['--every', '30s'], 'schedule_invalid'],
      [['--cron', '0 0 31 2 *'], 'schedule_invalid'],
      [['--cron', '0 6 * * 1', '--time-zone', 'Europe/Nowhere'], 'schedule_invalid'],
      [[], 'schedule_invalid'],
      [['--every', '1h', '--app', 'app_none'], 'application_unknown'],
    ] as const) {
      expect((await set(tenancy, ...words)).stderr).to.match(new RegExp(`^${code}`));
    }
    const scheduled = await set(tenancy, '--cron', '0 6 * * 1', '--time-zone', 'Europe/Berlin');
    expect(scheduled.json, scheduled.stderr).to.deep.include({
      when: '0 6 * * 1',
      time_zone: 'Europe/Berlin',
    });
    const change = async (event: string) =>
      (await command(event, scheduled.json.uid, '--as', tenancy.person)) as Awaited<ReturnType<typeof assay>>;
    expect((await change('suspend')).json).to.deep.include({ state: 'suspended', next_at: null });
    await startDue(live().orm('worker'), at(scheduled, MINUTE));
    expect(await runsOf(tenancy)).to.deep.equal([]);
    expect((await change('resume')).json).to.deep.include({ next_at: scheduled.json.next_at });
    expect((await change('remove')).json).to.deep.include({ state: 'removed' });
    expect((await change('resume')).stderr).to.match(/^transition_not_allowed/);
    await startDue(live().orm('worker'), at(scheduled, MINUTE));
    expect(await admissionsOf(tenancy)).to.deep.equal([]);
  });

  it('keeps its due time and tries again if a start failed', async () => {
    const tenancy = await ready();
    const scheduled = await set(tenancy, '--every', '1h');
    const late = at(scheduled, MINUTE);
    await inTenant(live().orm('worker'), { workspace: tenancy.workspace, environment: 'sandbox' }, (em) =>
      postponeStart(em, scheduled.json.uid, late),
    );
    await startDue(live().orm('worker'), at(scheduled, MINUTE - 1));
    expect(await runsOf(tenancy)).to.deep.equal([]);
    await startDue(live().orm('worker'), late);
    expect(await listed(tenancy)).to.deep.include({ last_at: scheduled.json.next_at, last_missed: 0 });
  });
});
