import { expect } from 'chai';
import { sql } from 'kysely';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { meterRun, meterTask } from '#lib/workflows/meter.write.ts';
import { setRate } from '#lib/workflows/rate.write.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importEconomics } from '../../support/forecast.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';
import {
  advanceOnce,
  countJobs,
  forecastWorkflow,
  publishWorkflow,
  startWorkflow,
  workflowPolicy,
} from '../../support/workflow.ts';
import { finopsBody } from '../../support/workflow-tables.ts';

const POLICY = '/workflow-studio/finops/policy';
const may = new Date('2026-05-31T21:59:00Z');
/** The beginning of June in Berlin. */
const june = new Date('2026-05-31T22:00:00Z');

onOneBackend('The event finops.threshold_crossed', function (live) {
  let tenancy: Tenancy;
  let run: string;
  let steps = 0;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    await asRole('operator', async (em) => {
      await sql`update workspace set time_zone = 'Europe/Berlin' where uid = ${tenancy.workspace}`.execute(
        em.getKysely(),
      );
      const uid = newUid(prefixes.workflowRate);
      const since = new Date('2020-01-01T00:00:00Z');
      await setRate(em, { uid, currency: 'EUR', computeSecondMicro: 1_000_000, by: tenancy.person, since });
    });
    run = await startWorkflow(live(), tenancy, await publishWorkflow(live(), tenancy));
  });

  const asRole = <T>(role: 'operator' | 'worker', work: (em: Em) => Promise<T>) =>
    inTenant(live().orm(role), { workspace: tenancy.workspace, environment: 'sandbox' }, work);
  /** Meters a computation at a rate of one euro per second. */
  const meter = (em: Em, ms: number, now = may) =>
    meterTask(em, { run, workflow: 'waits', step: `step_${steps++}`, ms, now });
  const put = async (members: object) => {
    const { status, body } = await clientOf(live(), tenancy.key).put(POLICY, { ...finopsBody, ...members });
    expect(status, JSON.stringify(body)).to.equal(200);
  };
  const reported = async () => {
    const { rows } = await asRole('operator', (em) =>
      sql<{ details: any }>`
        select body::json -> 'details' as details from audit_entry
        where workspace_uid = ${tenancy.workspace} and op = 'finops.threshold_crossed' order by id
      `.execute(em.getKysely()),
    );
    return rows.map(({ details }) => [details.month, details.workflow ?? null, details.threshold_pct]);
  };

  it('is recorded with its cause once for each threshold, budget and month', async () => {
    await put({
      monthly_budget_minor: 100,
      per_workflow: [{ workflow_key: 'waits', monthly_budget_minor: 200 }],
    });
    await asRole('worker', (em) => meter(em, 490));
    expect(await reported()).to.deep.equal([]);
    const undone = asRole('worker', async (em) => {
      await meter(em, 10);
      throw new Error('the worker died');
    });
    await undone.catch(() => undefined);
    expect(await reported()).to.deep.equal([]);
    await asRole('worker', (em) => meter(em, 10));
    await asRole('worker', (em) => meter(em, 10));
    expect(await reported()).to.deep.equal([['2026-05', null, 50]]);
    await asRole('worker', (em) => meter(em, 1_000, june));
    const inJune = [
      ['2026-06', null, 50],
      ['2026-06', null, 80],
      ['2026-06', null, 100],
      ['2026-06', 'waits', 50],
    ];
    expect(await reported()).to.deep.equal([['2026-05', null, 50], ...inJune]);
    await put({ monthly_budget_minor: 100, labels: { team: 'x' } });
    await asRole('worker', (em) => meter(em, 1, june));
    expect(await reported()).to.have.length(5);
    const events = async () =>
      (await clientOf(live(), tenancy.key).get('/events?type=finops.threshold_crossed')).body.data;
    await eventually(async () => (await events()).length === 5);
    expect((await events())[4]).to.deep.include({
      actor_kind: 'system',
      details: {
        month: '2026-06',
        workflow: 'waits',
        threshold_pct: 50,
        currency: 'EUR',
        cost_basis: 'metered',
      },
    });
  });

  it('is recorded once if two runs cause it at the same time', async () => {
    await put({ monthly_budget_minor: 100, thresholds_pct: [50] });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const one = asRole('worker', async (em) => {
      await meter(em, 300);
      await held;
    });
    const other = asRole('worker', (em) => meter(em, 300));
    await eventually(() =>
      asSuperuser(live(), async (client) => {
        const waiting = `select from pg_locks where locktype = 'advisory' and not granted`;
        return (await client.query(waiting)).rowCount! > 0;
      }),
    );
    release();
    await Promise.all([one, other]);
    expect(await reported()).to.deep.equal([['2026-05', null, 50]]);
  });

  it('is recorded once if the end of a run is metered repeatedly', async () => {
    await put({ monthly_budget_minor: 0, thresholds_pct: [100] });
    await importEconomics(live(), tenancy.workspace);
    const version = await publishWorkflow(live(), tenancy, forecastWorkflow);
    const forecast = await startWorkflow(live(), tenancy, version, { metric: 'economics.GDPC1' });
    await eventually(async () => (await countJobs(live(), tenancy, forecast)).metered === 1);
    for (let again = 0; again < 3; again++) {
      await advanceOnce(live(), tenancy, forecast);
      await asRole('worker', (em) => meterRun(em, forecast, new Date()));
    }
    expect(await reported()).to.have.length(1);
  });

  it('is recorded at the start of a run if the budget uses estimated costs', async () => {
    await put({ cost_basis: 'estimated', monthly_budget_minor: 500, thresholds_pct: [100, 150] });
    expect(await reported()).to.deep.equal([]);
    const version = await publishWorkflow(live(), tenancy);
    await startWorkflow(live(), tenancy, version);
    await startWorkflow(live(), tenancy, version);
    expect((await reported()).map(([, , pct]) => pct)).to.deep.equal([100, 150]);
    const entries = await asRole('operator', (em) => listAudit(em, { limit: 2 }));
    expect(entries.map(({ entry }) => entry.op).toReversed()).to.deep.equal([
      'workflow.run_started',
      'finops.threshold_crossed',
    ]);
  });
});
