import { expect } from 'chai';
import { sql } from 'kysely';
import { inPlatform } from '#lib/database/orm.ts';
import { DELEGATION_APPROVER } from '#lib/actions/authority/defaults.ts';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { changeGoverned } from '../../support/governed.ts';
import { expireDelegations } from '#workers/periodic/expire-delegations.ts';
import { clientOf } from '../../support/client.ts';
import { assay } from '../../support/cli.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { operatorsOf } from '../../support/control.ts';
import { voteAt } from '../../support/vote.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';
import { spend } from '../../support/spend.ts';

onOneBackend('Approval of delegations', (live) => {
  let sample: Sample;
  before(async () => {
    sample = await governedSample(live());
  });
  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live(), sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  const codeOf = async (key: string, uid: string) => {
    const { status, body } = await approve(live(), key, uid);
    return [status, body.code];
  };
  const operate = async (...words: string[]) => {
    const done = await assay(live(), ...words, '--json');
    expect(done.status, done.stderr).to.equal(0);
    return done.json;
  };
  const votesOf = (uid: string) =>
    inPlatform(live().orm('operator'), async (em) => {
      const { rows } = await sql<{ state: string; void_reason: string | null; independence: any }>`
        select state, void_reason, independence from delegation_approval where delegation_uid = ${uid} order by uid
      `.execute(em.getKysely());
      return rows;
    });

  it('I-050 is never given by the application that drafted the delegation', async () => {
    const uid = await drafted();
    const { uid: app } = sample.applications.drafter;
    const second = await operate('key', 'issue', '--app', app, '--as', sample.persons.controller.uid);
    const oauth = await operate('oauth', 'issue', '--app', app);
    const token = await clientOf(live()).post('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: oauth.client_id,
      client_secret: oauth.client_secret,
    });
    for (const key of [sample.applications.drafter.api_key, second.api_key, token.body.access_token]) {
      expect(await codeOf(key, uid)).to.deep.equal([403, 'sod_same_application']);
    }
    expect(await votesOf(uid)).to.deep.equal([]);
    await operate('key', 'revoke', second.uid);
  });

  it('I-053, I-007 is refused to an application without a binding, whatever its scopes are', async () => {
    expect(await codeOf(sample.applications.outsider.api_key, await drafted())).to.deep.equal([
      403,
      'approver_not_bound',
    ]);
  });

  it('I-067 records each refusal in the audit log with its code and without a vote', async () => {
    const uid = await drafted();
    await approve(live(), sample.applications.outsider.api_key, uid);
    const log = await operate('audit', 'list', '--workspace', sample.workspace, '--subject', uid);
    expect(log.data[0]).to.deep.include({
      op: 'delegation.approval_refused',
      outcome: { status: 'refused', code: 'approver_not_bound' },
    });
    expect(await votesOf(uid)).to.deep.equal([]);
  });

  it('I-068 stores the sets of persons whose independence was compared', async () => {
    const uid = await drafted({ execution_mode: 'dry_run' });
    expect(await codeOf(sample.applications.approver.api_key, uid)).to.deep.equal([200, undefined]);
    const [vote] = await votesOf(uid);
    const { creator_persons, approver_persons, intersections } = vote!.independence;
    expect(creator_persons).to.deep.equal([sample.persons.drafter.uid]);
    expect(approver_persons).to.deep.equal([sample.persons.approver.uid, sample.persons.grantor.uid].sort());
    expect(intersections).to.deep.equal([]);
  });

  it('I-069 accepts no body', async () => {
    const uid = await drafted();
    const client = clientOf(live(), sample.applications.approver.api_key);
    const { status, body } = await client.post(`/actions/agentic/delegations/${uid}/approve`, {
      approve: true,
    });
    expect([status, body.code]).to.deep.equal([422, 'unexpected_body']);
    expect(await votesOf(uid)).to.deep.equal([]);
    const empty = await client.post(`/actions/agentic/delegations/${uid}/approve`, {});
    expect(empty.status, JSON.stringify(empty.body)).to.equal(200);
    await operate('delegation', 'revoke', uid, '--reason', 'test', '--as', sample.persons.controller.uid);
  });

  it('I-055 activates the delegation once for sixteen concurrent requests and reports that result to all', async () => {
    const uid = await drafted();
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => codeOf(sample.applications.approver.api_key, uid)),
    );
    expect(answers.filter(([status]) => status === 200)).to.have.length(1);
    expect(answers.filter(([status]) => status === 409)).to.have.length(15);
    expect(await votesOf(uid)).to.have.length(1);
    await operate('delegation', 'revoke', uid, '--reason', 'test', '--as', sample.persons.controller.uid);
  });

  it('I-060 answers 409 without a change unless the delegation is a draft', async () => {
    const uid = await drafted();
    await operate('delegation', 'withdraw', uid, '--reason', 'typo', '--as', sample.persons.drafter.uid);
    const { status, body } = await approve(live(), sample.applications.approver.api_key, uid);
    expect([status, body.code, body.state]).to.deep.equal([409, 'delegation_not_draft', 'withdrawn']);
    expect(await votesOf(uid)).to.deep.equal([]);
  });

  it('I-061 is impossible once an eligible voter has rejected the draft', async () => {
    const uid = await drafted();
    const by = ['--reason', 'no', '--as'];
    const other = await assay(live(), 'delegation', 'reject', uid, ...by, sample.persons.drafter.uid);
    expect([other.status, other.stderr.split(':')[0]]).to.deep.equal([1, 'approver_not_eligible']);
    await operate('delegation', 'reject', uid, ...by, sample.persons.approver.uid);
    expect(await codeOf(sample.applications.approver.api_key, uid)).to.deep.equal([
      409,
      'delegation_not_draft',
    ]);
  });

  it('I-063 consumes an intent of the person in tier T2', async () => {
    const t2 = { risk_tier: 'T2' };
    const [uid, other] = [await drafted(t2), await drafted(t2)];
    const key = sample.applications.approver.api_key;
    expect(await codeOf(key, uid)).to.deep.equal([409, 'approval_intent_required']);
    const intend = ['--application', sample.applications.approver.uid, '--as', sample.persons.approver.uid];
    await operate('delegation', 'intent', uid, ...intend);
    expect(await codeOf(key, other)).to.deep.equal([409, 'approval_intent_required']);
    const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(key, uid)));
    expect(answers.filter(([status]) => status === 200)).to.have.length(1);
    await operate('delegation', 'revoke', uid, '--reason', 'test', '--as', sample.persons.controller.uid);
  });

  it('I-064 is refused for a draft older than 7 days, which is recorded as expired', async () => {
    const uid = await drafted();
    const tenant = { workspace: sample.workspace, environment: 'sandbox' as const };
    const application = sample.applications.approver.uid;
    const now = () => new Date(Date.now() + 7 * 86_400_000);
    const late = await voteAt(live(), tenant, { uid, application, now });
    expect(late.ok || late.code).to.equal('delegation_expired');
    expect((await operate('delegation', 'show', uid)).state).to.equal('expired');
  });

  it('I-064 is refused for a draft whose terms have ended; the scheduler ends such a draft too', async () => {
    const valid_until = new Date(Date.now() + 3_600_000).toISOString();
    const [uid, other] = [await drafted({ valid_until }), await drafted({ valid_until })];
    const tenant = { workspace: sample.workspace, environment: 'sandbox' as const };
    const now = new Date(Date.now() + 3_601_000);
    const application = sample.applications.approver.uid;
    const late = await voteAt(live(), tenant, { uid, application, now: () => now });
    expect(late.ok || late.code).to.equal('delegation_expired');
    await expireDelegations(live().orm('worker'), now);
    for (const each of [uid, other]) {
      expect((await operate('delegation', 'show', each)).state, each).to.equal('expired');
    }
  });

  it('I-064 is refused for a draft that ended while the vote waited for the lock', async () => {
    const valid_until = new Date(Date.now() + 3_600_000).toISOString();
    const uid = await drafted({ valid_until });
    const tenant = { workspace: sample.workspace, environment: 'sandbox' as const };
    let now = new Date();
    const application = sample.applications.approver.uid;
    const cast = () => voteAt(live(), tenant, { uid, application, now: () => now });
    const [late] = await atOnce(
      live(),
      (em) => lockControl(em, sample.workspace, 'change'),
      [cast],
      async () => void (now = new Date(Date.now() + 3_601_000)),
    );
    expect(late!.ok || late!.code).to.equal('delegation_expired');
  });

  it('I-062 stays valid if a new version of its authority covers the delegation', async () => {
    const operators = operatorsOf(live(), sample);
    const voter = await operators.voter(DELEGATION_APPROVER);
    const uid = await drafted();
    expect(await codeOf(voter.api_key, uid)).to.deep.equal([200, undefined]);
    const { key } = await operators.find(voter.authority!);
    const limitedTo = (per_action_minor: number) => {
      const limit = { per_action_minor, per_day_minor: 300, per_month_minor: 500 };
      const limits = [{ currency: sample.currency, ...limit }];
      const body = operators.authorityBody(voter.person, { limits });
      return operators.put('authority', { key, name: 'Another version', body });
    };
    const use = async () => {
      const outcome = await spend(live().orm('operator'), uid, { amount: 1 });
      return outcome.ok || outcome.code;
    };
    await limitedTo(100);
    expect(await use(), 'exactly wide enough').to.equal(true);
    await limitedTo(99);
    expect(await use()).to.equal('delegation_not_active');
    expect(await operate('delegation', 'show', uid)).to.include({
      state: 'suspended',
      reason: 'authority_insufficient',
    });
    await operators.decide(uid, 'revoke');
  });

  it('I-062 permits no use that waited for a lock while the authority was ended', async () => {
    const operators = operatorsOf(live(), sample);
    const voter = await operators.voter(DELEGATION_APPROVER);
    const uid = await drafted();
    expect(await codeOf(voter.api_key, uid)).to.deep.equal([200, undefined]);
    const now = new Date();
    const end = { event: 'end', by: sample.persons.controller.uid, reason: 'left', now } as const;
    const outcomes = await atOnce(
      live(),
      (em) => changeGoverned(em, controlKinds['authority']!, voter.authority!, end),
      [1, 2].map((amount) => () => spend(live().orm('operator'), uid, { amount })),
    );
    for (const outcome of outcomes) expect(outcome.ok || outcome.code).to.equal('delegation_not_active');
    await operators.decide(uid, 'revoke');
  });

  it('records the refusal of an intent in the audit log', async () => {
    const uid = await drafted({ risk_tier: 'T2' });
    const intend = ['--application', sample.applications.outsider.uid, '--as', sample.persons.approver.uid];
    const refused = await assay(live(), 'delegation', 'intent', uid, ...intend);
    expect([refused.status, refused.stderr.split(':')[0]]).to.deep.equal([1, 'approver_not_bound']);
    const log = await operate('audit', 'list', '--workspace', sample.workspace, '--subject', uid);
    expect(log.data[0]).to.deep.include({
      op: 'delegation.intent_declared',
      actor: { kind: 'person', uid: sample.persons.approver.uid },
      outcome: { status: 'refused', code: 'approver_not_bound' },
    });
  });

  it('I-062 ends with its authority, which suspends the delegation', async () => {
    const uid = await drafted({ execution_mode: 'autonomous' });
    expect(await codeOf(sample.applications.approver.api_key, uid)).to.deep.equal([200, undefined]);
    const by = ['--reason', 'left the team', '--as', sample.persons.controller.uid];
    await operate('authority', 'suspend', sample.authority.uid, ...by);
    const { body } = await clientOf(live(), sample.applications.drafter.api_key).get(
      `/actions/agentic/delegations/${uid}`,
    );
    expect([body.state, body.state_reason, body.execution_authority.granted]).to.deep.equal([
      'suspended',
      'authority_ended',
      false,
    ]);
    expect(body.approval.approvals[0]).to.deep.include({
      state: 'voided',
      void_reason: 'delegation_suspended',
    });
    expect(await codeOf(sample.applications.approver.api_key, await drafted())).to.deep.equal([
      403,
      'authority_inactive',
    ]);
  });
});
