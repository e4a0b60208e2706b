import { expect } from 'chai';
import { clientOf } from '../../support/client.ts';
import { operatorsOf } from '../../support/control.ts';
import { approve, draft, draftBody, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('Delegations', (live) => {
  let sample: Sample;
  before(async () => {
    sample = await governedSample(live());
  });
  const refusal = async (changes: Record<string, unknown>) => {
    const { status, body } = await draft(live(), sample, changes);
    return [status, body.code, body.errors?.[0]?.pointer];
  };
  const budgets = (per_action_minor: number, per_day_minor: number, per_month_minor: number) => ({
    budgets: { per_action_minor, per_day_minor, per_month_minor },
  });

  it('I-040 authorize nothing as drafts and show the missing approvals', async () => {
    const { status, body, headers } = await draft(live(), sample);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.state).to.equal('draft');
    expect(body.execution_authority).to.deep.equal({
      granted: false,
      reason: 'awaiting_independent_approval',
      within: null,
      terms_hash: null,
    });
    expect(body.approval.progress).to.deep.equal([{ position: 1, quorum: 1, met: 0, pending: 1 }]);
    expect(body.approval.graph.uid).to.equal(sample.graph.uid);
    expect(headers.get('location')).to.equal(`/api/v2/actions/agentic/delegations/${body.uid}`);
  });

  it('I-041 accept budgets of at least 1, non-decreasing from action to day to month', async () => {
    expect(await refusal(budgets(200, 100, 500))).to.deep.equal([422, 'budget_order', '/budgets']);
    expect(await refusal(budgets(100, 600, 500))).to.deep.equal([422, 'budget_order', '/budgets']);
    expect(await refusal(budgets(0, 1, 1))).to.deep.equal([
      422,
      'validation_failed',
      '/budgets/per_action_minor',
    ]);
    expect((await draft(live(), sample, budgets(7, 7, 7))).status).to.equal(201);
  });

  it('I-042 return the same terms and hash on every later read', async () => {
    const { body: drafted } = await draft(live(), sample);
    await approve(live(), sample.applications.approver.api_key, drafted.uid);
    const { body } = await clientOf(live(), sample.applications.approver.api_key).get(
      `/actions/agentic/delegations/${drafted.uid}`,
    );
    const terms = [
      'terms_hash',
      'budgets',
      'currency',
      'counterparty_id',
      'connector',
      'execution_mode',
      'risk_tier',
    ];
    const windows = ['valid_from', 'valid_until', 'time_zone'];
    for (const member of [...terms, ...windows]) expect(body[member], member).to.deep.equal(drafted[member]);
  });

  it('I-043 reject wildcards for an action, a counterparty or a connector', async () => {
    for (const wild of ['*', 'any', [], null]) {
      for (const member of ['action', 'counterparty_id', 'connector']) {
        const { status, body } = await draft(live(), sample, { [member]: wild });
        expect(status, `${member} ${JSON.stringify(wild)}: ${body.code}`).to.equal(422);
      }
    }
  });

  it('I-044 accept only the tiers T1 and T2, and no autonomous execution in T2', async () => {
    for (const risk_tier of ['T0', 'T3', 't1', 1, null]) {
      expect((await refusal({ risk_tier }))[0], String(risk_tier)).to.equal(422);
    }
    expect(await refusal({ risk_tier: 'T2', execution_mode: 'autonomous' })).to.deep.equal([
      422,
      'mode_not_allowed_for_tier',
      '/execution_mode',
    ]);
  });

  it('I-045 never cover actions that change authority', async () => {
    for (const action of [
      'delegation.approve',
      'authority.grant',
      'policy.change',
      'credential.issue',
      'approval.cast',
    ]) {
      expect(await refusal({ action }), action).to.deep.equal([422, 'action_not_delegable', '/action']);
    }
    expect(await refusal({ action: 'investment.order.submit' })).to.deep.equal([
      422,
      'action_not_delegable',
      '/action',
    ]);
    expect(await refusal({ action: 'moon.buy' })).to.deep.equal([422, 'unknown_action', '/action']);
  });

  it('I-046 end at most 366 days after they begin', async () => {
    const day = 86_400_000;
    const at = (days: number) => new Date(Date.now() + days * day).toISOString();
    for (const valid_until of [at(367), at(-1), new Date().toISOString()]) {
      expect(await refusal({ valid_until }), valid_until).to.deep.equal([
        422,
        'validity_window',
        '/valid_until',
      ]);
    }
    expect((await refusal({ valid_until: undefined }))[0]).to.equal(422);
    expect(await refusal({ valid_from: at(-1) })).to.deep.equal([422, 'validity_window', '/valid_from']);
    const long = await draft(live(), sample, { valid_until: at(365.9), execution_mode: 'dry_run' });
    expect(long.status).to.equal(201);
  });

  it('report all unknown references of a draft at once', async () => {
    const { status, body } = await draft(live(), sample, {
      counterparty_id: 2_000_000_000,
      connector: 'nowhere',
    });
    expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
    expect(body.errors.map((each: { code: string }) => each.code)).to.deep.equal([
      'unknown_counterparty',
      'unknown_connector',
    ]);
    expect(await refusal({ currency: 'JPY' })).to.deep.equal([422, 'validation_failed', '/currency']);
    expect(await refusal({ time_zone: 'Mars/Olympus' })).to.deep.equal([
      422,
      'unknown_time_zone',
      '/time_zone',
    ]);
    const over = await draft(live(), sample, budgets(5_000_001, 20_000_000, 200_000_000));
    expect([over.status, over.body.code, over.body.errors[0].pointer]).to.deep.equal([
      422,
      'identity_ceiling_exceeded',
      '/budgets/per_action_minor',
    ]);
  });

  it('404 for a delegation of an unknown identity and of an identity of another workspace', async () => {
    const other = await governedSample(live());
    const client = clientOf(live(), other.applications.drafter.api_key);
    const answers = [];
    for (const uid of [sample.identity.uid, 'idt_01K8XQ5W3ZJ6T9R2M4N7P0QABC', 'idt_x', sample.policy.uid]) {
      const { status, body } = await client.post(
        `/actions/agentic/identities/${uid}/delegations`,
        draftBody(other),
      );
      answers.push([status, body.code, body.detail]);
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size, JSON.stringify(answers)).to.equal(1);
    expect(answers[0]!.slice(0, 2)).to.deep.equal([404, 'not_found']);
  });

  it('409 for a second delegation of the same kind unless it replaces the first delegation', async () => {
    const kind = { ...budgets(10, 20, 30), execution_mode: 'dry_run' };
    const first = (await draft(live(), sample, kind)).body.uid;
    await approve(live(), sample.applications.approver.api_key, first);
    const second = await draft(live(), sample, kind);
    expect([second.status, second.body.code, second.body.existing.uid]).to.deep.equal([
      409,
      'equivalent_delegation_active',
      first,
    ]);
    const successor = await draft(live(), sample, { ...kind, replaces: first });
    expect(successor.status, JSON.stringify(successor.body)).to.equal(201);
    const approved = await approve(live(), sample.applications.approver.api_key, successor.body.uid);
    expect([approved.status, approved.body.state]).to.deep.equal([200, 'activated']);
    const { body } = await clientOf(live(), sample.applications.approver.api_key).get(
      `/actions/agentic/delegations/${first}`,
    );
    expect([body.state, body.state_reason]).to.deep.equal(['superseded', 'replaced']);
  });

  it('are listed by state, identity, counterparty and currency', async () => {
    const client = clientOf(live(), sample.applications.outsider.api_key);
    const drafted = await client.get('/actions/agentic/delegations?state=draft&limit=1');
    expect(drafted.body.data).to.have.length(1);
    expect(drafted.body.page.has_more).to.equal(true);
    const none = await client.get('/actions/agentic/delegations?currency=USD');
    expect([none.status, none.body.data]).to.deep.equal([200, []]);
    const by = `identity_uid=${sample.identity.uid}&counterparty_id=${sample.counterparty_id}&state=superseded`;
    expect((await client.get(`/actions/agentic/delegations?${by}`)).body.data).to.have.length(1);
  });

  it('I-070 409 for an approval if another delegation of the same kind is in force', async () => {
    const key = sample.applications.approver.api_key;
    const kind = { ...budgets(10, 20, 30), execution_mode: 'autonomous' };
    const one = async (changes: Record<string, unknown> = {}) => {
      const { status, body } = await draft(live(), sample, { ...kind, ...changes });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.uid as string;
    };
    const outdated = async (uid: string) => {
      const { status, body } = await approve(live(), key, uid);
      return [status, body.code ?? body.state, body.outdated];
    };
    const [first, second] = [await one(), await one()];
    expect(await outdated(first)).to.deep.equal([200, 'activated', undefined]);
    expect(await outdated(second)).to.deep.equal([409, 'terms_no_longer_valid', ['equivalent_delegation']]);
    const [third, fourth] = [await one({ replaces: first }), await one({ replaces: first })];
    expect(await outdated(third)).to.deep.equal([200, 'activated', undefined]);
    expect(await outdated(fourth)).to.deep.equal([
      409,
      'terms_no_longer_valid',
      ['replaces', 'equivalent_delegation'],
    ]);
  });

  it('422 for a draft that replaces an ended delegation or a delegation with another subject', async () => {
    const key = sample.applications.approver.api_key;
    const kind = { ...budgets(10, 20, 30), connector: sample.connector, action: 'collateral.transfer' };
    const { body } = await draft(live(), sample, kind);
    const other = { ...kind, replaces: body.uid };
    const wrong = [422, 'unknown_delegation', '/replaces'];
    expect(await refusal(other), 'a draft').to.deep.equal(wrong);
    const operators = operatorsOf(live(), sample);
    expect((await approve(live(), key, body.uid)).status).to.equal(200);
    for (const change of [
      { action: 'obligation.pay' },
      { currency: 'USD' },
      { execution_mode: 'dry_run' },
      { time_zone: 'Asia/Tokyo' },
    ]) {
      const { status, body: answer } = await draft(live(), sample, { ...other, ...change });
      expect(status, JSON.stringify(change)).to.equal(422);
      const codes = (answer.errors ?? [answer]).map((each: { code: string }) => each.code);
      expect(codes, JSON.stringify(change)).to.include('unknown_delegation');
    }
    expect((await draft(live(), sample, other)).status).to.equal(201);
    expect(await operators.decide(body.uid, 'revoke')).to.equal('ok');
    expect(await refusal(other), 'a revoked one').to.deep.equal(wrong);
  });
});
