import { expect } from 'chai';
import { forgetAccess } from '#workers/periodic/forget-access.ts';
import { forgetEvents } from '#workers/periodic/forget-events.ts';
import { keepPartitions } from '#workers/periodic/keep-partitions.ts';
import { pruneIdempotencyKeys } from '#workers/periodic/prune-idempotency-keys.ts';
import { startDue } from '#workers/workflows/start-due.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importEconomics } from '../../support/forecast.ts';
import { onOneBackend } from '../../support/live.ts';
import { anyScope, policyBody } from '../../support/policy.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { withoutPrivilege } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';
import {
  admitWorkflow,
  countJobs,
  forecastWorkflow,
  publishWorkflow,
  setWorkflowRate,
  startWorkflow,
  workflowPolicy,
} from '../../support/workflow.ts';
import { finopsBody } from '../../support/workflow-tables.ts';

const DECISIONS = '/workflow-studio/admission/decisions';
const POLICY = '/workflow-studio/finops/policy';
const MONTH = '/workflow-studio/finops/month';

onOneBackend('GET /workflow-studio/admission/decisions', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  it('lists denials and admissions with their rules and run, filtered on request', async () => {
    const version = await publishWorkflow(live(), tenancy);
    await admitWorkflow(live(), tenancy, version);
    await policyInForce(live(), tenancy, { body: workflowPolicy('require_approval') });
    await policyInForce(live(), tenancy, {
      body: policyBody({
        scope: { ...anyScope, currencies: ['EUR'], actions: ['obligation.pay'] },
        cases: [
          {
            name: 'a small payment passes',
            input: { currency: 'EUR', action: 'obligation.pay', amount_minor: 500_000 },
            expect: { effect: 'allow' },
          },
        ],
      }),
    });
    const run = await startWorkflow(live(), tenancy, version);
    const { status, body } = await client.get(DECISIONS);
    expect(status, JSON.stringify(body)).to.equal(200);
    const [admitted, denied] = body.data;
    expect(denied).to.deep.include({ decision: 'denied', run_uid: null, mode: 'enforce' });
    expect(denied.reasons.map(({ code }: any) => code)).to.deep.equal(['no_policy_allows']);
    expect(admitted).to.deep.include({ decision: 'admitted_with_conditions', run_uid: run });
    expect(admitted.conditions).to.deep.equal([{ code: 'approval_required' }]);
    expect(admitted.reasons[0]).to.deep.include({ rule_key: 'workflows', effect: 'require_approval' });
    expect(admitted.workflow).to.deep.equal({ key: version.key, version: 1, digest: version.digest });
    const { body: runs } = await client.get(`/workflows/runs?workflow_key=${version.key}`);
    expect(runs.data[0].steps.map(({ key }: any) => key)).to.deep.equal(['admission-approval', 'ask']);
    const uids = async (query: string) =>
      (await client.get(`${DECISIONS}?${query}`)).body.data.map(({ uid }: any) => uid);
    expect(await uids('decision=denied')).to.deep.equal([denied.uid]);
    expect(await uids(`since=${admitted.at}`)).to.deep.equal([admitted.uid]);
    expect(await uids('workflow_key=other')).to.deep.equal([]);
  });

  for (const [privilege, table] of [
    ['insert', 'policy_decision'],
    ['select', 'governed_record'],
  ] as const) {
    it(`I-131: records a denial for a person and for the scheduler if ${table} cannot be read`, async () => {
      const own = await buildTenancy(live());
      await policyInForce(live(), own, { body: workflowPolicy('allow') });
      const version = await publishWorkflow(live(), own);
      const words = ['--workspace', own.workspace, '--app', own.application, '--every', '1h', '--json'];
      const scheduled = await assay(live(), 'workflow', 'schedule', version.key, ...words);
      await withoutPrivilege(live(), { privilege, table, roles: ['operator', 'worker'] }, async () => {
        expect((await admitWorkflow(live(), own, version)).decision).to.equal('not_evaluated_denied');
        await startDue(live().orm('worker'), new Date(scheduled.json.next_at));
      });
      const { data } = (await clientOf(live(), own.key).get(DECISIONS)).body;
      expect(data.map(({ trigger }: any) => trigger).sort()).to.deep.equal(['manual', 'schedule']);
      for (const reported of data) {
        expect(reported).to.deep.include({
          decision: 'not_evaluated_denied',
          policy_decision_uid: null,
          run_uid: null,
        });
        expect(reported.reasons.map(({ code }: any) => code)).to.deep.equal(['policy_store_unavailable']);
      }
      expect((await admitWorkflow(live(), own, version)).decision).to.equal('admitted');
    });
  }

  it('returns denials and admissions after 400 days, regardless of later deletions', async () => {
    const own = await buildTenancy(live());
    const long = 400 * 86_400_000;
    const clock = { now: () => new Date(Date.now() - long) };
    const version = await publishWorkflow(live(), own);
    const denied = await admitWorkflow(live(), own, version, {}, clock);
    await policyInForce(live(), own, { body: workflowPolicy('allow') });
    const admitted = await admitWorkflow(live(), own, version, {}, clock);
    const worker = live().orm('worker');
    await forgetEvents(worker);
    await forgetAccess(worker);
    await pruneIdempotencyKeys(worker);
    await keepPartitions(worker);
    const { body } = await clientOf(live(), own.key).get(DECISIONS);
    expect(
      body.data.map(({ uid, decision, at }: any) => [uid, decision, Date.now() - Date.parse(at) >= long]),
    ).to.deep.equal([
      [admitted.uid, 'admitted', true],
      [denied.uid, 'denied', true],
    ]);
    expect(body.data.every(({ reasons }: any) => reasons.length > 0)).to.equal(true);
  });

  it('I-094: redacts the texts of policies for callers who may not read them', async () => {
    const own = await buildTenancy(live(), { scopes: ['workflow:read', 'planning:forecast:create'] });
    await policyInForce(live(), own, {
      body: {
        ...workflowPolicy('allow'),
        rules: workflowPolicy('allow').rules.map((rule) => ({
          ...rule,
          when: { field: 'workflow.key', op: 'eq', value: 'another' },
        })),
        cases: [{ name: 'it', input: { 'workflow.key': 'another' }, expect: { effect: 'allow' } }],
      } as never,
    });
    await admitWorkflow(live(), own, await publishWorkflow(live(), own));
    const [denied] = (await clientOf(live(), own.key).get(DECISIONS)).body.data;
    const atom = denied.reasons.find(({ code }: any) => code === 'condition_not_met');
    expect([atom.expected, atom.actual]).to.deep.equal(['redacted', 'waits']);
  });
});

onOneBackend('PUT /workflow-studio/finops/policy', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  it('I-133: returns the existing version for the same content and 412 for a stale If-Match', async () => {
    expect((await client.get(POLICY)).status).to.equal(404);
    const first = await client.put(POLICY, finopsBody);
    expect(first.status, JSON.stringify(first.body)).to.equal(200);
    expect(first.body).to.deep.include({
      version: 1,
      effect: { blocks_runs: false, overrides_admission: false },
    });
    expect(first.body.month_to_date).to.deep.include({
      billed_minor: null,
      is_floor: false,
      coverage: 'empty',
    });
    const again = await client.put(POLICY, { ...finopsBody, labels: undefined });
    expect([again.body.version, again.body.uid]).to.deep.equal([1, first.body.uid]);
    const read = await client.get(POLICY);
    expect(read.headers.get('etag')).to.equal(first.headers.get('etag'));
    const fresh = { 'if-match': read.headers.get('etag')! };
    const changed = { ...finopsBody, monthly_budget_minor: 1 };
    expect((await client.put(POLICY, changed, fresh)).body.version).to.equal(2);
    const stale = await client.put(POLICY, finopsBody, fresh);
    expect([stale.status, stale.body.code]).to.deep.equal([412, 'precondition_failed']);
    expect((await client.get(POLICY)).body).to.deep.include({ version: 2, monthly_budget_minor: 1 });
    const faults: [object, string, string][] = [
      [{ mode: 'enforce' }, 'finops_policy_is_observational', ''],
      [{ currency: 'XXX' }, 'invalid_currency', '/currency'],
      [{ thresholds_pct: [80, 50] }, 'validation_failed', '/thresholds_pct/1'],
      [
        { per_workflow: [{ workflow_key: 'none-such', monthly_budget_minor: 1 }] },
        'unknown_workflow',
        '/per_workflow/0/workflow_key',
      ],
    ];
    for (const [members, code, pointer] of faults) {
      const { status, body } = await client.put(POLICY, { ...finopsBody, ...members });
      expect([status, body.code, body.errors?.[0].pointer ?? '']).to.deep.equal([422, code, pointer]);
    }
  });

  it('I-132: records the crossing of a budget without blocking the workflow', async () => {
    await importEconomics(live(), tenancy.workspace);
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    const version = await publishWorkflow(live(), tenancy, forecastWorkflow);
    const parameters = { metric: 'economics.GDPC1' };
    const metered = async () => {
      const run = await startWorkflow(live(), tenancy, version, parameters);
      await eventually(async () => (await countJobs(live(), tenancy, run)).metered === 1);
    };
    await metered();
    expect((await client.get(MONTH)).body.month_to_date).to.deep.include({
      billed_minor: null,
      is_floor: true,
      coverage: 'partial',
    });
    await setWorkflowRate(live(), tenancy);
    const policy = {
      ...finopsBody,
      monthly_budget_minor: 0,
      per_workflow: [{ workflow_key: version.key, monthly_budget_minor: 900_000_000 }],
    };
    expect((await client.put(POLICY, policy)).body.warnings).to.deep.equal(['budgets_exceed_total']);
    await metered();
    const { body } = await client.get(MONTH);
    expect(body.month_to_date).to.deep.include({ is_floor: true, coverage: 'partial' });
    expect(body.month_to_date.billed_minor).to.be.a('number');
    const of = (scope: string | null) => body.status.filter((each: any) => each.scope === scope);
    expect(of(null).every(({ crossed_at }: any) => crossed_at !== null)).to.equal(true);
    expect(of(version.key).every(({ crossed_at }: any) => crossed_at === null)).to.equal(true);
    const estimated = await client.put(POLICY, { ...policy, cost_basis: 'estimated' });
    expect(estimated.body.month_to_date).to.deep.include({ billed_minor: 500, coverage: 'complete' });
    await metered();
  });
});
