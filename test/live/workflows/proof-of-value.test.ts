import { expect } from 'chai';
import { sql } from 'kysely';
import { checkSeal } from '#lib/core/seal.ts';
import { addDays } from '#lib/core/date.ts';
import { systemClock, utcDate } from '#lib/core/clock.ts';
import { inTenant } from '#lib/database/orm.ts';
import { decideProofs } from '#workers/workflows/decide-proofs.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';
import { openWorkflowStage, startWorkflow } from '../../support/workflow.ts';
import { proofTerms } from '../../support/workflow-library.ts';

const PATH = '/workflows/proof-of-value';
const DAY_MS = 86_400_000;

onOneBackend('A proof of value', function (live) {
  let stage: Awaited<ReturnType<typeof openWorkflowStage>>;
  before(async () => {
    stage = await openWorkflowStage(live());
  });

  const post = (given: object) => clientOf(live(), stage.tenancy.key).post(PATH, given);
  const terms = (given: Record<string, unknown> = {}) => proofTerms(stage.waiting.key, given);
  const today = utcDate(systemClock.now());

  it('refuses terms that are not valid, with a code and a pointer', async () => {
    const { baseline, window } = terms() as any;
    const { source_hash: _, ...unproven } = baseline;
    const share = { objective: 'coverage', target: { value: '0.9', direction: 'increase' } };
    const proven = { ...baseline, value: '0.5' };
    const refusals: [given: Record<string, unknown>, code: string, pointer: string][] = [
      [{ baseline: unproven }, 'baseline_evidence_required', '/baseline/source_hash'],
      [{ window: { ...window, to: today } }, 'window_invalid', '/window'],
      [{ window: { from: today, to: addDays(today, 367) } }, 'window_invalid', '/window'],
      [{ window: { from: addDays(today, -1), to: window.to } }, 'window_in_past', '/window/from'],
      [{ statistic: 'share_succeeded' }, 'statistic_mismatch', '/statistic'],
      [{ objective: 'cost_reduction' }, 'invalid_currency', '/baseline/currency'],
      [{ ...share, baseline: proven, measure: 'cost_minor' }, 'statistic_mismatch', '/measure'],
      [
        { ...share, baseline: proven, target: { value: '0.1', direction: 'decrease' } },
        'statistic_mismatch',
        '/target/direction',
      ],
      [
        { ...share, baseline: proven, target: { value: '90', direction: 'increase' } },
        'validation_failed',
        '/target/value',
      ],
      [{ target: { value: 'NaN', direction: 'decrease' } }, 'validation_failed', '/target/value'],
      [{ baseline: { ...baseline, samples: Array(5).fill('1') } }, 'validation_failed', '/baseline/samples'],
      [{ workflow_key: 'nothing' }, 'unknown_workflow', '/workflow_key'],
    ];
    for (const [given, code, pointer] of refusals) {
      const { status, body } = await post(terms(given));
      expect([status, body.code, body.errors?.[0]?.pointer], JSON.stringify(given)).to.deep.equal([
        422,
        code,
        pointer,
      ]);
    }
    expect((await clientOf(live(), stage.tenancy.key).get(PATH)).body.data).to.deep.equal([]);
  });

  it('gives one sealed verdict after the window ends, based on every run that ended in the window', async () => {
    const samples = ['5000', '5100', '5200', '5300', '5400', '5500'];
    const { baseline } = terms() as any;
    const created = await post(
      terms({ baseline: { ...baseline, samples }, window: { from: today, to: addDays(today, 1) } }),
    );
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const { uid } = created.body;
    expect(created.body).to.deep.include({
      state: 'collecting',
      verdict: 'insufficient_evidence',
      measured: null,
    });
    const twice = await post(terms());
    expect([twice.status, twice.body.code]).to.deep.equal([409, 'proof_of_value_active']);
    const { tenancy, waiting } = stage;
    for (let run = 0; run < 7; run += 1) await startWorkflow(live(), tenancy, waiting);
    const place = { workspace: tenancy.workspace, environment: tenancy.environment };
    await inTenant(live().orm('operator'), place, (em) =>
      sql`
        update workflow_run set state = case when uid = (select min(uid) from workflow_run
            where workspace_uid = ${tenancy.workspace}) then 'cancelled' else 'failed' end, ended_at = created_at
        where uid <> (select max(uid) from workflow_run where workspace_uid = ${tenancy.workspace})
          and workspace_uid = ${tenancy.workspace}
      `.execute(em.getKysely()),
    );
    const worker = live().orm('worker');
    expect(await decideProofs(worker)).to.equal(0);
    const end = new Date(`${addDays(today, 1)}T00:10:00Z`);
    expect(await decideProofs(worker, new Date(end.getTime() - 1))).to.equal(0);
    const both = await Promise.all([decideProofs(worker, end), decideProofs(worker, end)]);
    expect(both.sort()).to.deep.equal([0, 1]);
    expect(await decideProofs(worker, new Date(end.getTime() + DAY_MS))).to.equal(0);

    const { body } = await clientOf(live(), tenancy.key).get(`${PATH}/${uid}`);
    expect(body.measured).to.deep.include({
      n: 6,
      open_at_end: 1,
      unmeasured: 0,
      estimate: '0',
      coverage: 0.96875,
    });
    expect(body.measured.by_state).to.deep.equal({ succeeded: 0, failed: 5, cancelled: 1, timed_out: 0 });
    expect(body).to.deep.include({
      state: 'met',
      verdict: 'met',
      decided_by: 'clock',
      terms_hash: created.body.terms_hash,
    });
    expect(body.change).to.deep.include({
      against_baseline: '-5250',
      interval: ['-5500', '-5000'],
      basis: 'samples',
      interval_method: 'exact',
    });
    expect(checkSeal(body)).to.deep.include({ intact: true });
    expect(checkSeal({ ...body, verdict: 'not_met' }).differences).to.deep.equal(['verdict']);
    await eventually(async () => {
      const { body: events } = await clientOf(live(), tenancy.key).get('/events?type=proof_of_value.verdict');
      return events.data.length === 1;
    });
    expect((await post(terms())).status).to.equal(201);
  });

  it('has terms that no role of the database may change (I-193)', async () => {
    const { tenancy } = stage;
    const place = { workspace: tenancy.workspace, environment: tenancy.environment };
    for (const role of ['api', 'operator', 'worker'] as const) {
      const changed = inTenant(live().orm(role), place, (em) =>
        sql`update proof_of_value set terms = '{}', window_to = now()`.execute(em.getKysely()),
      );
      const code = await changed.then(
        () => 'changed',
        (error: { code?: string }) => error.code,
      );
      expect([role, code]).to.deep.equal([role, '42501']);
    }
  });

  it('is withdrawn by a person while it has no verdict', async () => {
    const [open] = (await clientOf(live(), stage.tenancy.key).get(`${PATH}?state=collecting`)).body.data;
    const withdraw = () =>
      assay(live(), 'workflow', 'withdraw-proof', open.uid, '--as', stage.tenancy.person, '--json');
    expect((await withdraw()).json?.state).to.equal('withdrawn');
    expect((await withdraw()).stderr).to.match(/^proof_ended/);
  });
});
