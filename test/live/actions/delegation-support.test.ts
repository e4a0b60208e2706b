import { expect } from 'chai';
import { sql } from 'kysely';
import { authorityFor } from '#lib/actions/execution/batch/batch-authority.query.ts';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { Delegation } from '#lib/actions/delegations/delegation.entity.ts';
import { expireDelegations } from '#workers/periodic/expire-delegations.ts';
import { activateRecord } from '#lib/sample/governed/record-makers.ts';
import { assay } from '../../support/cli.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { inDays, operatorsOf } from '../../support/control.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { spend, spendUnder } from '../../support/spend.ts';

const DAY_MS = 86_400_000;

onOneBackend('a delegation in force', (live) => {
  let sample: Sample;
  let operators: ReturnType<typeof operatorsOf>;
  before(async () => {
    sample = await governedSample(live());
    operators = operatorsOf(live(), sample);
    await operators.role('heads');
  });

  /**
   * Creates an authority that one person grants under their own authority, and that a second person approves.
   */
  const grant = async (by: string, under: string, who: string, changes: Record<string, unknown> = {}) => {
    const body = operators.authorityBody(who, {
      granted_under: under,
      valid_until: inDays(300),
      ...changes,
    });
    const key = `under-${Math.random().toString(36).slice(2)}`;
    const makers = { ...operators.makers, grantor: by };
    const draft = { key, name: key, body };
    return (await activateRecord(operators.hands, makers, controlKinds['authority']!, draft)).uid;
  };
  /**
   * Creates two persons: a head, whose authority was granted under the ceiling, and a clerk, who may approve
   * under an authority that the head granted.
   */
  const chain = async (changes: Record<string, unknown> = {}) => {
    const head = await operators.person();
    const above = await operators.authorize(head, changes);
    return { head, above, ...(await clerkOf(head, above)) };
  };
  const clerkOf = async (head: string, above: string) => {
    const clerk = await operators.person();
    const { uid, api_key } = await operators.application(clerk);
    await operators.bind(uid, clerk);
    await operators.join('delegation_approver', clerk);
    const { key } = await operators.find(above);
    return { clerk, api_key, aboveKey: key, authority: await grant(head, key, clerk) };
  };
  const ofBatches = {
    actions: ['investment.order.submit', 'obligation.pay', 'collateral.transfer'],
    capabilities: ['release', 'approve_delegation'],
  };
  const renew = (key: string, who: string, changes: Record<string, unknown>) =>
    operators.put('authority', { key, name: key, body: operators.authorityBody(who, changes) });
  const limits = (per_day_minor: number) => ({
    limits: [{ currency: sample.currency, per_action_minor: 100, per_day_minor, per_month_minor: 5_000 }],
  });
  let current: string | undefined;
  const activated = async (api_key: string, changes: Record<string, unknown> = {}) => {
    if (current) await operators.decide(current, 'revoke');
    const { body } = await draft(live(), sample, changes);
    const { status, body: approved } = await approve(live(), api_key, body.uid);
    expect(status, JSON.stringify(approved)).to.equal(200);
    return (current = body.uid as string);
  };
  const stateOf = async (uid: string) => {
    const { state, stateReason } = await operators.inside((em) =>
      em.findOneOrFail(Delegation, { uid }, { filters: false }),
    );
    return [state, stateReason ?? null];
  };
  const useOf = async (uid: string, now = new Date()) => {
    const outcome = await spend(live().orm('operator'), uid, { amount: 1, now });
    return outcome.ok ? 'ok' : outcome.code;
  };
  const refusalOf = async (api_key: string) => {
    const { body } = await draft(live(), sample, { execution_mode: 'dry_run' });
    const { status, body: answer } = await approve(live(), api_key, body.uid);
    await operators.decide(body.uid, 'withdraw', sample.persons.drafter.uid);
    return [status, answer.code];
  };
  const draftRefusal = async () => {
    const { status, body } = await draft(live(), sample, { execution_mode: 'dry_run' });
    return [status, body.code];
  };
  /**
   * Changes rows by SQL, which does not suspend delegations as a command would. Rolls the changes back afterwards.
   * Returns the answer that the machine identity gets before the rollback.
   */
  const behindTheBack = async (uid: string, ...statements: string[]) =>
    operators
      .inside(async (em) => {
        for (const statement of statements) await sql.raw(statement).execute(em.getKysely());
        const { terms } = await em.findOneOrFail(Delegation, { uid }, { filters: false });
        const machine = { tenant: operators.tenant, uid, terms, obligation: sample.obligation.uid };
        const outcome = await spendUnder(em, machine, { amount: 1 });
        throw new Error(outcome.ok ? 'ok' : outcome.code);
      })
      .catch((error: Error) => error.message);
  const inForceOf = (kind: string, key: string) =>
    operators.inside((em) =>
      em.findOneOrFail(
        GovernedRecord,
        { workspaceUid: sample.workspace, environment: 'sandbox', kind, key, state: 'active' },
        { filters: false },
      ),
    );
  const ended = (uid: string) =>
    `update governed_record set state = 'ended', ended_at = now() where uid = '${uid}'`;

  it('I-062, I-095 is suspended when any authority above the approving authority is suspended', async () => {
    const { above, authority, api_key, clerk } = await chain();
    const uid = await activated(api_key);
    expect(await useOf(uid)).to.equal('ok');
    expect((await operators.change('authority', above, 'suspend')).ok).to.equal(true);
    expect((await operators.find(authority)).state).to.equal('active');
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'authority_ended']);
    expect(await useOf(uid)).to.equal('delegation_not_active');
    expect(await refusalOf(api_key)).to.deep.equal([403, 'authority_inactive']);
    const resumed = await assay(live(), 'delegation', 'resume', uid, '--as', clerk, '--json');
    expect(resumed.stderr).to.match(/^authority_inactive/);
  });

  it('I-095 stays in force only while every authority of the chain covers it', async () => {
    const { head, aboveKey, api_key } = await chain();
    const uid = await activated(api_key);
    await renew(aboveKey, head, limits(300));
    expect([await stateOf(uid), await useOf(uid)]).to.deep.equal([['activated', null], 'ok']);
    await renew(aboveKey, head, limits(299));
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'authority_insufficient']);
    expect(await refusalOf(api_key)).to.deep.equal([403, 'authority_insufficient']);
  });

  it('I-095 is suspended when the granting person becomes inactive or loses the authority above', async () => {
    const holders = await operators.person();
    const seat = await operators.join('heads', holders);
    const role = await operators.authorize(holders, { grantee: { kind: 'role', role: 'heads' } });
    const byRole = await clerkOf(holders, role);
    const first = await activated(byRole.api_key);
    await operators.change('membership', seat, 'end');
    expect(await stateOf(first)).to.deep.equal(['suspended', 'authority_ended']);
    const { head, api_key } = await chain();
    const second = await activated(api_key);
    const by = ['--as', sample.persons.controller.uid, '--reason', 'left'];
    const left = await assay(live(), 'person', 'depart', head, '--workspace', sample.workspace, ...by);
    expect(left.status, left.stderr).to.equal(0);
    expect(await stateOf(second)).to.deep.equal(['suspended', 'authority_ended']);
    const log = await operators.inside((em) =>
      sql<{ op: string }>`select op from audit_entry where environment = 'sandbox'
        and (subject_uid = ${head} and op = 'person.departed'
          or subject_uid = ${second} and op = 'delegation.suspended') order by id`.execute(em.getKysely()),
    );
    const ops = log.rows.map(({ op }) => op);
    expect(ops, 'the cause first').to.deep.equal(['person.departed', 'delegation.suspended']);
  });

  it('I-062 authorizes nothing after the authority above the granting person has expired', async () => {
    const head = await operators.person();
    const body = { role: 'heads', person_uid: head, valid_until: inDays(2) };
    await operators.put('membership', { name: 'For two days', body });
    const above = await operators.authorize(head, { grantee: { kind: 'role', role: 'heads' } });
    const { api_key } = await clerkOf(head, above);
    const uid = await activated(api_key);
    const at = (days: number) => new Date(Date.now() + days * DAY_MS);
    expect([await useOf(uid, at(1.9)), await useOf(uid, at(2.1))]).to.deep.equal([
      'ok',
      'delegation_not_supported',
    ]);
    await expireDelegations(live().orm('worker'), at(1.9));
    expect((await stateOf(uid))[0]).to.equal('activated');
    await expireDelegations(live().orm('worker'), at(2.1));
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'authority_ended']);
  });

  it('I-095 cannot depend on a chain of authorities that leads back to itself', async () => {
    const { head, clerk, above, aboveKey, authority, api_key } = await chain();
    const { key } = await operators.find(authority);
    const uid = await activated(api_key);
    const back = operators.authorityBody(head, { granted_under: key, valid_until: inDays(200) });
    const makers = { ...operators.makers, grantor: clerk };
    const draft = { key: aboveKey, name: aboveKey, body: back };
    const refused = await activateRecord(operators.hands, makers, controlKinds['authority']!, draft).catch(
      (error: { code?: string }) => error.code,
    );
    expect(refused).to.equal('grantor_without_authority');
    const bent = (under: string) => `insert into governed_record
      select (jsonb_populate_record(g, jsonb_build_object('uid', 'aut_bent', 'version', 9, 'state', 'active',
        'ended_at', null, 'submitted_by_uid', '${clerk}',
        'body', g.body || '{"granted_under": ${under}}'))).* from governed_record g where uid = '${above}'`;
    expect(await behindTheBack(uid, ended(above), bent('null'))).to.equal('ok');
    expect(await behindTheBack(uid, ended(above), bent(`"${key}"`))).to.equal('delegation_not_supported');
  });

  it('I-095 is suspended when the ceiling of the workspace is lowered or removed', async () => {
    const { body } = await inForceOf('ceiling', 'workspace');
    const { api_key } = await chain();
    const lowered = async (per_month_minor: number) => {
      const [first, ...others] = (body as any).limits;
      expect(first.currency).to.equal(sample.currency);
      const low = { ...first, per_action_minor: 100, per_day_minor: 300, per_month_minor };
      return operators.put('ceiling', { name: 'Low', body: { limits: [low, ...others] } });
    };
    const uid = await activated(api_key);
    await lowered(500);
    expect([await stateOf(uid), await useOf(uid)]).to.deep.equal([['activated', null], 'ok']);
    await lowered(499);
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'terms_no_longer_valid']);
    expect(await draftRefusal()).to.deep.equal([422, 'identity_ceiling_exceeded']);
    await operators.put('ceiling', { name: 'High', body });
    const again = await activated(api_key);
    await operators.change('ceiling', (await inForceOf('ceiling', 'workspace')).uid, 'end');
    expect((await stateOf(again))[0]).to.equal('suspended');
    await operators.put('ceiling', { name: 'Back', body });
  });

  it('I-062 cannot be used if an authority above has ended, even before the suspension', async () => {
    const { above, head, api_key } = await chain();
    const uid = await activated(api_key);
    expect(await behindTheBack(uid)).to.equal('ok');
    for (const change of [
      `update governed_record set state = 'suspended' where uid = '${above}'`,
      ended(above),
      `update person set state = 'suspended' where uid = '${head}'`,
      `update governed_record set state = 'suspended'
        where kind = 'ceiling' and state = 'active' and workspace_uid = '${sample.workspace}'`,
    ]) {
      expect(await behindTheBack(uid, change), change).to.equal('delegation_not_supported');
    }
  });

  it('I-062 is suspended when a voter loses the role that qualified the vote', async () => {
    await operators.role('payers');
    const own = { action: 'collateral.transfer' };
    const first = await operators.voter('payers');
    await operators.graph('payers-only', 'collateral.transfer', [{ quorum: 1, roles: ['payers'] }]);
    const uid = await activated(first.api_key, own);
    await operators.change('membership', first.membership!, 'end');
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'role_lost']);
    const second = await operators.voter();
    const body = { role: 'payers', person_uid: second.person, valid_until: inDays(2) };
    await operators.put('membership', { name: 'For two days', body });
    const lapsing = await activated(second.api_key, own);
    const at = (days: number) => new Date(Date.now() + days * DAY_MS);
    expect([await useOf(lapsing, at(1.9)), await useOf(lapsing, at(2.1))]).to.deep.equal([
      'ok',
      'delegation_not_supported',
    ]);
    const third = await operators.voter('payers');
    const last = await activated(third.api_key, own);
    const role = await inForceOf('role', 'payers');
    const isStopped = `update governed_record set state = 'suspended' where uid = '${role.uid}'`;
    expect(await behindTheBack(last, isStopped)).to.equal('delegation_not_supported');
    await operators.change('role', role.uid, 'suspend');
    expect(await stateOf(last)).to.deep.equal(['suspended', 'role_lost']);
    const refused = await draft(live(), sample, { ...own, execution_mode: 'dry_run' });
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'approval_graph_unsatisfiable']);
  });

  it('is unusable once its action, its connector or the ceiling of its identity is suspended', async () => {
    const { api_key } = sample.applications.approver;
    const identity = await operators.find(sample.identity.uid);
    for (const [kind, command, key, outdated] of [
      ['connector', 'connector', sample.connector, ['connector']],
      ['action', 'action', 'obligation.pay', ['action']],
      ['identity_ceiling', 'identity-ceiling', identity.key, ['currency']],
    ] as const) {
      for (const event of ['suspend', 'end'] as const) {
        const uid = await activated(api_key);
        const { uid: rested, name, body } = await inForceOf(kind, key);
        const isStopped = `update governed_record set state = 'suspended' where uid = '${rested}'`;
        expect(await behindTheBack(uid), kind).to.equal('ok');
        expect(await behindTheBack(uid, isStopped), kind).to.equal('terms_no_longer_valid');
        expect((await operators.change(command, rested, event)).ok).to.equal(true);
        expect(await stateOf(uid), kind).to.deep.equal(['suspended', 'terms_no_longer_valid']);
        const log = await operators.inside((em) =>
          sql<{ body: { details: unknown } }>`select body::jsonb as body from audit_entry
            where body::jsonb -> 'subject' ->> 'uid' = ${uid} and body::jsonb ->> 'op' = 'delegation.suspended'`.execute(
            em.getKysely(),
          ),
        );
        expect(log.rows.at(-1)!.body.details).to.deep.equal({ reason: 'terms_no_longer_valid', outdated });
        await operators.put(command, kind === 'identity_ceiling' ? { name, body } : { key, name, body });
      }
    }
  });

  it('is suspended if a new version of its connector or of the ceiling of its identity is too narrow', async () => {
    const { api_key } = sample.applications.approver;
    const identity = await operators.find(sample.identity.uid);
    const connector = await inForceOf('connector', sample.connector);
    const ceiling = await inForceOf('identity_ceiling', identity.key);
    const of = { currency: sample.currency, per_action_minor: 100, per_day_minor: 300 };
    const narrow = (per_month_minor: number) => ({
      name: 'Narrow',
      body: { identity: identity.key, limits: [{ ...of, per_month_minor }] },
    });
    const uid = await activated(api_key);
    await operators.put('identity-ceiling', narrow(500));
    expect(await stateOf(uid)).to.deep.equal(['activated', null]);
    await operators.put('identity-ceiling', narrow(499));
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'terms_no_longer_valid']);
    await operators.put('identity-ceiling', { name: 'Wide', body: ceiling.body });
    const again = await activated(api_key);
    const { key, name, body } = connector;
    await operators.put('connector', { key, name, body: { ...body, execution_modes: ['dry_run'] } });
    expect(await stateOf(again)).to.deep.equal(['suspended', 'terms_no_longer_valid']);
    const words = ['delegation', 'resume', again, '--as', sample.persons.approver.uid, '--json'];
    expect((await assay(live(), ...words)).stderr).to.match(/^terms_no_longer_valid/);
    await operators.put('connector', { key, name, body });
  });

  it('is suspended when its counterparty is archived', async () => {
    const party = await createCounterparty(live(), sample.workspace);
    const other = await activated(sample.applications.approver.api_key);
    current = undefined;
    const about = { counterparty_id: party, action: 'collateral.transfer' };
    await operators.role('movers');
    const mover = await operators.voter('movers');
    await operators.graph('movers-only', 'collateral.transfer', [{ quorum: 1, roles: ['movers'] }]);
    const uid = await activated(mover.api_key, about);
    const archived = `update counterparty set state = 'archived' where id = ${party}`;
    expect(await behindTheBack(uid, archived)).to.equal('terms_no_longer_valid');
    const words = ['counterparty', 'archive', String(party), '--workspace', sample.workspace];
    const done = await assay(live(), ...words, '--reason', 'closed', '--json');
    expect(done.json, done.stderr).to.deep.include({ id: party, state: 'archived' });
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'terms_no_longer_valid']);
    expect(await stateOf(other)).to.deep.equal(['activated', null]);
    const again = await assay(live(), ...words, '--reason', 'closed', '--json');
    expect(again.stderr).to.match(/^counterparty_unknown/);
    await operators.decide(other, 'revoke');
  });

  it('is suspended by the worker if a record that its terms name was removed without a notice', async () => {
    const uid = await activated(sample.applications.approver.api_key);
    const { counterparty_id: party } = sample;
    const put = (state: string) =>
      operators.inside((em) =>
        sql`update counterparty set state = ${state} where id = ${party}`.execute(em.getKysely()),
      );
    await put('archived');
    await expireDelegations(live().orm('worker'), new Date());
    await put('active');
    expect(await stateOf(uid)).to.deep.equal(['suspended', 'terms_no_longer_valid']);
  });

  it('I-095 follows the same rule as a decision on a batch, which is refused once the authority above ends or is too narrow', async () => {
    const { head, clerk, aboveKey } = await chain(ofBatches);
    await grant(head, aboveKey, clerk, ofBatches);
    const decision = {
      capability: 'release',
      gross: [{ currency: sample.currency, amountMinor: 100n }],
    } as const;
    const decide = () =>
      operators.inside((em) =>
        authorityFor(em, {
          ...decision,
          tenant: operators.tenant,
          batch: sample.batch.uid,
          person: clerk,
          now: new Date(),
        }),
      );
    expect((await decide()).ok).to.equal(true);
    const next = await renew(aboveKey, head, { ...ofBatches, ...limits(300) });
    expect((await decide()).ok).to.equal(true);
    const low = [
      { currency: sample.currency, per_action_minor: 99, per_day_minor: 300, per_month_minor: 500 },
    ];
    const narrow = await renew(aboveKey, head, { ...ofBatches, limits: low });
    expect(await decide()).to.deep.include({ ok: false, code: 'authority_insufficient' });
    expect((await operators.find(next)).state).to.equal('ended');
    await operators.change('authority', narrow, 'suspend');
    expect(await decide()).to.deep.include({ ok: false, code: 'authority_inactive' });
  });
});
