import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '#lib/core/clock.ts';
import { sql } from 'kysely';
import type { Em, Orm } from '#lib/database/base.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { changeDelegation } from '#lib/actions/delegations/change-delegation.command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { expireDelegations } from '#workers/periodic/expire-delegations.ts';
import { assay } from '../../support/cli.ts';
import { inDays, operatorsOf } from '../../support/control.ts';
import { carryOutIn } from '../../support/governed.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { offer, sourceOf } from '../../support/obligation.ts';
import { finish, finishIn, spend, type Authorized } from '../../support/spend.ts';

onOneBackend('Using a delegation', (live) => {
  let sample: Sample;
  let orm: Orm;
  before(async () => {
    sample = await governedSample(live());
    orm = openOrm(roleUrl(live().ownerUrl, 'operator'), 16);
  });
  after(() => orm.close());

  /** The delegation in force. It is revoked before the next delegation is activated. */
  let current: string | undefined;
  const activated = async (changes: Record<string, unknown> = {}) => {
    if (current) await revoke(current);
    const { body } = await draft(live(), sample, changes);
    const approved = await approve(live(), sample.applications.approver.api_key, body.uid);
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200);
    return (current = body.uid as string);
  };
  const revoke = (uid: string) =>
    inPlatform(orm, (em) => {
      const actor = { kind: 'person' as const, uid: sample.persons.controller.uid };
      const change = { uid, event: 'revoke' as const, reason: 'test' };
      return carryOutIn(em, changeDelegation, change, { actor, clock: systemClock });
    });
  const codeOf = (outcome: Authorized) => (outcome.ok ? 'ok' : outcome.code);
  const windows = async (uid: string) => {
    const { rows } = await sql<{ kind: string; reserved: string; settled: string }>`
      select kind, reserved, settled from delegation_window where delegation_uid = ${uid} order by kind
    `.execute(orm.em.fork().getKysely());
    return Object.fromEntries(rows.map((row) => [row.kind, [Number(row.reserved), Number(row.settled)]]));
  };

  it('I-070, I-074 keeps counters equal to reservations and within the budget over sixteen connections', async () => {
    const uid = await activated({
      budgets: { per_action_minor: 60, per_day_minor: 500, per_month_minor: 500 },
    });
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => spend(orm, uid, { amount: 60 })));
    expect(outcomes.filter(({ ok }) => ok)).to.have.length(8);
    expect(new Set(outcomes.map(codeOf))).to.deep.equal(new Set(['ok', 'budget_exceeded']));
    expect(await windows(uid)).to.deep.equal({ day: [480, 0], month: [480, 0] });
    const refused = outcomes.find((each) => !each.ok)!;
    expect(refused).to.deep.include({ code: 'budget_exceeded', bound_minor: 500, window: 'day' });
    const kept = outcomes.filter((each) => each.ok).map((each) => each.reservation!.uid);
    await Promise.all(
      kept.map((each, index) =>
        index % 2
          ? finish(orm, each, { event: 'release' })
          : finish(orm, each, { event: 'settle', actual: 50n }),
      ),
    );
    expect(await windows(uid)).to.deep.equal({ day: [0, 200], month: [0, 200] });
  });

  it('I-075, I-072 succeeds within all bounds to the last minor unit and fails beyond any bound', async () => {
    const uid = await activated({
      budgets: { per_action_minor: 100, per_day_minor: 150, per_month_minor: 150 },
    });
    expect(codeOf(await spend(orm, uid, { amount: 0 }))).to.equal('amount_not_positive');
    expect(codeOf(await spend(orm, uid, { amount: -1 }))).to.equal('amount_not_positive');
    expect(await spend(orm, uid, { amount: 101 })).to.deep.include({
      code: 'per_action_exceeded',
      bound_minor: 100,
    });
    expect(codeOf(await spend(orm, uid, { amount: 100 }))).to.equal('ok');
    expect(await spend(orm, uid, { amount: 51 })).to.deep.include({
      code: 'budget_exceeded',
      remaining_minor: 50,
    });
    expect(codeOf(await spend(orm, uid, { amount: 50 }))).to.equal('ok');
    for (const [path, value] of Object.entries({
      action: 'collateral.transfer',
      counterparty_id: sample.counterparty_id + 1_000,
      connector: 'other',
      currency: 'USD',
      execution_mode: 'autonomous' as const,
    })) {
      const outcome = await spend(orm, uid, { amount: 1, changes: { [path]: value } });
      expect(codeOf(outcome), path).to.equal('outside_delegation');
      expect((outcome as { failed: { path: string }[] }).failed.map((each) => each.path)).to.deep.equal([
        path,
      ]);
    }
  });

  it('returns the existing reservation for a repeated reference and rejects other content under that reference', async () => {
    const uid = await activated();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => spend(orm, uid, { amount: 70, reference: 'run-1' })),
    );
    const uids = answers.map((each) => (each.ok ? each.reservation!.uid : each.code));
    expect(new Set(uids).size, String(uids)).to.equal(1);
    expect(await windows(uid)).to.deep.equal({ day: [70, 0], month: [70, 0] });
    const again = await spend(orm, uid, { amount: 70, reference: 'run-1' });
    expect(again).to.deep.include({ ok: true, isRepeated: true });
    expect(codeOf(await spend(orm, uid, { amount: 71, reference: 'run-1' }))).to.equal('reference_reused');
  });

  it('I-071, I-076 does not return a reservation that has ended or that the delegation no longer covers', async () => {
    const uid = await activated();
    const again = async (reference: string, now?: Date) => {
      const outcome = await spend(orm, uid, { amount: 20, reference, ...(now ? { now } : {}) });
      return outcome.ok ? 'ok' : outcome;
    };
    const [released, settled, held] = await Promise.all(
      ['released', 'settled', 'held'].map((reference) => spend(orm, uid, { amount: 20, reference })),
    );
    if (!released!.ok || !settled!.ok || !held!.ok) throw new Error('not reserved');
    await finish(orm, released!.reservation!.uid, { event: 'release' });
    await finish(orm, settled!.reservation!.uid, { event: 'settle', actual: 20n });
    for (const state of ['released', 'settled']) {
      expect(await again(state)).to.deep.include({ code: 'reservation_ended', state });
    }
    const overdue = new Date(Date.now() + 25 * 3_600_000);
    expect(await again('held', overdue)).to.deep.include({ code: 'reservation_ended', state: 'reserved' });
    expect(await again('held')).to.equal('ok');
    const late = new Date(Date.now() + 31 * 86_400_000);
    expect(await again('held', late)).to.deep.include({ code: 'delegation_not_in_time' });
    await revoke(uid);
    expect(await again('held')).to.deep.include({ code: 'delegation_not_active', state: 'revoked' });
    current = undefined;
    const { json } = await assay(
      live(),
      ...['audit', 'list', '--workspace', sample.workspace, '--subject', uid],
      ...['--op', 'delegation.authorized', '--json'],
    );
    const reported = json.data.map(
      (each: { outcome: { code: string | null } }) => each.outcome.code ?? 'done',
    );
    expect(reported).to.have.members([
      ...['done', 'done', 'done', 'reservation_ended', 'reservation_ended', 'reservation_ended'],
      ...['done', 'delegation_not_in_time', 'delegation_not_active'],
    ]);
  });

  it('I-073 ends a reservation once and releases the amount that was not settled', async () => {
    const uid = await activated();
    const first = await spend(orm, uid, { amount: 80 });
    const second = await spend(orm, uid, { amount: 90 });
    if (!first.ok || !second.ok) throw new Error('not reserved');
    expect((await finish(orm, first.reservation!.uid, { event: 'release' })).ok).to.equal(true);
    expect(await finish(orm, first.reservation!.uid, { event: 'release' })).to.deep.include({
      code: 'reservation_ended',
    });
    const both = await Promise.all(
      [1n, 2n].map((actual) => finish(orm, second.reservation!.uid, { event: 'settle', actual })),
    );
    expect(both.filter(({ ok }) => ok)).to.have.length(1);
    const { day } = await windows(uid);
    expect(day![0]).to.equal(0);
    expect([1, 2]).to.include(day![1]);
  });

  it('lets a settlement and an authorization proceed without waiting for each other', async () => {
    const uid = await activated();
    const outcome = await spend(orm, uid, { amount: 80 });
    if (!outcome.ok) throw new Error('not reserved');
    const touch = (em: Em, kind: string) =>
      sql`update delegation_window set reserved = reserved where delegation_uid = ${uid} and kind = ${kind}`.execute(
        em.getKysely(),
      );
    // After this update, the row of the month precedes the row of the day in the table. A settlement that locked rows
    // in scan order would therefore lock the month first.
    await inPlatform(orm, (em) => touch(em, 'day'));
    const settle = () =>
      inPlatform(orm, async (em) => {
        for (const way of ['indexscan', 'bitmapscan']) {
          await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(em.getKysely());
        }
        return finishIn(em, outcome.reservation!.uid, { event: 'settle', actual: 80n });
      });
    const [ended] = await atOnce(
      live(),
      (em) => touch(em, 'day'),
      [settle],
      (em) => touch(em, 'month'),
    );
    expect(ended!.ok).to.equal(true);
    expect(await windows(uid)).to.deep.equal({ day: [0, 80], month: [0, 80] });
  });

  it('I-080 keeps the whole amount reserved if a settlement exceeds it or if nobody ends the reservation', async () => {
    const uid = await activated();
    const first = await spend(orm, uid, { amount: 40 });
    const second = await spend(orm, uid, { amount: 60 });
    if (!first.ok || !second.ok) throw new Error('not reserved');
    const above = await finish(orm, first.reservation!.uid, { event: 'settle', actual: 41n });
    expect(above).to.deep.include({ ok: false, code: 'settled_above_reservation' });
    await expireDelegations(live().orm('worker'), new Date(Date.now() + 25 * 3_600_000));
    expect(await windows(uid)).to.deep.equal({ day: [100, 0], month: [100, 0] });
    const { json } = await assay(live(), 'delegation', 'reservations', uid, '--json');
    expect(
      json.data.map((each: { state: string; exception: string }) => [each.state, each.exception]),
    ).to.deep.equal([
      ['stuck', 'outcome_unknown'],
      ['stuck', 'settled_above_reservation'],
    ]);
    const bare = await finish(orm, second.reservation!.uid, { event: 'release' });
    expect(bare).to.deep.include({ ok: false, code: 'evidence_required' });
    const shown = ['--evidence', 'statement 17', '--json'];
    const none = await assay(live(), 'delegation', 'release', first.reservation!.uid, ...shown);
    expect(none.stderr.split(':')[0]).to.equal('full_settlement_required');
    expect(await windows(uid)).to.deep.equal({ day: [100, 0], month: [100, 0] });
    const full = ['--actual-minor', '40', ...shown];
    const settled = await assay(live(), 'delegation', 'settle', first.reservation!.uid, ...full);
    expect(settled.json, settled.stderr).to.deep.include({
      state: 'settled',
      settled_minor: 40,
      offered_minor: 41,
      evidence: 'statement 17',
    });
    const evidence = 'statement 18';
    expect((await finish(orm, second.reservation!.uid, { event: 'release', evidence })).ok).to.equal(true);
    expect(await windows(uid)).to.deep.equal({ day: [0, 40], month: [0, 40] });
    const { json: log } = await assay(
      live(),
      ...['audit', 'list', '--workspace', sample.workspace, '--subject', first.reservation!.uid, '--json'],
    );
    const leaves = log.data.filter(({ op }: { op: string }) => op.startsWith('reservation.'));
    expect(leaves.map((each: { outcome: { code: string | null } }) => each.outcome.code)).to.have.members([
      ...['settled_above_reservation', 'full_settlement_required'],
      null,
    ]);
    expect(new Set(leaves.map((each: { payload_hash: string }) => each.payload_hash)).size).to.equal(3);
  });

  it('I-071, I-076 is refused once the delegation is suspended, revoked or ended', async () => {
    const uid = await activated();
    const late = await spend(orm, uid, { amount: 1, now: new Date(Date.now() + 31 * 86_400_000) });
    expect(codeOf(late)).to.equal('delegation_not_in_time');
    const racing = Array.from({ length: 24 }, (_, index) =>
      spend(orm, uid, { amount: 1, reference: `race-${index}` }),
    );
    const revoked = await revoke(uid);
    expect(revoked.ok).to.equal(true);
    const after = await Promise.all(Array.from({ length: 8 }, () => spend(orm, uid, { amount: 1 })));
    expect(new Set(after.map(codeOf))).to.deep.equal(new Set(['delegation_not_active']));
    const won = (await Promise.all(racing)).filter(({ ok }) => ok).length;
    expect((await windows(uid))['day']?.[0] ?? 0).to.equal(won);
    current = undefined;
  });

  it('I-071 is refused if the delegation ended while the use waited for the lock', async () => {
    const uid = await activated({ valid_until: new Date(Date.now() + 3_600_000).toISOString() });
    let now = new Date();
    const [late] = await atOnce(
      live(),
      (em) => lockControl(em, sample.workspace, 'change'),
      [() => spend(orm, uid, { amount: 1, clock: { now: () => now } })],
      async () => void (now = new Date(Date.now() + 3_601_000)),
    );
    expect(codeOf(late!)).to.equal('delegation_not_in_time');
  });

  it('I-062 is refused and suspends the delegation once an authority behind the delegation has expired', async () => {
    const { role, voter, put, authorize, change } = operatorsOf(live(), sample);
    await role('clerks');
    const clerk = await voter();
    await change('authority', clerk.authority!, 'end');
    await put('membership', {
      name: 'For two days',
      body: { role: 'clerks', person_uid: clerk.person, valid_until: inDays(2) },
    });
    await put('membership', {
      name: 'Approver',
      body: { role: 'delegation_approver', person_uid: clerk.person },
    });
    await authorize(clerk.person, { grantee: { kind: 'role', role: 'clerks' } });
    const { body } = await draft(live(), sample, { execution_mode: 'autonomous' });
    expect((await approve(live(), clerk.api_key, body.uid)).status).to.equal(200);
    const before = new Date(Date.now() + 1.9 * 86_400_000);
    const after = new Date(Date.now() + 2.1 * 86_400_000);
    const at = async (now: Date) => codeOf(await spend(orm, body.uid, { amount: 1, now }));
    expect([await at(before), await at(after)]).to.deep.equal(['ok', 'delegation_not_supported']);
    const stateNow = async () =>
      (await assay(live(), 'delegation', 'show', body.uid, '--json')).json.state as string;
    await expireDelegations(live().orm('worker'), before);
    expect(await stateNow()).to.equal('activated');
    await expireDelegations(live().orm('worker'), after);
    expect(await stateNow()).to.equal('suspended');
    await revoke(body.uid);
  });

  it('I-079 evaluates a dry run in full without a reservation', async () => {
    const uid = await activated({ execution_mode: 'dry_run' });
    const outcome = await spend(orm, uid, { amount: 100 });
    expect(outcome).to.deep.include({ ok: true, reservation: null });
    expect(await windows(uid)).to.deep.equal({});
  });

  it('I-022 is refused without an obligation, and for an obligation that is unknown, disputed, withdrawn or of another counterparty', async () => {
    const uid = await activated();
    const offered = async (counterparty: number, more: Record<string, unknown> = {}) => {
      const source = sourceOf(counterparty, more);
      const { status, body } = await offer(live(), sample.applications.drafter.api_key, source);
      expect(status, JSON.stringify(body)).to.equal(201);
      return { uid: body.uid as string, source };
    };
    const about = (obligation_uid: string | null) =>
      spend(orm, uid, { amount: 1, changes: { obligation_uid } });
    const one = await offered(sample.counterparty_id);
    expect(codeOf(await about(one.uid))).to.equal('ok');
    const other = await offered(sample.counterparty_id);
    const sourceHash = { source_hash: randomBytes(32).toString('hex') };
    await offer(live(), sample.applications.drafter.api_key, { ...other.source, ...sourceHash });
    expect(await about(other.uid)).to.deep.include({ code: 'obligation_not_actionable', state: 'disputed' });
    const withdraw = await assay(
      live(),
      ...['obligation', 'withdraw', one.uid, '--reason', 'paid'],
      ...['--as', sample.persons.controller.uid, '--json'],
    );
    expect(withdraw.json, withdraw.stderr).to.deep.include({ governance_state: 'withdrawn' });
    expect(await about(one.uid)).to.deep.include({ code: 'obligation_not_actionable', state: 'withdrawn' });
    expect(codeOf(await about('obl_x'))).to.equal('obligation_not_actionable');
    const foreign = await offered(await createCounterparty(live(), sample.workspace), { currency: 'USD' });
    for (const [named, paths] of [
      [foreign.uid, ['obligation.counterparty_id', 'obligation.currency']],
      [null, ['obligation_uid']],
    ] as const) {
      const refused = await about(named);
      expect(codeOf(refused)).to.equal('outside_delegation');
      const { failed } = refused as { failed: { path: string }[] };
      expect(failed.map(({ path }) => path)).to.deep.equal(paths);
    }
  });

  it('I-164 is refused while the workspace is frozen', async () => {
    const uid = await activated();
    const as = (person: string) => ['--reason', 'incident', '--as', person, '--json'];
    const { grantor, controller } = sample.persons;
    expect(
      (await assay(live(), 'workspace', 'freeze', sample.workspace, ...as(grantor.uid))).status,
    ).to.equal(0);
    expect(codeOf(await spend(orm, uid, { amount: 1 }))).to.equal('financial_actions_frozen');
    const alone = await assay(live(), 'workspace', 'thaw', sample.workspace, ...as(grantor.uid));
    expect([alone.status, alone.stderr.split(':')[0]]).to.deep.equal([1, 'second_person_required']);
    expect(
      (await assay(live(), 'workspace', 'thaw', sample.workspace, ...as(controller.uid))).status,
    ).to.equal(0);
    expect(codeOf(await spend(orm, uid, { amount: 1 }))).to.equal('ok');
  });

  it('I-070 is atomic with its policy decision, so that sixteen connections exceed no policy bound', async () => {
    const budgets = { per_action_minor: 100, per_day_minor: 10_000, per_month_minor: 10_000 };
    const uid = await activated({ budgets, execution_mode: 'autonomous' });
    expect((await spend(orm, uid, { amount: 3 })).ok).to.equal(true);
    const of = { execution_mode: 'autonomous', currency: sample.currency };
    const used = (minor: number) => ({ ...of, 'usage.day_minor': minor });
    await operatorsOf(live(), sample).put('policy', {
      key: 'once-a-day',
      name: 'No more than a hundred a day',
      body: {
        mode: 'enforce',
        scope: {
          ...{ environments: [], actions: [], connectors: [], counterparties: [], risk_tiers: [] },
          ...{ currencies: [of.currency], execution_modes: [of.execution_mode] },
        },
        rules: [
          {
            key: 'used',
            effect: 'deny',
            when: { field: 'usage.day_minor', op: 'gte', value: 100 },
            reason_code: 'used',
            advice: 'Wait for tomorrow.',
          },
        ],
        cases: [{ name: 'used', input: used(100), expect: { effect: 'deny' } }],
      },
    });
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => spend(orm, uid, { amount: 100 })));
    expect(outcomes.filter(({ ok }) => ok)).to.have.length(1);
    expect(new Set(outcomes.map(codeOf))).to.deep.equal(new Set(['ok', 'policy_denied']));
    expect(await windows(uid)).to.deep.equal({ day: [103, 0], month: [103, 0] });
  });

  it('does not write to the row of the delegation, so that concurrent uses do not block each other', async () => {
    const uid = await activated();
    const version = async () => {
      const found = await sql`select xmin::text from delegation where uid = ${uid}`.execute(
        orm.em.fork().getKysely(),
      );
      return found.rows;
    };
    const before = await version();
    expect((await spend(orm, uid, { amount: 1 })).ok).to.equal(true);
    expect(await version()).to.deep.equal(before);
  });

  it('evaluates the policies and names the rule that denies the use', async () => {
    const uid = await activated();
    const authorize = (...more: string[]) => {
      const words = ['--amount-minor', '100', '--obligation', sample.obligation.uid, ...more];
      return assay(live(), 'delegation', 'authorize', uid, ...words);
    };
    const done = await authorize('--json');
    expect(done.json, done.stderr).to.deep.include({ authorized: true, amount_minor: 100 });
    const settled = await assay(
      live(),
      'delegation',
      'settle',
      done.json.reservation_uid,
      '--actual-minor',
      '99',
      '--json',
    );
    expect(settled.json).to.deep.include({ state: 'settled', settled_minor: 99 });
    const by = ['--reason', 'stop', '--as', sample.persons.controller.uid, '--json'];
    expect((await assay(live(), 'policy', 'suspend', sample.policy.uid, ...by)).status).to.equal(0);
    const denied = await authorize();
    expect([denied.status, denied.stderr.split(':')[0]]).to.deep.equal([1, 'policy_denied']);
    expect(denied.stderr).to.contain('"default":true');
  });
});
