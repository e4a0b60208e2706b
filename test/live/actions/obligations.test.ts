import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { onOneBackend } from '../../support/live.ts';
import { offer as offerAs, OBLIGATIONS, sourceOf } from '../../support/obligation.ts';
import { changedTables, countRows } from '../../support/rows.ts';

const newHash = () => randomBytes(32).toString('hex');

onOneBackend('POST /actions/credit-corporate/obligations', function (live) {
  let tenancy: Tenancy;
  let counterparty: number;

  before(async () => {
    tenancy = await buildTenancy(live());
    counterparty = await createCounterparty(live(), tenancy.workspace);
  });

  const offer = (source: unknown) => offerAs(live(), tenancy.key, source);
  const source = (more: Record<string, unknown> = {}) => sourceOf(counterparty, more);
  const conflictsOf = async (obligation: string) =>
    (
      await clientOf(live(), tenancy.key).get(
        `/actions/credit-corporate/obligation-conflicts?obligation_uid=${obligation}`,
      )
    ).body.data;

  it('I-016 201 registers exact amounts without granting authority', async () => {
    const { status, headers, body } = await offer(
      source({
        facility_reference: 'RCF-A',
        due_date: '2999-12-31',
        status: 'performing',
        available_amount: 0,
      }),
    );
    expect(status).to.equal(201);
    expect(headers.get('location')).to.equal(`/api/v2${OBLIGATIONS}/${body.uid}`);
    expect(body).to.deep.include({
      version: 1,
      governance_state: 'registered',
      execution_authority: { granted: false, reason: 'registration_only' },
      recognised: true,
      amount_scale: 2,
      original_amount: 1_000_000,
      original_amount_minor: 100_000_000,
      outstanding_amount: 750_000.25,
      outstanding_amount_minor: 75_000_025,
      available_amount: 0,
      available_amount_minor: 0,
      warnings: [],
    });
    expect(body.derived).to.include({ overdue: false, utilisation_bps: 7_500 });
    const read = await clientOf(live(), tenancy.key).get(`${OBLIGATIONS}/${body.uid}`);
    expect(read.body).to.deep.equal(body);
  });

  it('I-027 returns a hash that anyone can recompute from the response', async () => {
    const { body } = await offer(source());
    const { counterparty_id, obligation_type, facility_reference, currency, amount_scale, status, due_date } =
      body;
    const { original_amount_minor, outstanding_amount_minor, available_amount_minor } = body;
    const terms = {
      counterparty_id,
      obligation_type,
      facility_reference,
      currency,
      amount_scale,
      status,
      due_date,
    };
    const content = { ...terms, original_amount_minor, outstanding_amount_minor, available_amount_minor };
    const from = { system: body.source_system, reference: body.source_reference, hash: body.source_hash };
    expect(body.record_hash).to.equal(canonicalHash({ schema: 'obligation/1', source: from, content }));
  });

  it('I-017 creates one record for repeated and concurrent requests of one source', async () => {
    const same = source();
    const answers = await Promise.all(Array.from({ length: 12 }, () => offer(same)));
    expect(new Set(answers.map(({ body }) => body.uid)).size).to.equal(1);
    expect(answers.every(({ status }) => status === 201)).to.equal(true);
    expect(answers.filter(({ headers }) => !headers.has('idempotent-replayed'))).to.have.lengthOf(1);
    const { body } = await offer(same);
    expect(body.evidence.times_seen).to.equal(13);
  });

  it('I-018 I-021 422 stores a source with a different hash as a conflict without changing the record', async () => {
    const first = source();
    const { body: kept } = await offer(first);
    const other = { ...first, source_hash: newHash() };
    const refused = await offer(other);
    expect(refused.status).to.equal(422);
    expect(refused.body).to.deep.include({
      code: 'source_evidence_conflict',
      kind: 'hash_mismatch',
      differing: ['/source_hash'],
      existing: { uid: kept.uid, source_hash: kept.source_hash },
    });
    await offer(other);
    const conflicts = await conflictsOf(kept.uid);
    expect(conflicts).to.have.lengthOf(1);
    expect(conflicts[0]).to.deep.include({ uid: refused.body.conflict_uid, times_offered: 2, state: 'open' });
    const now = (await clientOf(live(), tenancy.key).get(`${OBLIGATIONS}/${kept.uid}`)).body;
    expect(now.governance_state).to.equal('disputed');
    expect(now.evidence.conflicts_open).to.equal(1);
    expect(now.record_hash).to.equal(kept.record_hash);
  });

  it('I-019 422 content_mismatch names the members that differ if a source is offered again with the same `source_hash`', async () => {
    const first = source();
    await offer(first);
    const { body } = await offer({ ...first, outstanding_amount: 1, status: 'late' });
    expect(body).to.deep.include({ kind: 'content_mismatch', differing: ['/outstanding_amount', '/status'] });
  });

  it('I-020 creates one record and conflicts for concurrent sources with different hashes', async () => {
    const first = source();
    const offers = Array.from({ length: 15 }, (_, at) => ({ ...first, source_hash: `${at % 3}`.repeat(64) }));
    const answers = await Promise.all(offers.map(offer));
    const registered = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.uid));
    expect(registered.size).to.equal(1);
    expect(await conflictsOf([...registered][0]!)).to.have.lengthOf(2);
  });

  it('I-026 creates separate records for a source that is sent in sandbox and in production', async () => {
    const production = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      environment: 'production',
    });
    const first = source();
    const mine = await offer(first);
    const theirs = await offerAs(live(), production.key, { ...first, source_hash: newHash() });
    expect([mine.status, theirs.status]).to.deep.equal([201, 201]);
    expect(mine.body.uid).to.not.equal(theirs.body.uid);
  });

  it('I-015 writes only to the tables of records and of the audit log', async () => {
    const before = await countRows(live(), tenancy.workspace);
    await offer(source());
    const after = await countRows(live(), tenancy.workspace);
    expect(changedTables(before, after)).to.deep.equal(['audit_entry', 'obligation']);
  });

  const refusals: [string, Record<string, unknown>, string][] = [
    ['an unknown counterparty', { counterparty_id: 2_000_000_000 }, 'unknown_counterparty'],
    [
      'I-012 an amount with half a yen',
      { currency: 'JPY', original_amount: 100.5, outstanding_amount: 0 },
      'amount_precision',
    ],
    ['I-012 an amount with a fraction of a cent', { original_amount: 1.005 }, 'amount_precision'],
    ['an original amount of zero', { original_amount: 0 }, 'amount_range'],
    ['a withdrawn currency', { currency: 'DEM' }, 'invalid_currency'],
    ['a currency code of a metal', { currency: 'XAU' }, 'invalid_currency'],
    ['a source hash with spaces', { source_hash: 'not a hash at all' }, 'invalid_source_hash'],
    ['I-013 a text for an amount', { original_amount: '100' }, 'validation_failed'],
    ['I-013 null for an amount', { outstanding_amount: null }, 'validation_failed'],
    ['a negative amount', { outstanding_amount: -1 }, 'validation_failed'],
    ['I-025 an invalid day', { due_date: '2026-02-29' }, 'validation_failed'],
    ['I-025 a day in words', { due_date: 'tomorrow' }, 'validation_failed'],
    ['a reference with a leading space', { source_reference: ' LOAN' }, 'validation_failed'],
    [
      'a reference with a character that reverses text',
      { source_reference: 'a\u202eb' },
      'validation_failed',
    ],
    ['text that is not in Unicode normal form C', { status: 'e\u0301' }, 'validation_failed'],
    ['an unknown field', { colour: 'blue' }, 'validation_failed'],
    [
      'a request with two faults of different codes',
      { currency: 'DEM', counterparty_id: 2_000_000_000 },
      'validation_failed',
    ],
  ];
  for (const [about, more, code] of refusals) {
    it(`422 ${code} for ${about}, without a write`, async () => {
      const before = (await countRows(live()))['obligation'];
      const { status, body } = await offer(source(more));
      expect([status, body.code]).to.deep.equal([422, code]);
      expect(body.errors).to.be.an('array').and.not.deep.equal([]);
      expect((await countRows(live()))['obligation']).to.equal(before);
    });
  }

  it('I-013 never stores 1e400', async () => {
    const text = JSON.stringify(source()).replace('"original_amount":1000000', '"original_amount":1e400');
    const { status } = await clientOf(live(), tenancy.key).post(OBLIGATIONS, text);
    expect(status).to.equal(422);
  });

  it('warns of unusual values without rejecting them', async () => {
    const odd = source({
      obligation_type: 'revolving_credit',
      original_amount: 100,
      outstanding_amount: 150,
      available_amount: 10,
      due_date: '2020-01-01',
      source_hash: `etag-${newHash().slice(0, 20)}`,
    });
    const { body } = await offer(odd);
    expect(body.warnings.map(({ code }: { code: string }) => code)).to.deep.equal([
      'opaque_hash',
      'outstanding_exceeds_original',
      'available_exceeds_headroom',
      'due_in_past',
    ]);
    const again = await offer({ ...odd, source_reference: `another ${newHash().slice(0, 8)}` });
    expect(again.body.warnings.at(-1)).to.deep.equal({ code: 'hash_reused_by_other_reference' });
    expect(again.body.derived.overdue).to.equal(true);
  });

  it('registers obligations that are listed by counterparty, state and currency', async () => {
    const other = await createCounterparty(live(), tenancy.workspace);
    const { body } = await offer(sourceOf(other, { currency: 'USD' }));
    const list = async (query: string) =>
      (await clientOf(live(), tenancy.key).get(`${OBLIGATIONS}?${query}`)).body.data.map(
        ({ uid }: { uid: string }) => uid,
      );
    expect(await list(`counterparty_id=${other}`)).to.deep.equal([body.uid]);
    expect(await list(`counterparty_id=${other}&currency=EUR`)).to.deep.equal([]);
    expect(await list('governance_state=disputed')).to.not.include(body.uid);
  });
});
