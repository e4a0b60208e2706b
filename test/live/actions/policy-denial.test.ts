import { expect } from 'chai';
import { fieldNames } from '#lib/governance/policy/fields.ts';
import { PolicyDecision } from '#lib/governance/policy/policy-decision.entity.ts';
import { replayDecision } from '#lib/governance/policy/policy-decision.write.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { PolicyBody } from '#lib/governance/policy/policy-kind.ts';
import { assay } from '../../support/cli.ts';
import { operatorsOf } from '../../support/control.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { clientOf } from '../../support/client.ts';
import { spend } from '../../support/spend.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { policyBody, ruleOf } from '../../support/policy.ts';
import { asSuperuser } from '../../support/rows.ts';

const when = {
  all: [
    { field: 'currency', op: 'eq', value: 'EUR' },
    { field: 'per_day_minor', op: 'gt', value: 250 },
  ],
};
const low = { currency: 'EUR', per_day_minor: 250 };
const body = policyBody({
  rules: [ruleOf('days', 'deny', when)] as unknown as PolicyBody['rules'],
  cases: [
    { name: 'high', input: { ...low, per_day_minor: 251 }, expect: { effect: 'deny', rules: ['days'] } },
    { name: 'low', input: low, expect: { effect: 'deny' } },
  ],
});

onOneBackend('A policy that denies an approval', function (live) {
  let sample: Sample;
  before(async () => {
    sample = await governedSample(live());
    const tenancy = {
      workspace: sample.workspace,
      environment: 'sandbox',
      person: sample.persons.drafter.uid,
    } as const;
    await policyInForce(live(), tenancy, { body });
  });

  const refused = async () => {
    const { body: drafted } = await draft(live(), sample);
    return approve(live(), sample.applications.approver.api_key, drafted.uid);
  };

  it('403 policy_denied names the rule and the budget that would pass', async () => {
    const { status, body: problem } = await refused();
    expect([status, problem.code, problem.state]).to.deep.equal([403, 'policy_denied', 'draft']);
    const { uid, determining, failed } = problem.decision;
    expect(determining.map(({ rule_key }: { rule_key: string }) => rule_key)).to.deep.equal(['days']);
    const day = failed.find(({ field }: { field: string }) => field === 'per_day_minor');
    expect(day).to.include({ path: '/when/all/1', actual: 300, bound_minor: 250, must_hold: false });
    const tenant = { workspace: sample.workspace, environment: 'sandbox' } as const;
    const replayed = await inTenant(live().orm('api'), tenant, (em) => replayDecision(em, uid));
    expect(replayed).to.include({ intact: true });
  });

  it('200 passes with the budget that the denial names', async () => {
    const budgets = { per_action_minor: 100, per_day_minor: 250, per_month_minor: 500 };
    const { body: drafted } = await draft(live(), sample, { budgets, execution_mode: 'dry_run' });
    const { status, body: delegation } = await approve(
      live(),
      sample.applications.approver.api_key,
      drafted.uid,
    );
    expect([status, delegation.state], JSON.stringify(delegation)).to.deep.equal([200, 'activated']);
  });

  it('records in the audit log the decision that refused an approval or a resumption', async () => {
    const { body: problem } = await refused();
    const refusals = async (op: string) => {
      const words = ['--workspace', sample.workspace, '--op', op, '--json'];
      return (await assay(live(), 'audit', 'list', ...words)).json.data;
    };
    const [reported] = await refusals('delegation.approval_refused');
    expect(reported).to.deep.include({
      decision_uid: problem.decision.uid,
      outcome: { status: 'refused', code: 'policy_denied' },
    });
    const budgets = { per_action_minor: 100, per_day_minor: 250, per_month_minor: 500 };
    const { body: drafted } = await draft(live(), sample, { budgets });
    await approve(live(), sample.applications.approver.api_key, drafted.uid);
    const operators = operatorsOf(live(), sample);
    expect(await operators.decide(drafted.uid, 'suspend')).to.equal('ok');
    const days = { ...when, all: [{ field: 'per_day_minor', op: 'gte', value: 250 }] };
    const stricter = { ...body, rules: [ruleOf('days', 'deny', days)], cases: [body.cases[0]] };
    const place = { workspace: sample.workspace, environment: 'sandbox' } as const;
    await policyInForce(
      live(),
      { ...place, person: sample.persons.drafter.uid },
      { body: stricter as unknown as PolicyBody },
    );
    const by = ['--as', sample.persons.approver.uid];
    const resumed = await assay(live(), 'delegation', 'resume', drafted.uid, ...by);
    expect(resumed.stderr).to.match(/^policy_denied: /);
    const [voted] = await refusals('delegation.resumption_voted');
    expect(voted.outcome.code).to.equal('policy_denied');
    expect(voted.decision_uid).to.match(/^dec_/);
    expect(await operators.decide(drafted.uid, 'revoke')).to.equal('ok');
  });

  it('I-094 403 reveals no value that the caller may not read', async () => {
    await asSuperuser(live(), (client) =>
      client.query(`update application set scopes = '{actions:execute}' where uid = $1`, [
        sample.applications.approver.uid,
      ]),
    );
    const { status, body: problem } = await refused();
    expect([status, problem.code]).to.deep.equal([403, 'policy_denied']);
    for (const { expected, actual, ...atom } of problem.decision.failed) {
      expect([expected, actual]).to.deep.equal(['redacted', 'redacted']);
      expect(atom).to.not.have.any.keys('bound', 'bound_minor');
    }
  });
});

onOneBackend('the facts given to the policies', (live) => {
  let sample: Sample;
  before(async () => {
    sample = await governedSample(live());
  });
  const activated = async () => {
    const { body: drafted } = await draft(live(), sample);
    expect((await approve(live(), sample.applications.approver.api_key, drafted.uid)).status).to.equal(200);
    return drafted.uid as string;
  };

  it('include each field of the catalogue, except the workflow fields, in at least one decision', async () => {
    expect((await spend(live().orm('operator'), await activated(), { amount: 1 })).ok).to.equal(true);
    const tenant = { workspace: sample.workspace, environment: 'sandbox' } as const;
    const decisions = await inTenant(live().orm('api'), tenant, (em) => em.find(PolicyDecision, {}));
    const reported = new Set(decisions.flatMap(({ input }) => Object.keys(input)));
    const words = fieldNames.filter((name) => !name.startsWith('workflow.'));
    expect([...reported].sort()).to.deep.equal([...words].sort());
  });

  it('include the type of the obligation, even if a rule first checks that the type is known', async () => {
    const tenancy = {
      workspace: sample.workspace,
      environment: 'sandbox',
      person: sample.persons.drafter.uid,
    } as const;
    const type = { field: 'obligation.type', op: 'eq', value: 'trade_payable' };
    const guarded = { all: [{ field: 'obligation.type', op: 'exists', value: true }, type] };
    await policyInForce(live(), tenancy, {
      body: policyBody({
        rules: [ruleOf('payables', 'deny', guarded)] as unknown as PolicyBody['rules'],
        cases: [
          {
            name: 'payable',
            input: { currency: 'EUR', 'obligation.type': 'trade_payable' },
            expect: { effect: 'deny' },
          },
          {
            name: 'other',
            input: { currency: 'EUR', 'obligation.type': 'bond' },
            expect: { effect: 'deny' },
          },
        ],
      }),
    });
    const { body: list } = await clientOf(live(), sample.applications.drafter.api_key).get(
      '/actions/agentic/delegations?state=activated',
    );
    const outcome = await spend(live().orm('operator'), list.data[0].uid, { amount: 1 });
    expect(outcome.ok || outcome.code).to.equal('policy_denied');
  });
});
