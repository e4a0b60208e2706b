import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { authorityKind } from '#lib/actions/authority/authority.ts';
import type { BatchChange } from '#lib/actions/execution/batch/batch-decision.ts';
import { OrderBatch } from '#lib/actions/execution/batch/order-batch.entity.ts';
import { preTradeRulesKind } from '#lib/actions/execution/batch/pre-trade-rules.ts';
import { settlementCalendarKind } from '#lib/actions/execution/batch/settlement-calendar.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { changeGoverned } from '../../support/governed.ts';
import { Person } from '#lib/access/person.entity.ts';
import { createPerson } from '#lib/access/provision.ts';
import { raiseMissingObservations } from '#workers/periodic/raise-missing-observations.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';
import {
  changeBatch,
  AMOUNTS,
  atDesk,
  batchFile,
  bringIntoForce,
  confirmationFile,
  confirmBatch,
  confirmedBatch,
  deskAuthority,
  draftBatch,
  evidenceOf,
  EXECUTION,
  lineOf,
  observe,
  openDesk,
  ordinaryRules,
  releaseBatch,
  settlementDay,
  type Desk,
  type Made,
} from '../../support/order-batch.ts';

const newHash = () => randomBytes(32).toString('hex');

onOneBackend('the command line for order batches and their exceptions', function (live) {
  let tenancy: Tenancy;
  let desk: Desk;
  let folder: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    desk = await openDesk(live(), tenancy);
    folder = await mkdtemp(join(tmpdir(), 'assay-batch-'));
  });
  after(() => rm(folder, { recursive: true }));

  const run = (...words: string[]) => assay(live(), ...words, '--json');
  const file = async (name: string, content: unknown) => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const as = (person: number) => ['--as', desk.persons[person]!];
  const at = () => ['--workspace', tenancy.workspace];
  const read = async (path: string) => (await clientOf(live(), tenancy.key).get(path)).body;
  const stateOf = async (uid: string) => (await read(`${EXECUTION}/${uid}`)).state;
  const entriesOf = async (op: string) =>
    (await assay(live(), 'audit', 'list', ...at(), '--op', op, '--json')).json.data;

  it('imports a batch, requires a second person for its approval and its release, and confirms it', async () => {
    const path = await file('orders.json', batchFile());
    const imported = await run('batch', 'import', path, ...at(), ...as(0));
    expect(imported.status, imported.stderr).to.equal(0);
    const { uid } = imported.json;
    expect(imported.json).to.include({ state: 'drafted', orders: 2, new: true });
    expect((await run('batch', 'import', path, ...at(), ...as(1))).json).to.include({ uid, new: false });
    expect((await run('batch', 'approve', uid, ...as(1))).stderr).to.match(/^transition_not_allowed: /);
    expect((await run('batch', 'evaluate', uid, ...as(0))).json).to.include({ state: 'controls_passed' });
    expect((await run('batch', 'approve', uid, ...as(0))).stderr).to.match(/^second_person_required: /);
    expect((await run('batch', 'approve', uid, ...as(1))).json.state).to.equal('approved');
    expect((await run('batch', 'release', uid, ...as(0))).stderr).to.match(/^second_person_required: /);
    expect((await run('batch', 'release', uid, ...as(2))).json.state).to.equal('released');
    expect((await run('batch', 'cancel', uid, ...as(2), '--reason', 'late')).stderr).to.match(
      /^transition_not_allowed: /,
    );
    const { orders } = (await run('batch', 'show', uid)).json;
    const lines = orders.map((order: any, index: number) => ({
      order_hash: order.order_hash,
      quantity: order.quantity,
      currency: order.currency,
      settlement_amount_minor: AMOUNTS[index],
      amount_scale: 2,
    }));
    const confirmation = confirmationFile([], { lines });
    const confirm = async (document: unknown) =>
      run('batch', 'confirm', await file('confirmation.json', document), '--batch', uid, ...as(0));
    const confirmed = await confirm(confirmation);
    expect(confirmed.json).to.deep.include({
      new: true,
      trade_confirmation: 'confirmed',
      state: 'confirmed',
      closing_blockers: ['custody_observation_missing'],
    });
    expect((await confirm(confirmation)).json).to.include({ uid: confirmed.json.uid, new: false });
    const other = { ...confirmation, source_hash: randomBytes(32).toString('hex') };
    expect((await confirm(other)).stderr).to.match(/^source_evidence_conflict: /);
    expect((await read(`${EXECUTION}/${uid}`)).trade_confirmation.state).to.equal('disputed');
    const more = { ...confirmationFile([], { lines: [lines[0]] }) };
    expect((await confirm(more)).stderr).to.match(/^confirmation_exceeds_order: /);
    const approvals = await entriesOf('batch.approved');
    expect(approvals.some((each: any) => JSON.stringify(each).includes('second_person_required'))).to.equal(
      true,
    );
    expect(await entriesOf('batch.released')).to.have.lengthOf(2);
  });

  it('I-111 releases no batch if its controls failed, were not evaluated, or have expired', async () => {
    const refuse = async (uid: string, event: string) => (await run('batch', event, uid, ...as(1))).stderr;
    const order = batchFile().orders[0]!;
    const { limit_price: _, ...market } = { ...order, order_type: 'market' as const };
    const unpriced = await draftBatch(desk, batchFile({ orders: [market] }));
    const evaluated = await run('batch', 'evaluate', unpriced.uid, ...as(0));
    expect(evaluated.json.state).to.equal('controls_failed');
    expect(evaluated.json.controls.map(({ key, status }: any) => `${key} ${status}`)).to.deep.equal([
      'gross_notional.USD not_evaluated',
      'order_notional.USD not_evaluated',
    ]);
    expect(await refuse(unpriced.uid, 'approve')).to.match(/^transition_not_allowed: /);
    const restricted = await draftBatch(
      desk,
      batchFile({ orders: [{ ...order, instrument: { isin: 'US5949181045' } }] }),
    );
    expect((await run('batch', 'evaluate', restricted.uid, ...as(0))).json.controls[0].key).to.equal(
      'instrument_unknown',
    );
    const stale = await draftBatch(desk);
    await run('batch', 'evaluate', stale.uid, ...as(0));
    await run('batch', 'approve', stale.uid, ...as(1));
    await atDesk(desk, async (em) => {
      const batch = await em.findOneOrFail(OrderBatch, { uid: stale.uid });
      batch.controls = { ...batch.controls!, expires_at: new Date(Date.now() - 1).toISOString() };
    });
    expect((await read(`${EXECUTION}/${stale.uid}`)).pre_trade.state).to.equal('expired');
    expect(await refuse(stale.uid, 'release')).to.match(/^controls_not_passed: /);
    await run('batch', 'evaluate', stale.uid, ...as(0));
    expect(await refuse(stale.uid, 'release')).to.match(/^transition_not_allowed: /);
  });

  it('I-111 releases no batch if its pre-trade rules have changed since its controls were evaluated', async () => {
    const own = await openDesk(live(), await buildTenancy(live()));
    const { uid } = await draftBatch(own);
    const step = (event: BatchChange, person: number) =>
      atDesk(own, (em) => changeBatch(em, uid, { event, by: own.persons[person]!, now: new Date() }));
    await step('evaluate', 0);
    await step('approve', 1);
    const restricted_instruments = [{ isin: 'US0378331005' }];
    await atDesk(own, (em) =>
      bringIntoForce(em, own, preTradeRulesKind, { ...ordinaryRules, restricted_instruments }),
    );
    const { stderr } = await run('batch', 'release', uid, '--as', own.persons[2]);
    expect(stderr).to.match(/^control_rules_changed: /);
    expect(await step('evaluate', 0)).to.have.nested.property('batch.state', 'controls_failed');
    await atDesk(own, (em) => bringIntoForce(em, own, preTradeRulesKind, ordinaryRules));
    await step('evaluate', 0);
    await step('approve', 1);
    expect(await step('release', 2)).to.have.nested.property('batch.state', 'released');
  });

  it('I-111 releases no batch if the settlement calendar has changed since its controls were evaluated', async () => {
    const own = await openDesk(live(), await buildTenancy(live()));
    const { uid } = await draftBatch(own);
    const step = (event: BatchChange, person: number) =>
      atDesk(own, async (em) => {
        const changed = await changeBatch(em, uid, { event, by: own.persons[person]!, now: new Date() });
        return changed.ok ? changed.batch.state : changed.code;
      });
    const days = { from: '2020-01-01', to: '2199-12-31', weekend: [] };
    const settleExcept = (holidays: string[]) =>
      atDesk(own, (em) => bringIntoForce(em, own, settlementCalendarKind, { ...days, holidays }));
    await step('evaluate', 0);
    await step('approve', 1);
    await settleExcept([settlementDay()]);
    expect(await step('release', 2)).to.equal('control_rules_changed');
    expect(await step('evaluate', 0)).to.equal('controls_failed');
    await settleExcept([]);
    await step('evaluate', 0);
    await step('approve', 1);
    expect(await step('release', 2)).to.equal('released');
  });

  it('I-111 releases no batch in a workspace without pre-trade rules', async () => {
    const bare = await buildTenancy(live());
    const path = await file('bare.json', batchFile());
    const { json } = await run('batch', 'import', path, '--workspace', bare.workspace);
    const evaluated = await run('batch', 'evaluate', json.uid);
    expect(evaluated.json.state).to.equal('controls_failed');
    expect(new Set(evaluated.json.controls.map(({ status }: any) => status))).to.deep.equal(
      new Set(['not_evaluated']),
    );
  });

  it('approves and releases only under an authority that covers the gross amount of each currency', async () => {
    const own = await openDesk(live(), await buildTenancy(live()));
    const { uid } = await draftBatch(own);
    const step = (event: BatchChange, person: string) =>
      atDesk(own, async (em) => {
        const changed = await changeBatch(em, uid, { event, by: person, now: new Date() });
        return changed.ok ? changed.batch.state : changed.code;
      });
    const grant = (key: string, grantee: string, more: Record<string, unknown>) => {
      const makers: Desk = { ...own, persons: [own.person, own.persons[0], grantee] };
      return atDesk(own, (em) =>
        bringIntoForce(em, makers, authorityKind, deskAuthority(grantee, more), key),
      );
    };
    const [one, two] = await atDesk(own, async (em) =>
      ['one', 'two'].map((name) => {
        const email = `${name}.${newHash()}@example.com`;
        return createPerson(em, { workspace: own.workspace, name, email, roles: [], now: new Date() }).uid;
      }),
    );
    await step('evaluate', own.persons[0]);
    expect(await step('approve', one!)).to.equal('authority_missing');
    const euros = { currency: 'EUR', per_action_minor: 190_500, per_day_minor: null, per_month_minor: null };
    const limits = [euros, { ...euros, currency: 'USD', per_action_minor: 28_575_000 }];
    for (const more of [
      { limits: [euros] },
      { limits: [euros, { ...limits[1]!, per_action_minor: 28_574_999 }] },
      { limits, capabilities: ['release'] },
      { limits, actions: ['obligation.pay'] },
    ]) {
      await grant('one', one!, more);
      expect(await step('approve', one!), JSON.stringify(more)).to.equal('authority_insufficient');
    }
    await grant('one', one!, { limits, capabilities: ['approve'] });
    expect(await step('approve', one!)).to.equal('approved');
    expect(await step('release', one!)).to.equal('authority_insufficient');
    const given = await grant('two', two!, { limits, capabilities: ['release'] });
    const change = { event: 'suspend' as const, by: own.person, reason: 'left', now: new Date() };
    await atDesk(own, (em) => changeGoverned(em, authorityKind, given, change));
    expect(await step('release', two!)).to.equal('authority_inactive');
    const refused = await run('batch', 'release', uid, '--as', one!);
    expect(refused.stderr).to.match(/^authority_insufficient: .*capabilities: requires contains "release"/);
    await grant('two', two!, { limits, capabilities: ['release'] });
    const released = await run('batch', 'release', uid, '--as', two!);
    expect(released.json?.state, released.stderr).to.equal('released');
    const words = ['--workspace', own.workspace, '--op', 'batch.released', '--json'];
    const { json } = await assay(live(), 'audit', 'list', ...words);
    expect(JSON.stringify(json.data))
      .to.match(/authority_insufficient/)
      .and.to.match(/"authority_uid":"aut_/);
  });

  describe('the authority of the approver', () => {
    const limits = (per_day_minor: number | null, per_month_minor: number | null) =>
      [
        ['EUR', 190_500],
        ['USD', 28_575_000],
      ].map(([currency, per_action_minor]) => ({
        ...{ currency, per_action_minor, per_month_minor: currency === 'USD' ? per_month_minor : null },
        per_day_minor: currency === 'USD' ? per_day_minor : null,
      }));
    let own: Desk;
    let approver: string;
    beforeEach(async () => {
      own = await openDesk(live(), await buildTenancy(live()));
      approver = await atDesk(own, async (em) => {
        const email = `ada.${newHash()}@example.com`;
        const given = { workspace: own.workspace, name: 'Ada', email, roles: [], now: new Date() };
        return createPerson(em, given).uid;
      });
    });
    const step = (uid: string, event: BatchChange, by: string, now = new Date()) =>
      atDesk(own, async (em) => {
        const changed = await changeBatch(em, uid, { event, by, now });
        if (changed.ok) return changed.batch.state;
        return changed.detail ? `${changed.code}: ${changed.detail}` : changed.code;
      });
    const grant = (more: Record<string, unknown>, grantee = approver) => {
      const makers: Desk = { ...own, persons: [own.person, own.persons[0], grantee] };
      const body = deskAuthority(grantee, { capabilities: ['approve'], ...more });
      return atDesk(own, (em) => bringIntoForce(em, makers, authorityKind, body, 'ada'));
    };
    const evaluated = async () => {
      const { uid } = await draftBatch(own);
      await step(uid, 'evaluate', own.persons[0]);
      return uid;
    };

    it('must cover the batch again at the release', async () => {
      const given = await grant({ limits: limits(null, null) });
      const uid = await evaluated();
      expect(await step(uid, 'approve', approver)).to.equal('approved');
      const change = { event: 'suspend' as const, by: own.person, reason: 'left', now: new Date() };
      const narrower = limits(null, null).map((each) => ({ ...each, per_action_minor: 190_500 }));
      const narrow = await grant({ limits: narrower });
      expect(narrow).to.not.equal(given);
      expect(await step(uid, 'release', own.persons[2])).to.match(
        /^approval_void: authority_insufficient: gross.USD.per_action_minor: requires lte 190500/,
      );
      await atDesk(own, (em) => changeGoverned(em, authorityKind, narrow, change));
      expect(await step(uid, 'release', own.persons[2])).to.equal('approval_void: authority_inactive');
      await grant({ limits: limits(null, null) });
      await atDesk(own, (em) => em.nativeUpdate(Person, { uid: approver }, { state: 'suspended' }));
      expect(await step(uid, 'release', own.persons[2])).to.equal('approval_void: authority_missing');
      await atDesk(own, (em) => em.nativeUpdate(Person, { uid: approver }, { state: 'active' }));
      expect(await step(uid, 'release', own.persons[2])).to.equal('released');
    });

    it('limits the sum of the batches of a day and of a month, except withdrawn batches', async () => {
      await grant({ limits: limits(60_000_000, 60_000_000) });
      const [one, two, three] = [await evaluated(), await evaluated(), await evaluated()];
      expect(await step(one, 'approve', approver)).to.equal('approved');
      expect(await step(two, 'approve', approver)).to.equal('approved');
      expect(await step(three, 'approve', approver)).to.match(
        /^authority_insufficient: gross.USD.per_day_minor: requires lte 60000000, has "85725000"; gross.USD.per_month_minor/,
      );
      expect(await step(one, 'release', own.persons[2])).to.equal('released');
      expect(await step(two, 'cancel', own.persons[0])).to.equal('cancelled');
      expect(await step(three, 'approve', approver)).to.equal('approved');
      const next = await evaluated();
      expect(await step(next, 'approve', approver)).to.match(/^authority_insufficient: /);
      expect(await step(three, 'evaluate', own.persons[0])).to.equal('controls_passed');
      expect(await step(next, 'approve', approver), 'no approval stands for it').to.equal('approved');
    });

    it('limits the sum of the releases of a day separately', async () => {
      await grant({ limits: limits(30_000_000, null), capabilities: ['release'] });
      const [one, two] = [await evaluated(), await evaluated()];
      for (const uid of [one, two]) expect(await step(uid, 'approve', own.persons[1])).to.equal('approved');
      expect(await step(one, 'release', approver)).to.equal('released');
      expect(await step(two, 'release', approver)).to.match(/gross.USD.per_day_minor: requires lte 30000000/);
    });

    it('covers one of two concurrently approved batches if the daily limit allows only one', async () => {
      await grant({ limits: limits(30_000_000, null) });
      const both = [await evaluated(), await evaluated()];
      const states = await atOnce(
        live(),
        (em) => lockControl(em, own.workspace, 'change'),
        both.map((uid) => () => step(uid, 'approve', approver)),
      );
      expect(states.map((state) => state.split(':')[0]).sort()).to.deep.equal([
        'approved',
        'authority_insufficient',
      ]);
    });
  });

  it('releases no batch that the policies deny and stores the decision', async () => {
    const own = await openDesk(live(), await buildTenancy(live()));
    const by = (person: number) => ['--as', own.persons[person]!];
    const { json } = await run('policy', 'list', '--workspace', own.workspace);
    await run('policy', 'end', json.data[0].uid, ...by(0), '--reason', 'a test');
    const { uid } = await draftBatch(own);
    await run('batch', 'evaluate', uid, ...by(0));
    await run('batch', 'approve', uid, ...by(1));
    expect((await run('batch', 'release', uid, ...by(2))).stderr).to.match(/^policy_denied: /);
    expect((await run('batch', 'show', uid)).json.state).to.equal('approved');
    const reported = await assay(
      live(),
      'audit',
      'list',
      '--workspace',
      own.workspace,
      '--op',
      'batch.released',
      '--json',
    );
    expect(reported.json.data).to.have.lengthOf(1);
    expect(JSON.stringify(reported.json.data)).to.match(/policy_denied.*dec_|dec_.*policy_denied/);
  });

  it('releases a batch once if two persons release it concurrently', async () => {
    const { uid } = await draftBatch(desk);
    await run('batch', 'evaluate', uid, ...as(0));
    await run('batch', 'approve', uid, ...as(1));
    const both = await atOnce(
      live(),
      (em) =>
        em
          .getKysely()
          .selectFrom('order_batch' as never)
          .selectAll()
          .where('uid' as never, '=', uid as never)
          .forUpdate()
          .execute(),
      [1, 2].map((person) => () => run('batch', 'release', uid, ...as(person))),
    );
    expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
  });

  it('reads orders from CSV and reports every fault of a rejected file', async () => {
    const header =
      'isin,side,quantity,order_type,limit_price,currency,account_reference,time_in_force,settlement_date';
    const row = (quantity: string) => `US0378331005,buy,${quantity},limit,190.5,USD,ACC-4821,day,2026-11-24`;
    const load = async (text: string, ...more: string[]) =>
      run('batch', 'import', await file('orders.csv', text), ...at(), ...as(0), ...more);
    const named = ['--reference', 'CSV-1', '--portfolio', 'prt_csv'];
    const { json, stderr } = await load([header, row('10'), row('20'), ''].join('\n'), ...named);
    expect(json, stderr).to.include({ orders: 2 });
    expect((await load([header, row('10')].join('\n'))).stderr).to.match(/^reference_missing: /);
    expect((await load([header, row('10')].join('\n'), ...named)).stderr).to.match(
      /^batch_reference_in_use: /,
    );
    expect((await load(`colour\nblue`, ...named)).stderr).to.match(/^invalid_file: line 1/);
    const faulty = await load(
      [header, row('0'), row('x')].join('\n'),
      '--reference',
      'CSV-2',
      '--portfolio',
      'p',
    );
    expect([faulty.status, faulty.stderr]).to.deep.equal([
      1,
      'pattern: /orders/1/quantity must match pattern "^\\d{1,15}(\\.\\d{1,8})?$"\n',
    ]);
  });

  it('keeps batches of an earlier system as candidates until an import links them', async () => {
    const old = {
      legacy_reference: 'L-1',
      portfolio_uid: 'prt_old',
      created_at: '2026-01-02T00:00:00Z',
      status: 'open',
      order_count: 2,
    };
    const path = await file('legacy.json', {
      source_system: 'oms_v1',
      batches: [old, { ...old, legacy_reference: 'L-2', status: 'closed' }],
    });
    expect((await run('batch', 'import-legacy', path, ...at(), ...as(0))).json).to.deep.equal({
      imported: 2,
      known: 0,
    });
    expect((await run('batch', 'import-legacy', path, ...at(), ...as(0))).json).to.deep.equal({
      imported: 0,
      known: 2,
    });
    const candidates = async () => (await read(`${EXECUTION}?portfolio=prt_old`)).legacy_candidates;
    const [candidate, ...others] = await candidates();
    expect([candidate.legacy_reference, others]).to.deep.equal(['L-1', []]);
    const orders = await file('linked.json', batchFile());
    const link = () => run('batch', 'import', orders, ...at(), ...as(0), '--legacy', candidate.legacy_uid);
    const { uid } = (await link()).json;
    expect(await candidates()).to.deep.equal([]);
    expect((await read(`${EXECUTION}/${uid}`)).legacy_uid).to.equal(candidate.legacy_uid);
    const again = await file('again.json', batchFile());
    const refused = await run('batch', 'import', again, ...at(), ...as(0), '--legacy', candidate.legacy_uid);
    expect(refused.stderr).to.match(/^legacy_batch_linked: /);
  });

  const broken = async (): Promise<{ made: Made; exception: string }> => {
    const made = await confirmedBatch(desk);
    const [one, two] = made.orders;
    const lines = [lineOf(one!, AMOUNTS[0] - 5), lineOf(two!, AMOUNTS[1], { line_reference: '2' })];
    const { body } = await observe(desk, made.uid, evidenceOf(made, { lines }));
    return { made, exception: body.exceptions[0].uid };
  };

  it('I-113 waives an exception only if two persons who did not record the evidence decide to do so', async () => {
    const { made, exception } = await broken();
    const waive = (...who: string[]) =>
      run('exception', 'waive', exception, ...who, '--reason', 'fees, agreed');
    expect((await waive('--as', tenancy.person)).stderr).to.match(/^decider_not_independent: /);
    expect((await waive(...as(0))).stderr).to.match(/^decider_not_independent: /);
    expect((await run('exception', 'acknowledge', exception, ...as(1))).json.state).to.equal('acknowledged');
    const first = await waive(...as(1));
    expect(first.json, first.stderr).to.include({
      state: 'acknowledged',
      waits_for_second_person: true,
      batch_state: 'exception',
    });
    expect((await waive(...as(1))).stderr).to.match(/^second_person_required: /);
    expect((await waive(...as(2))).json).to.include({ state: 'waived', batch_state: 'closed' });
    const { state, custody } = await read(`${EXECUTION}/${made.uid}`);
    expect(state).to.equal('closed');
    const usd = custody.totals.find(({ currency }: { currency: string }) => currency === 'USD');
    expect(usd).to.include({ accepted_difference_minor: -5, remaining_minor: 0 });
    const listed = (await run('exception', 'list', ...at(), '--batch', made.uid)).json.data;
    expect(listed[0]).to.include({ uid: exception, state: 'waived', age_business_days: 0 });
  });

  it('I-023 does not let the owner of the sending application decide on rejected evidence', async () => {
    const made = await confirmedBatch(desk);
    const evidence = evidenceOf(made);
    await observe(desk, made.uid, evidence);
    const other = await buildTenancy(live(), { workspace: tenancy.workspace });
    const refused = await observe({ ...desk, key: other.key }, made.uid, { ...evidence, status: 'failed' });
    expect([refused.status, refused.body.code]).to.deep.equal([422, 'observation_conflict']);
    const { data } = await read(`/actions/execution-exceptions?batch_uid=${made.uid}&kind=source_conflict`);
    const resolve = (person: string) =>
      run('exception', 'resolve', data[0].uid, '--as', person, '--reason', 'mine', '--evidence', 'mail 18');
    expect((await resolve(other.person)).stderr).to.match(/^decider_not_independent: /);
    expect((await resolve(desk.persons[1])).json).to.include({ state: 'resolved' });
  });

  it('keeps identical rejected confirmations of two source systems separate', async () => {
    const made = await draftBatch(desk);
    await releaseBatch(desk, made.uid);
    const base = confirmationFile(made.orders);
    const lines = base.lines.map((line) => ({ ...line, quantity: '1', settlement_amount_minor: 1 }));
    for (const source_system of ['broker_fix', 'broker_mail']) {
      const kept = await confirmBatch(desk, made, { ...base, source_system, source_hash: newHash(), lines });
      expect(kept.ok, JSON.stringify(kept)).to.equal(true);
    }
    const offered = { ...base, source_hash: newHash(), lines };
    const refusedBy = async (source_system: string) => {
      const refused = await confirmBatch(desk, made, { ...offered, source_system });
      return refused.ok || refused.code !== 'source_evidence_conflict' ? refused : refused.confirmation;
    };
    const [fix, mail] = [await refusedBy('broker_fix'), await refusedBy('broker_mail')];
    expect(fix).to.be.a('string').and.not.equal(mail);
    expect(await refusedBy('broker_mail')).to.equal(mail);
  });

  it('resolves, with evidence, only breaks that custody cannot settle', async () => {
    const { exception } = await broken();
    const resolve = (uid: string, person: number) =>
      run('exception', 'resolve', uid, ...as(person), '--reason', 'looked into it', '--evidence', 'mail 17');
    expect((await resolve(exception, 1)).stderr).to.match(/^custody_evidence_required: /);
    const made = await draftBatch(desk);
    const early = (await observe(desk, made.uid, evidenceOf(made))).body.exceptions[0].uid;
    await releaseBatch(desk, made.uid);
    expect(await stateOf(made.uid)).to.equal('exception');
    expect((await resolve(early, 1)).json).to.include({ state: 'resolved', batch_state: 'released' });
    expect((await resolve(early, 1)).stderr).to.match(/^transition_not_allowed: /);
    expect((await run('exception', 'waive', 'exc_x', ...as(1), '--reason', 'x')).stderr).to.match(
      /^exception_unknown: /,
    );
  });

  it('raises one missing-evidence exception for each order, one business day after the settlement date', async () => {
    const made = await confirmedBatch(desk);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const worker = live().orm('worker');
    const missing = async () =>
      (await read(`/actions/execution-exceptions?batch_uid=${made.uid}&kind=missing_observation`)).data;
    await raiseMissingObservations(worker, new Date());
    expect(await missing()).to.deep.equal([]);
    await raiseMissingObservations(worker, inDays(1));
    await raiseMissingObservations(worker, inDays(2));
    expect((await missing()).map(({ state }: any) => state)).to.deep.equal(['open', 'open']);
    expect(await stateOf(made.uid)).to.equal('exception');
    await observe(desk, made.uid, evidenceOf(made));
    expect((await missing()).map(({ state, ended_by }: any) => `${state} by ${ended_by}`)).to.deep.equal([
      'resolved by evidence',
      'resolved by evidence',
    ]);
    expect(await stateOf(made.uid)).to.equal('closed');
  });

  it('raises the exception again for a part that is missing again or only pending', async () => {
    const made = await confirmedBatch(desk);
    const [one, two] = made.orders;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const raise = (days: number) => raiseMissingObservations(live().orm('worker'), inDays(days));
    const missing = async () =>
      (await read(`/actions/execution-exceptions?batch_uid=${made.uid}&kind=missing_observation`)).data
        .map(({ order_uid, state }: any) => `${order_uid} ${state}`)
        .sort();
    const all = (state: string) => made.orders.map(({ uid }) => `${uid} ${state}`);
    const tenth = { quantity: '150' };
    await raise(2);
    // The exceptions were raised with a clock two days ahead. By the current clock, the settlement day has
    // not ended, so no observation is missing and the new observations resolve the exceptions.
    await observe(
      desk,
      made.uid,
      evidenceOf(made, { lines: [lineOf(one!, 2_849_985, tenth)], status: 'partially_settled' }),
    );
    await observe(desk, made.uid, evidenceOf(made, { lines: [lineOf(two!, AMOUNTS[1])], status: 'pending' }));
    expect(await missing()).to.deep.equal(all('resolved').sort());
    await raise(2);
    expect(await missing()).to.deep.equal([...all('open'), ...all('resolved')].sort());
    await raise(3);
    expect(await missing()).to.have.lengthOf(4);
  });

  it('exits with 2 on wrong usage', async () => {
    expect((await run('batch', 'cancel', 'bat_x')).status).to.equal(2);
    expect((await run('batch', 'release', 'bat_x')).stderr).to.match(/^batch_unknown: /);
  });
});
