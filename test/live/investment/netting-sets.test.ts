import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { onOneBackend } from '../../support/live.ts';
import { NETTING_SETS, termsOf } from '../../support/netting-set.ts';
import { countRows } from '../../support/rows.ts';

onOneBackend('POST /investment/collateral-xva/netting-sets', function (live) {
  let tenancy: Tenancy;
  let counterparty: number;

  before(async () => {
    tenancy = await buildTenancy(live());
    counterparty = await createCounterparty(live(), tenancy.workspace);
  });

  const offer = (terms: unknown) => clientOf(live(), tenancy.key).post(NETTING_SETS, terms);
  const terms = (more: Record<string, unknown> = {}) => termsOf(counterparty, more);

  it('I-030 201 stores the terms as supplied, without inferred or assessed terms', async () => {
    const supplied = terms();
    const { status, headers, body } = await offer(supplied);
    expect(status).to.equal(201);
    const { source_hash, ...rest } = supplied;
    expect(body).to.deep.include({ ...rest, source_hash: `sha256:${source_hash}`, version: 1 });
    expect(body.terms).to.deep.include({ enforceability: 'not_assessed', inferred: [] });
    const { source_reference: _, ...agreed } = rest;
    expect(body.terms_hash).to.equal(canonicalHash({ schema: 'netting_set/1', terms: agreed }));
    expect(headers.get('location')).to.equal(`/api/v2${NETTING_SETS}/${body.uid}`);
    expect((await clientOf(live(), tenancy.key).get(`${NETTING_SETS}/${body.uid}`)).body).to.deep.equal(body);
  });

  it('treats a threshold that is not stated as unknown instead of 0', async () => {
    const { threshold_minor: _, ...without } = terms();
    expect((await offer(without)).body.threshold_minor).to.equal(null);
    expect((await offer(terms({ threshold_minor: 0 }))).body.threshold_minor).to.equal(0);
  });

  it('creates one record for any number of concurrent requests of one source', async () => {
    const same = terms();
    const answers = await Promise.all(Array.from({ length: 10 }, () => offer(same)));
    expect(new Set(answers.map(({ body }) => body.uid)).size).to.equal(1);
    expect((await offer(same)).body.evidence.times_seen).to.equal(11);
  });

  it('422 stores other terms or another hash under the same reference as one conflict', async () => {
    const first = terms();
    const { body: kept } = await offer(first);
    const other = { ...first, threshold_minor: 1, source_hash: randomBytes(32).toString('hex') };
    const refused = await offer(other);
    expect(refused.body).to.deep.include({
      code: 'source_evidence_conflict',
      kind: 'hash_mismatch',
      differing: ['/threshold_minor', '/source_hash'],
      existing: { uid: kept.uid, source_hash: kept.source_hash },
    });
    await offer(other);
    const now = (await clientOf(live(), tenancy.key).get(`${NETTING_SETS}/${kept.uid}`)).body;
    expect(now.evidence.conflicts_open).to.equal(1);
    expect(now.terms_hash).to.equal(kept.terms_hash);
  });

  const refusals: [string, Record<string, unknown>, string][] = [
    ["I-031 an amount scale other than the currency's", { amount_scale: 3 }, 'amount_scale_mismatch'],
    ['I-034 an unknown agreement type', { agreement_type: 'handshake' }, 'unknown_agreement_type'],
    ['an unknown currency', { currency: 'XXX' }, 'invalid_currency'],
    ['an unknown counterparty', { counterparty_id: 2_000_000_000 }, 'unknown_counterparty'],
    [
      'collateral terms in an uncollateralised agreement',
      { agreement_type: 'uncollateralised' },
      'terms_inconsistent',
    ],
    ['a negative threshold', { threshold_minor: -1 }, 'validation_failed'],
    [
      'an amount that exceeds a JSON integer',
      { minimum_transfer_minor: 9_007_199_254_740_992 },
      'validation_failed',
    ],
    ['a fraction of a minor unit', { threshold_minor: 0.5 }, 'validation_failed'],
  ];
  for (const [about, more, code] of refusals) {
    it(`422 ${code} for ${about} without a write`, async () => {
      const before = (await countRows(live()))['netting_set'];
      const { status, body } = await offer(terms(more));
      expect([status, body.code]).to.deep.equal([422, code]);
      expect((await countRows(live()))['netting_set']).to.equal(before);
    });
  }

  it('422 name_in_use for a name that differs only in case', async () => {
    const first = terms();
    await offer(first);
    const { body } = await offer(terms({ name: (first['name'] as string).toLowerCase() }));
    expect(body).to.include({ status: 422, code: 'name_in_use' });
  });

  it('creates netting sets that are listed by counterparty', async () => {
    const other = await createCounterparty(live(), tenancy.workspace);
    const { body } = await offer(termsOf(other));
    const listed = await clientOf(live(), tenancy.key).get(`${NETTING_SETS}?counterparty_id=${other}`);
    expect(listed.body.data.map(({ uid }: { uid: string }) => uid)).to.deep.equal([body.uid]);
  });
});
