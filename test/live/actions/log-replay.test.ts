import { expect } from 'chai';
import { sql } from 'kysely';
import { voteAt } from '../../support/vote.ts';
import { expireDelegations } from '#workers/periodic/expire-delegations.ts';
import { assay } from '../../support/cli.ts';
import { operatorsOf } from '../../support/control.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { replay, replayLog } from '../../support/log-replay.ts';
import { finish, spend } from '../../support/spend.ts';

onOneBackend('I-160 the audit log, replayed against the tables of states', function (live) {
  let sample: Sample;
  let operators: ReturnType<typeof operatorsOf>;
  before(async () => {
    sample = await governedSample(live());
    operators = operatorsOf(live(), sample);
  });
  /** After each test, a replay of the log must lead exactly to the content of the database. */
  afterEach(async () => {
    const { faults, untold } = await replayLog(live(), operators.tenant);
    expect([faults, untold]).to.deep.equal([[], []]);
  });
  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live(), sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  const activate = async (uid: string) => {
    const { status, body } = await approve(live(), sample.applications.approver.api_key, uid);
    expect(status, JSON.stringify(body)).to.equal(200);
    return uid;
  };
  const opsOf = async (...uids: string[]) => {
    const { rows } = await sql<{ op: string }>`
      select op from audit_entry where subject_uid = any(${uids}) and status = 'done' order by id
    `.execute(live().orm('operator').em.fork().getKysely());
    return rows.map(({ op }) => op);
  };

  it('contains the activation of the new delegation first, and then the end of the delegation that it replaces', async () => {
    const before = await activate(await drafted());
    const next = await activate(await drafted({ replaces: before }));
    expect((await opsOf(before, next)).slice(-2)).to.deep.equal([
      'delegation.activated',
      'delegation.superseded',
    ]);
    expect(await operators.decide(before, 'revoke')).to.equal('transition_not_allowed');
    expect(await operators.decide(next, 'revoke')).to.equal('ok');
  });

  it('records the loss of an authority before the suspension of the delegation that depends on it', async () => {
    const counterparty = await createCounterparty(live(), sample.workspace);
    const named = await activate(await drafted({ counterparty_id: counterparty }));
    const words = [String(counterparty), '--workspace', sample.workspace, '--reason', 'gone', '--json'];
    const archived = await assay(live(), 'counterparty', 'archive', ...words);
    expect(archived.json, archived.stderr).to.include({ id: counterparty, state: 'archived' });
    // A counterparty belongs to both environments, so its archiving adds one entry in each environment.
    const both = ['counterparty.archived', 'counterparty.archived'];
    expect((await opsOf(String(counterparty), named)).slice(-3)).to.deep.equal([
      ...both,
      'delegation.suspended',
    ]);
    const anna = await operators.voter('delegation_approver');
    const approved = await drafted();
    expect((await approve(live(), anna.api_key, approved)).status).to.equal(200);
    await operators.change('authority', anna.authority!, 'suspend');
    expect((await opsOf(anna.authority!, approved)).slice(-2)).to.deep.equal([
      'authority.suspended',
      'delegation.suspended',
    ]);
    expect(await operators.decide(approved, 'revoke')).to.equal('ok');
  });

  it('records the expiry of a draft when a vote is cast on it or the scheduler finds it', async () => {
    const [requested, forgotten] = [await drafted(), await drafted()];
    const { uid: application } = sample.applications.approver;
    const now = new Date(Date.now() + 8 * 86_400_000);
    const cast = await voteAt(live(), operators.tenant, { uid: requested, application, now: () => now });
    expect(cast.ok || cast.code).to.equal('delegation_expired');
    await expireDelegations(live().orm('worker'), now);
    for (const uid of [requested, forgotten]) expect(await opsOf(uid)).to.include('delegation.expired');
  });

  it('records a suspension and its end', async () => {
    const uid = await activate(await drafted());
    expect(await operators.decide(uid, 'suspend')).to.equal('ok');
    const resumed = await assay(
      live(),
      'delegation',
      'resume',
      uid,
      '--as',
      sample.persons.approver.uid,
      '--json',
    );
    expect(resumed.json, resumed.stderr).to.include({ uid, state: 'activated' });
    expect(await opsOf(uid)).to.include.members(['delegation.suspended', 'delegation.resumed']);
    expect(await operators.decide(uid, 'revoke')).to.equal('ok');
  });

  it('records every end of a reservation', async () => {
    const uid = await activate(await drafted({ budgets: budgets(50) }));
    const reserve = async () => {
      const outcome = await spend(live().orm('operator'), uid, { amount: 10 });
      if (!outcome.ok) throw new Error(outcome.code);
      return outcome.reservation!.uid;
    };
    const orm = live().orm('operator');
    expect((await finish(orm, await reserve(), { event: 'settle', actual: 10n })).ok).to.equal(true);
    expect((await finish(orm, await reserve(), { event: 'release' })).ok).to.equal(true);
    const above = await reserve();
    expect((await finish(orm, above, { event: 'settle', actual: 11n })).ok).to.equal(false);
    expect((await finish(orm, above, { event: 'settle', actual: 12n })).ok).to.equal(false);
    const evidence = 'statement';
    expect((await finish(orm, above, { event: 'release', evidence })).ok).to.equal(false);
    expect((await finish(orm, above, { event: 'settle', actual: 10n, evidence })).ok).to.equal(true);
    await reserve();
    await expireDelegations(live().orm('worker'), new Date(Date.now() + 25 * 3_600_000));
    expect(await operators.decide(uid, 'revoke')).to.equal('ok');
  });

  it('records refused approvals, voided votes and ended versions', async () => {
    await operators.role('payments');
    const [anna, bert] = [await operators.voter('payments'), await operators.voter('payments')];
    const graph = () => operators.graph('two', 'obligation.pay', [{ quorum: 2, roles: ['payments'] }]);
    const first = await graph();
    const uid = await drafted();
    expect((await approve(live(), anna.api_key, uid)).status).to.equal(202);
    await operators.change('authority', anna.authority!, 'suspend');
    const { status, body } = await approve(live(), sample.applications.outsider.api_key, uid);
    expect([status, body.code]).to.deep.equal([403, 'approver_not_bound']);
    const { rows } = await sql<{ op: string }>`
      select op from audit_entry where subject_uid = ${uid} order by id desc limit 2
    `.execute(live().orm('operator').em.fork().getKysely());
    expect(rows.map(({ op }) => op)).to.deep.equal(['delegation.vote_voided', 'delegation.approval_refused']);
    expect((await approve(live(), bert.api_key, uid)).status).to.equal(202);
    await graph();
    expect(await opsOf(first)).to.deep.equal([
      'graph.drafted',
      'graph.submitted',
      'graph.activated',
      'graph.ended',
    ]);
  });

  it('fails verification if a recorded change is in no state table or a change is not recorded', async () => {
    const entry = (op: string, uid = 'dlg_1') =>
      ({ op, subject: { type: 'delegation', uid }, outcome: { status: 'done', code: null } }) as never;
    const faultsOf = (...ops: string[]) => replay(ops.map((op) => entry(`delegation.${op}`))).faults;
    expect(faultsOf('drafted', 'activated', 'suspended', 'resumed', 'revoked')).to.deep.equal([]);
    expect(faultsOf('activated')).to.deep.equal([
      'delegation.activated of dlg_1 has no beginning in the log',
    ]);
    expect(faultsOf('drafted', 'rejected', 'activated')).to.have.length(1);
    expect(faultsOf('drafted', 'activated', 'revoked', 'authorized')).to.have.length(1);
    expect(faultsOf('drafted', 'drafted')).to.have.length(1);
    const uid = await drafted({ execution_mode: 'autonomous' });
    const set = (state: string) =>
      operators.inside((em) =>
        sql`update delegation set state = ${state} where uid = ${uid}`.execute(em.getKysely()),
      );
    await set('withdrawn');
    const { untold } = await replayLog(live(), operators.tenant);
    expect(untold).to.deep.equal([`${uid} is withdrawn, and the log says draft`]);
    await operators.inside((em) =>
      sql`insert into audit_entry (workspace_uid, environment, body) select workspace_uid, environment,
        replace(body, 'delegation.drafted', 'delegation.withdrawn') from audit_entry
        where subject_uid = ${uid} and op = 'delegation.drafted'`.execute(em.getKysely()),
    );
  });
});

function budgets(each: number) {
  return { per_action_minor: each, per_day_minor: each, per_month_minor: each };
}
