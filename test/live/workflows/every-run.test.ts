import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant } from '#lib/database/orm.ts';
import { runs } from '#lib/runs.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { governAs } from '../../support/command.ts';
import { onOneBackend } from '../../support/live.ts';
import { createNettingSet } from '../../support/netting-set.ts';
import { serveModel, writeModel } from '../../support/numeric-model.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { eventually } from '../../support/runs.ts';
import {
  publishWorkflow,
  readWorkflowRun,
  startWorkflow,
  waitingWorkflow,
  workflowPolicy,
} from '../../support/workflow.ts';

const rows = Array.from({ length: 30 }, (_, at) => [100 + at, 50 + at / 2 + (at % 3)]);

onOneBackend('A step of a workflow', function (live) {
  let tenancy: Tenancy;
  let served: string;
  let model: string;
  let nettingSet: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    served = (await serveModel(live(), tenancy)).key;
    model = (await writeModel(live(), tenancy, { key: 'to_be_trained' })).uid;
    nettingSet = await createNettingSet(live(), tenancy);
  });

  const step = (key: string, job: string, input: object, needs: string[] = []) => ({
    ...{ key, kind: 'run', job, input, needs },
    ...{ attempts: 1, wait_seconds: 0 },
  });
  const publish = (key: string, steps: readonly object[], of = tenancy) =>
    publishWorkflow(live(), of, { ...waitingWorkflow, key, steps });
  const read = async (uid: string, of = tenancy) => {
    await eventually(async () => isOver((await readWorkflowRun(live(), of, uid)).run.state));
    return readWorkflowRun(live(), of, uid);
  };

  it('starts runs of every product with the request bodies of the API', async () => {
    const version = await publish('every-product', [
      step('train', 'modeling.trainings', { model_uid: model }),
      step('evaluate', 'modeling.evaluations', { model_uid: model, holdout_share: 0.25 }, ['train']),
      step('scenarios', 'generative.scenarios', {
        ...{ regime: 'ergodic', samples: 500, seed: 7 },
        stress: { literal: [{ factor: 'KO', shock: -0.1 }] },
      }),
      step('paths', 'generative.paths', { regime: 'ergodic', paths: 100, horizon: 6, seed: 7 }),
      step('named', 'generative.model-scenarios', { model: served, regime: 'ergodic', samples: 500 }),
      step('anomalies', 'generative.anomaly', {
        columns: ['revenue', 'cost'],
        reference: { literal: rows },
        method: 'mahalanobis',
      }),
      step('margin', 'investment.margin-calls', {
        netting_set_uid: nettingSet,
        valuation_date: '2026-11-20',
        currency: 'USD',
        mark_to_market_minor: 1_050_000_000,
        collateral_balance_minor: 0,
      }),
    ]);
    const { run, steps } = await read(await startWorkflow(live(), tenancy, version));
    expect(steps.map(({ key, state, errorCode }) => [key, state, errorCode ?? null])).to.deep.equal(
      version.definition.steps.map(({ key }) => [key, 'succeeded', null]),
    );
    expect(run.outputsHash).to.match(/^[0-9a-f]{64}$/);
    const sealed = steps.map(({ output }) => (output as { kind: string }).kind);
    expect(sealed).to.deep.equal(
      version.definition.steps.map((each) => (each.kind === 'run' ? each.job : null)),
    );
  });

  it('fails with the code of the API if a request is rejected', async () => {
    const version = await publish('refused', [
      step('margin', 'investment.margin-calls', { netting_set_uid: nettingSet, currency: 'USD' }),
    ]);
    const { run } = await read(await startWorkflow(live(), tenancy, version));
    expect(run.errorCode).to.equal('validation_failed');
  });

  for (const job of ['modeling.trainings', 'quant.research-snapshots', 'investment.margin-calls'] as const) {
    it(`starts no ${job} for an application without the required scope`, async () => {
      const own = await buildTenancy(live(), { workspace: tenancy.workspace });
      const asOperator = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
        inTenant(live().orm('operator'), { workspace: own.workspace, environment: 'sandbox' }, work);
      const version = await publish(
        job.replace('.', '-'),
        [...waitingWorkflow.steps, { ...step('run', job, {}), needs: ['ask'] }],
        own,
      );
      const uid = await startWorkflow(live(), own, version);
      await eventually(
        async () => (await readWorkflowRun(live(), own, uid)).run.state === 'waiting_approval',
      );
      await asOperator(async (em) => {
        await sql`update application set scopes = array_remove(scopes, ${runs[job].scope}) where uid = ${own.application}`.execute(
          em.getKysely(),
        );
      });
      await governAs(live(), tenancy.person, approveStep, { run: uid, reason: 'a test' });
      const { run, steps } = await read(uid, own);
      expect([run.errorCode, steps[1]!.jobUid ?? null]).to.deep.equal(['insufficient_scope', null]);
    });
  }
});
