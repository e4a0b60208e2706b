import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import { batchRoot } from '#lib/actions/execution/batch/order.ts';
import { toleranceProfileKind } from '#lib/actions/execution/reconciliation/tolerance-profile.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import {
  changeBatch,
  AMOUNTS,
  atDesk,
  batchFile,
  bringIntoForce,
  confirmationFile,
  confirmBatch,
  confirmedBatch,
  draftBatch,
  evidenceOf,
  EXECUTION,
  lineOf,
  observe,
  openDesk,
  releaseBatch,
  type Desk,
  type Made,
} from '../../support/order-batch.ts';
import { asSuperuser, changedTables, countRows } from '../../support/rows.ts';

const newHash = () => randomBytes(32).toString('hex');

onOneBackend('Investment execution', function (live) {
  let tenancy: Tenancy;
  let desk: Desk;
  let made: Made;

  before(async () => {
    tenancy = await buildTenancy(live());
    desk = await openDesk(live(), tenancy);
  });
  beforeEach(async () => {
    made = await confirmedBatch(desk);
  });

  const read = async (path: string) => (await clientOf(live(), tenancy.key).get(path)).body;
  const batchNow = () => read(`${EXECUTION}/${made.uid}`);
  const send = (evidence: unknown, headers = {}) => observe(desk, made.uid, evidence, headers);
  const kindsOf = (body: any) => body.exceptions.map(({ kind }: { kind: string }) => kind);

  it('200 reconciles matching evidence and closes the batch', async () => {
    const { status, body } = await send(evidenceOf(made));
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.batch).to.deep.equal({
      uid: made.uid,
      state: 'closed',
      previous_state: 'confirmed',
      closed: true,
      closing_blockers: [],
    });
    expect(body.reconciliation).to.deep.include({
      outcome: 'matched',
      engine_version: 'custody-reconciliation/1',
    });
    expect(body.reconciliation.lines[0]).to.deep.include({
      order_uid: made.orders[0]!.uid,
      pairing: { level1: 'paired', keys: ['order_hash'] },
      outcome: 'matched',
    });
    expect(body.reconciliation.totals).to.deep.include({
      currency: 'USD',
      expected_minor: 28_499_850,
      settled_minor: 28_499_850,
      remaining_minor: 0,
      accepted_difference_minor: 0,
    });
    expect(body.exceptions).to.deep.equal([]);
    const kept = await read(`/actions/custody-observations/${body.observation.uid}`);
    expect(kept).to.deep.equal({ ...body.observation, reconciliation: body.reconciliation });
  });

  describe('counts a document once', () => {
    const half = ({ orders }: Made) =>
      orders.map((order, at) =>
        lineOf(order, AMOUNTS[at]! / 2, {
          line_reference: String(at + 1),
          quantity: String(Number(order.quantity) / 2),
        }),
      );

    it('in its batch, even if half of the document is sent again under another name', async () => {
      const evidence = evidenceOf(made, { lines: half(made), status: 'partially_settled' });
      await send(evidence);
      const observed_at = new Date().toISOString();
      const again = await send({ ...evidence, observation_reference: `A-${newHash()}`, observed_at });
      expect([again.status, again.body.batch.state]).to.deep.equal([200, 'partially_settled']);
      expect(kindsOf(again.body)).to.deep.equal(['duplicate_observation']);
      const other = await send(evidenceOf(made, { lines: half(made) }));
      expect(other.body.batch.state).to.equal('closed');
    });

    it('in one of two batches with the same orders, sequentially and concurrently', async () => {
      const twins = async () => {
        const file = batchFile();
        const make = async (name: string) => {
          const twin = await draftBatch(desk, { ...file, batch_reference: `${file.batch_reference}${name}` });
          await releaseBatch(desk, twin.uid);
          await confirmBatch(desk, twin);
          return twin;
        };
        return [await make('a'), await make('b')] as const;
      };
      const again = (evidence: any) => ({ ...evidence, observation_reference: `A-${newHash()}` });
      const [one, two] = await twins();
      expect(two.orders.map(({ orderHash }) => orderHash)).to.have.members(
        one.orders.map(({ orderHash }) => orderHash),
      );
      const evidence = evidenceOf(one);
      expect((await observe(desk, one.uid, evidence)).body.batch.state).to.equal('closed');
      const { status, body } = await observe(desk, two.uid, again(evidence));
      expect([status, body.batch.state, body.reconciliation.outcome]).to.deep.equal([
        200,
        'exception',
        'unmatched',
      ]);
      expect(kindsOf(body)).to.deep.equal(['source_conflict', 'source_conflict']);
      await observe(desk, one.uid, evidenceOf(one, { status: 'pending' }));
      expect((await read(`${EXECUTION}/${one.uid}`)).state).to.equal('closed');
      expect((await observe(desk, two.uid, evidenceOf(two))).body.batch.closing_blockers).to.deep.equal([
        'open_exceptions',
      ]);
      const both = await twins();
      const document = evidenceOf(both[0]);
      const answers = await Promise.all(both.map(({ uid }) => observe(desk, uid, again(document))));
      expect(answers.map(({ body: { batch } }) => batch.state).sort()).to.deep.equal(['closed', 'exception']);
    });

    it('as a confirmation, for every reference and every batch', async () => {
      made = await draftBatch(desk);
      await releaseBatch(desk, made.uid);
      const file = confirmationFile(made.orders);
      const lines = file.lines.map((line) => ({ ...line, quantity: String(Number(line.quantity) / 2) }));
      expect((await confirmBatch(desk, made, { ...file, lines })).ok).to.equal(true);
      const repeated = { ...file, lines, source_reference: `again-${newHash()}` };
      const refused = await confirmBatch(desk, made, repeated);
      expect(refused).to.include({ ok: false, code: 'source_evidence_conflict' });
      expect(await batchNow()).to.have.nested.property('trade_confirmation.state', 'disputed');
      const rest = lines.map((line) => ({ ...line, settlement_amount_minor: 1 }));
      const other = { ...file, lines: rest, source_reference: `rest-${newHash()}` };
      expect((await confirmBatch(desk, made, other)).ok).to.equal(true);
    });
  });

  it('I-110 shows orders, root and envelope with hashes that anyone can compute from the response', async () => {
    const { orders, envelope, portfolio_uid, batch_reference } = await batchNow();
    for (const { uid: _, order_hash, state: __, ...material } of orders.items) {
      expect(order_hash).to.equal(`sha256:${canonicalHash(material)}`);
    }
    const root = batchRoot(orders.items.map(({ order_hash }: { order_hash: string }) => order_hash));
    expect(orders.material_hash_root).to.equal(root);
    const form = {
      schema: 'action-envelope/1',
      workspace_uid: tenancy.workspace,
      environment: 'sandbox',
      action: envelope.action,
      portfolio_uid,
      batch_reference,
      material_hash_root: root,
      order_count: orders.count,
    };
    expect(envelope.envelope_hash).to.equal(`sha256:${canonicalHash(form)}`);
  });

  it('I-101 stays open if it has only confirmations, and reports the missing custody', async () => {
    const { state, closed, closing_blockers, trade_confirmation } = await batchNow();
    expect([state, closed, closing_blockers]).to.deep.equal([
      'confirmed',
      false,
      ['custody_observation_missing'],
    ]);
    expect(trade_confirmation).to.include({ state: 'confirmed', closes_action: false });
    expect(trade_confirmation.evidence).to.have.lengthOf(1);
  });

  it('I-100 stays open if it has only custody evidence', async () => {
    made = await draftBatch(desk);
    await releaseBatch(desk, made.uid);
    const { body } = await send(evidenceOf(made));
    expect(body.batch).to.deep.include({
      state: 'settled',
      closed: false,
      closing_blockers: ['trade_confirmation_missing'],
    });
    await confirmBatch(desk, made);
    expect((await batchNow()).state).to.equal('closed');
  });

  it('I-102 422 for evidence from the executing broker or the source of the confirmation', async () => {
    for (const more of [
      { custodian: 'broker_one' },
      { custodian: 'Broker_FIX' },
      { source_system: 'broker_fix' },
      { source_system: 'BROKER_ONE' },
    ]) {
      const { status, body } = await send(evidenceOf(made, more));
      expect([status, body.code]).to.deep.equal([422, 'custody_source_not_independent']);
    }
    expect((await batchNow()).custody.observations).to.equal(0);
  });

  it('I-102 rejects a confirmation from the source of the custody observation', async () => {
    made = await draftBatch(desk);
    await releaseBatch(desk, made.uid);
    await send(evidenceOf(made));
    const refused = await confirmBatch(
      desk,
      made,
      confirmationFile(made.orders, { source_system: 'custody_feed' }),
    );
    expect(refused).to.include({ ok: false, code: 'confirmation_source_not_independent' });
  });

  it('I-106 stores one observation for repeated and concurrent submissions', async () => {
    const evidence = evidenceOf(made);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(evidence)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.observation.uid)).size).to.equal(1);
    expect(answers.filter(({ headers }) => !headers.has('idempotent-replayed'))).to.have.lengthOf(1);
    const again = await send(evidence);
    expect(again.body.observation.evidence.times_seen).to.equal(9);
    expect(again.body.reconciliation).to.deep.equal(answers[0]!.body.reconciliation);
    expect((await batchNow()).custody).to.include({ observations: 1, state: 'settled' });
  });

  it('I-106 422 for evidence that contradicts an earlier observation, which is stored and reopens the batch', async () => {
    const evidence = evidenceOf(made);
    const { body: first } = await send(evidence);
    const { status, body } = await send({ ...evidence, source_hash: newHash() });
    expect([status, body.code]).to.deep.equal([422, 'observation_conflict']);
    expect(body).to.deep.include({
      kind: 'hash_mismatch',
      differing: ['/source_hash'],
      existing: { uid: first.observation.uid, source_hash: first.observation.evidence.source_hash },
    });
    const other = await send({ ...evidence, status: 'failed' });
    expect(other.body).to.deep.include({ kind: 'content_mismatch', differing: ['/status'] });
    const { state, closing_blockers } = await batchNow();
    expect([state, closing_blockers]).to.deep.equal(['exception', ['open_exceptions']]);
    const open = await read(`/actions/execution-exceptions?batch_uid=${made.uid}&kind=source_conflict`);
    expect(open.data).to.have.lengthOf(2);
  });

  it('I-109 422 reopens the batch that owns a reference if a contradiction names another batch', async () => {
    const other = await confirmedBatch(desk);
    const evidence = evidenceOf(made);
    expect((await send(evidence)).body.batch.state).to.equal('closed');
    const { status, body } = await observe(desk, other.uid, { ...evidence, status: 'failed' });
    expect([status, body.code, body.differing]).to.deep.equal([
      422,
      'observation_conflict',
      ['/batch', '/status'],
    ]);
    expect(await batchNow()).to.deep.include({ state: 'exception', closing_blockers: ['open_exceptions'] });
    const open = await read(`/actions/execution-exceptions?batch_uid=${made.uid}&state=open`);
    expect(kindsOf({ exceptions: open.data })).to.have.members([
      'source_conflict',
      'post_close_contradiction',
    ]);
    expect((await read(`${EXECUTION}/${other.uid}`)).state).to.equal('confirmed');
  });

  it('422 for concurrent contradictions that name each other’s batch, without a deadlock', async () => {
    const other = await confirmedBatch(desk);
    const [one, two] = [evidenceOf(made), evidenceOf(other)];
    await Promise.all([send(one), observe(desk, other.uid, two)]);
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [send({ ...two, status: 'failed' }), observe(desk, other.uid, one)]),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 422));
    for (const uid of [made.uid, other.uid]) {
      expect((await read(`${EXECUTION}/${uid}`)).state).to.equal('exception');
    }
  });

  it('422 for one of two batches that use the same new reference concurrently', async () => {
    const other = await confirmedBatch(desk);
    const evidence = evidenceOf(made);
    const answers = await Promise.all([send(evidence), observe(desk, other.uid, evidence)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 422]);
  });

  it('returns the same response and stores one observation for a repeated Idempotency-Key', async () => {
    const evidence = evidenceOf(made);
    const key = { 'idempotency-key': newHash() };
    const [one, two] = [await send(evidence, key), await send(evidence, key)];
    expect(two.body).to.deep.equal(one.body);
    expect(two.body.observation.evidence.times_seen).to.equal(1);
  });

  it('I-107 keeps a break open for a difference of one minor unit', async () => {
    const [one, two] = made.orders;
    const lines = [lineOf(one!, AMOUNTS[0] - 1), lineOf(two!, AMOUNTS[1], { line_reference: '2' })];
    const { body } = await send(evidenceOf(made, { lines }));
    expect(body.reconciliation.outcome).to.equal('break');
    expect(body.reconciliation.lines[0].level2[1]).to.deep.include({
      field: 'settlement_amount',
      rule: 'EXACT',
      expected: '28499850',
      observed: '28499849',
      difference: '-1',
      within: false,
    });
    expect(kindsOf(body)).to.deep.equal(['amount_difference']);
    expect(body.exceptions[0]).to.deep.include({
      amount_minor: -1,
      currency: 'USD',
      severity: 'medium',
      age_bucket: '0-1',
    });
    expect(body.batch.state).to.equal('exception');
  });

  it('I-107 accepts a difference up to the limit of a tolerance profile that two persons activated', async () => {
    const own = await openDesk(live(), await buildTenancy(live()));
    const entries = [{ field: 'settlement_amount', currency: 'USD', rule: 'RANGE', bps: null, most: 200 }];
    await atDesk(own, (em) => bringIntoForce(em, own, toleranceProfileKind, { entries }));
    for (const [off, outcome] of [
      [200, 'matched_within_tolerance'],
      [201, 'break'],
    ] as const) {
      const batch = await confirmedBatch(own);
      const [one, two] = batch.orders;
      const lines = [lineOf(one!, AMOUNTS[0] + off), lineOf(two!, AMOUNTS[1], { line_reference: '2' })];
      const { body } = await observe(own, batch.uid, evidenceOf(batch, { lines }));
      expect(body.reconciliation.outcome).to.equal(outcome);
      expect(body.reconciliation.tolerance_profile.version).to.equal(1);
      const usd = body.reconciliation.totals.find(({ currency }: { currency: string }) => currency === 'USD');
      expect(usd.accepted_difference_minor).to.equal(off === 200 ? 200 : 0);
      expect(body.batch.closed).to.equal(off === 200);
    }
  });

  it('I-105 reaches the same state for parts of the evidence in any order, even if they are sent concurrently', async () => {
    const partsOf = ({ orders: [one, two] }: Made) => [
      [lineOf(one!, 9_499_950, { quantity: '500' })],
      [lineOf(one!, 9_499_950, { quantity: '500' }), lineOf(two!, 191_000, { line_reference: '2' })],
      [lineOf(one!, 9_499_950, { quantity: '500' })],
    ];
    const ends = [];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      const batch = await confirmedBatch(desk);
      const parts = partsOf(batch);
      for (const at of order) {
        const { body } = await observe(
          desk,
          batch.uid,
          evidenceOf(batch, { lines: parts[at], status: 'partially_settled' }),
        );
        ends.push([ends.length % 3, body.batch.state]);
      }
    }
    expect(ends).to.deep.equal(
      [0, 1, 2].flatMap(() => [
        [0, 'partially_settled'],
        [1, 'partially_settled'],
        [2, 'closed'],
      ]),
    );
    const at = partsOf(made).map((lines) => evidenceOf(made, { lines, status: 'partially_settled' }));
    await Promise.all(at.map((evidence) => send(evidence)));
    expect((await batchNow()).state).to.equal('closed');
  });

  it('I-103 reports a settlement above the ordered quantity as an open exception quantity_over', async () => {
    const [one] = made.orders;
    const { body } = await send(
      evidenceOf(made, { lines: [lineOf(one!, AMOUNTS[0], { quantity: '1500.00000001' })] }),
    );
    expect(kindsOf(body)).to.deep.equal(['quantity_over']);
    expect(body.batch.closing_blockers).to.include.members(['settlement_incomplete', 'open_exceptions']);
  });

  it('I-108 settles no order with a line that matches several orders', async () => {
    const file = { ...made.orders[0]!, order_type: 'limit' as const };
    const order = {
      instrument: file.instrument,
      side: file.side,
      order_type: 'limit' as const,
      limit_price: '190.5',
      currency: 'USD',
      account_reference: 'ACC-4821',
      time_in_force: 'day' as const,
      settlement_date: file.settlementDate,
    };
    const orders = ['1500', '700'].map((quantity) => ({ ...order, quantity }));
    made = await draftBatch(desk, {
      batch_reference: `two-${newHash().slice(0, 8)}`,
      portfolio_uid: 'prt_x',
      orders,
    });
    await releaseBatch(desk, made.uid);
    const { order_hash: _, ...line } = lineOf(made.orders[0]!, 1);
    const { body } = await send(evidenceOf(made, { lines: [line] }));
    expect(body.reconciliation.lines[0]).to.deep.include({
      order_uid: null,
      pairing: { level1: 'ambiguous', keys: ['instrument', 'side', 'account'] },
      outcome: 'unmatched',
    });
    expect(kindsOf(body)).to.deep.equal(['ambiguous_pairing']);
    expect((await batchNow()).custody.state).to.equal('break');
  });

  it('I-109 200 reopens a closed batch only for contradicting evidence', async () => {
    await send(evidenceOf(made));
    const [one] = made.orders;
    const agreeing = await send(evidenceOf(made, { status: 'pending' }));
    expect([agreeing.status, agreeing.body.batch.state]).to.deep.equal([200, 'closed']);
    expect(agreeing.body.reconciliation.outcome).to.equal('no_movement');
    const { status, body } = await send(evidenceOf(made, { lines: [lineOf(one!, 1, { quantity: '1' })] }));
    expect(status).to.equal(200);
    expect(body.batch).to.include({ state: 'exception', previous_state: 'closed', closed: false });
    expect(kindsOf(body)).to.include.members(['quantity_over', 'post_close_contradiction']);
  });

  it('200 keeps evidence from before the release as an early observation without effect', async () => {
    made = await draftBatch(desk);
    const { status, body } = await send(evidenceOf(made));
    expect([status, body.reconciliation.outcome, kindsOf(body)]).to.deep.equal([
      200,
      'unmatched',
      ['early_observation'],
    ]);
    expect(body.batch.state).to.equal('drafted');
    expect(body.batch.closing_blockers).to.include.members(['not_released', 'pre_trade_controls_not_passed']);
    await releaseBatch(desk, made.uid);
    expect((await batchNow()).state).to.equal('exception');
  });

  it('409 batch_cancelled for evidence about a cancelled batch', async () => {
    made = await draftBatch(desk);
    const change = { event: 'cancel' as const, by: desk.persons[0], now: new Date(), reason: 'a mistake' };
    await atDesk(desk, (em) => changeBatch(em, made.uid, change));
    const { status, body } = await send(evidenceOf(made));
    expect([status, body.code]).to.deep.equal([409, 'batch_cancelled']);
    expect((await batchNow()).closing_blockers).to.deep.equal(['batch_cancelled']);
  });

  const later = (ms: number) => new Date(Date.now() + ms).toISOString();
  const oneLine = (more: Record<string, unknown>) => (batch: Made) => ({
    lines: [{ ...lineOf(batch.orders[0]!, AMOUNTS[0]), ...more }],
  });
  const refusals: [string, (batch: Made) => Record<string, unknown>, string][] = [
    ['evidence without lines', () => ({ lines: [] }), 'insufficient_evidence'],
    ['evidence without a source hash', () => ({ source_hash: undefined }), 'insufficient_evidence'],
    [
      'a line without an order or an instrument',
      oneLine({ order_hash: undefined, instrument: undefined }),
      'insufficient_evidence',
    ],
    [
      'a line without an account',
      (batch) => ({ ...oneLine({ order_hash: undefined })(batch), account_reference: undefined }),
      'insufficient_evidence',
    ],
    ['an unknown custodian', () => ({ custodian: 'nobody' }), 'unknown_custodian'],
    [
      'evidence observed in the future',
      () => ({ observed_at: later(6 * 60_000) }),
      'invalid_custody_evidence',
    ],
    [
      'evidence that is older than the batch',
      () => ({ observed_at: later(-86_400_000) }),
      'invalid_custody_evidence',
    ],
    ['a quantity of zero', oneLine({ quantity: '0' }), 'invalid_custody_evidence'],
    ['a withdrawn currency', oneLine({ currency: 'DEM' }), 'invalid_custody_evidence'],
    ["an amount scale other than the currency's", oneLine({ amount_scale: 3 }), 'invalid_custody_evidence'],
    ['a source hash with spaces', () => ({ source_hash: 'no hash at all' }), 'invalid_custody_evidence'],
    [
      'a settlement date in the year 1',
      () => ({ settlement_date: '0001-01-01' }),
      'invalid_custody_evidence',
    ],
    [
      'a settlement date two days ahead',
      () => ({ settlement_date: later(49 * 3_600_000).slice(0, 10) }),
      'invalid_custody_evidence',
    ],
    ['a negative amount', oneLine({ settlement_amount_minor: -1 }), 'validation_failed'],
    ['a quantity with nine decimals', oneLine({ quantity: '1.000000001' }), 'validation_failed'],
    ['a number for a quantity', oneLine({ quantity: 1500 }), 'validation_failed'],
    ['an unknown status', () => ({ status: 'done' }), 'validation_failed'],
    ['an invalid day', () => ({ settlement_date: '2026-02-29' }), 'validation_failed'],
    ['an instant without offset', () => ({ observed_at: '2026-11-20T17:05:00' }), 'validation_failed'],
    ['a credential of a broker', () => ({ broker_api_key: 'sk-123456' }), 'validation_failed'],
  ];
  for (const [about, more, code] of refusals) {
    it(`422 ${code} for ${about}, without a write`, async () => {
      const before = (await countRows(live()))['custody_observation'];
      const { status, body } = await send(evidenceOf(made, more(made)));
      expect([status, body.code], JSON.stringify(body)).to.deep.equal([422, code]);
      expect((await countRows(live()))['custody_observation']).to.equal(before);
    });
  }

  it('I-163 422 for amounts whose sum exceeds a JSON integer, including stored evidence', async () => {
    const [one] = made.orders;
    const most = (line_reference: string) =>
      lineOf(one!, Number.MAX_SAFE_INTEGER, { line_reference, quantity: '1' });
    const refused = async (lines: unknown[]) => {
      const { status, body } = await send(evidenceOf(made, { lines }));
      return [status, body.code, body.errors?.map(({ pointer, code }: any) => `${pointer} ${code}`)];
    };
    const range = [422, 'invalid_custody_evidence', ['/lines amount_range']];
    expect(await refused([most('1'), most('2')])).to.deep.equal(range);
    expect((await send(evidenceOf(made, { lines: [most('1')] }))).status).to.equal(200);
    expect(await refused([lineOf(one!, 1, { quantity: '1' })])).to.deep.equal(range);
    expect((await batchNow()).custody.observations).to.equal(1);
  });

  it('I-163 rejects confirmed amounts whose sum exceeds a JSON integer', async () => {
    made = await draftBatch(desk);
    await releaseBatch(desk, made.uid);
    const line = { ...confirmationFile(made.orders).lines[0]!, quantity: '1' };
    const confirm = (...amounts: number[]) => {
      const lines = amounts.map((settlement_amount_minor) => ({ ...line, settlement_amount_minor }));
      return confirmBatch(desk, made, confirmationFile([], { lines }));
    };
    expect((await confirm(Number.MAX_SAFE_INTEGER, 1)) as any).to.have.nested.property(
      'faults[0].code',
      'amount_range',
    );
    expect((await confirm(Number.MAX_SAFE_INTEGER)).ok).to.equal(true);
    expect((await confirm(1)).ok).to.equal(false);
  });

  it('200 accepts a settlement dated tomorrow and a settlement expected later', async () => {
    const settlement_date = later(49 * 3_600_000).slice(0, 10);
    const waiting = await send(evidenceOf(made, { settlement_date, status: 'pending' }));
    const east = await send(evidenceOf(made, { settlement_date: later(86_400_000).slice(0, 10) }));
    expect([waiting.status, east.status], JSON.stringify(east.body)).to.deep.equal([200, 200]);
  });

  it('I-112 lists batches and candidates without a write', async () => {
    await atDesk(desk, (em) =>
      sql`insert into legacy_batch (uid, workspace_uid, environment, source_system, legacy_reference, portfolio_uid,
            status, order_count, created_at, imported_by_uid, imported_at)
          select 'leg_01K8XQ5W3ZJ6T9R2M4N7P0QAB' || n, ${tenancy.workspace}, 'sandbox', 'oms_v1', 'L-' || n, 'prt_old',
            case n when 1 then 'open' else 'closed' end, 3, now(), ${desk.persons[0]}, now() from generate_series(1, 2) n`.execute(
        em.getKysely(),
      ),
    );
    const before = await countRows(live(), tenancy.workspace);
    const body = await read(`${EXECUTION}?limit=200`);
    expect(body.legacy_candidates).to.have.lengthOf(1);
    expect(body.legacy_candidates[0]).to.include({
      legacy_reference: 'L-1',
      eligible: true,
      reason_not_linked: 'import_required',
    });
    expect(body.data.map(({ uid }: { uid: string }) => uid)).to.include(made.uid);
    const after = await countRows(live(), tenancy.workspace);
    expect(changedTables(before, after)).to.deep.equal([]);
    const stated = await read(`${EXECUTION}?state=confirmed&portfolio=prt_old`);
    expect([stated.data, stated.legacy_candidates]).to.deep.equal([[], []]);
    expect(
      (await read(`${EXECUTION}?portfolio=prt_old&since=${later(60_000)}`)).legacy_candidates,
    ).to.deep.equal([]);
  });

  it('200 lists batches since any instant that a request can state', async () => {
    for (const since of [
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
      '2026-01-01T00:00:00%2B02:00',
    ]) {
      const { status, body } = await clientOf(live(), tenancy.key).get(`${EXECUTION}?since=${since}`);
      expect(status, JSON.stringify(body)).to.equal(200);
    }
  });

  const forbidden: [string, string][] = [
    ['import a batch', `insert into order_batch select * from order_batch limit 0`],
    ['approve a batch', `update order_batch set approved_root = material_hash_root`],
    ['release a batch', `update order_batch set released_at = now()`],
    ['widen a tolerance', `update order_batch set tolerance = '{}'`],
    ['pass controls', `update order_batch set controls = '{}'`],
    ['confirm a trade', `insert into trade_confirmation select * from trade_confirmation limit 0`],
    ['change an order', `update batch_order set quantity = '1'`],
    [
      'waive an exception',
      `update execution_exception set state = 'waived', ended_by = 'person', ended_by_uid = 'x', ended_at = now()`,
    ],
    ['change an observation', `update custody_observation set content = '{}'`],
  ];
  for (const [what, statement] of forbidden) {
    it(`does not allow the api role to ${what}`, async () => {
      const { workspace } = tenancy;
      const code = await inTenant(live().orm('api'), { workspace, environment: 'sandbox' }, (em) =>
        sql.raw(statement).execute(em.getKysely()),
      ).then(
        () => 'allowed',
        (error: { code?: string }) => error.code,
      );
      expect(code).to.equal('42501');
    });
  }

  it('I-100 closes no batch, not even by SQL, unless it is confirmed, observed and free of exceptions', async () => {
    for (const state of ['closed', 'settled'] as const) {
      const code = await atDesk(desk, (em) =>
        sql`update order_batch set state = ${state} where uid = ${made.uid}`.execute(em.getKysely()),
      ).then(
        () => 'allowed',
        (error: { code?: string }) => error.code,
      );
      expect(code).to.equal(state === 'closed' ? '23000' : 'allowed');
    }
  });

  it('I-110 rejects every SQL change to a material member of an order', async () => {
    const change = (set: string) =>
      asSuperuser(live(), (client) =>
        client.query(`update batch_order set ${set} where batch_uid = '${made.uid}'`),
      ).then(
        () => 'allowed',
        (error: { code?: string }) => error.code,
      );
    expect(await change(`state = 'settled'`)).to.equal('allowed');
    for (const set of [
      `quantity = '1'`,
      `side = 'sell'`,
      `limit_price = null`,
      `settlement_date = '2030-01-01'`,
    ]) {
      expect(await change(set), set).to.equal('23000');
    }
  });

  it('returns nothing that resembles a secret', async () => {
    await send(evidenceOf(made));
    const answers = [
      await read(`${EXECUTION}?limit=200`),
      await batchNow(),
      await read('/actions/custody-observations?limit=200'),
      await read('/actions/execution-exceptions?limit=200'),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).to.not.match(
        /password|passwd|secret|api_?key|token|private_key|credential|svc_(test|live)_|BEGIN [A-Z ]*KEY/i,
      );
    }
  });
});
