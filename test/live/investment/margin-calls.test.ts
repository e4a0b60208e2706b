import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { onOneBackend } from '../../support/live.ts';
import { NETTING_SETS, termsOf } from '../../support/netting-set.ts';
import { countRows } from '../../support/rows.ts';

const CALLS = '/investment/collateral-xva/margin-calls';
const golden = JSON.parse(
  readFileSync(new URL('../../golden/collateral_margin.json', import.meta.url), 'utf8'),
) as { cases: { name: string; input: Record<string, number>; expected: Record<string, unknown> }[] };

onOneBackend('POST /investment/collateral-xva/netting-sets/{uid}/margin-calls', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let counterparty: number;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    counterparty = await createCounterparty(live(), tenancy.workspace);
  });

  const agree = async (more: Record<string, unknown> = {}) =>
    (await client.post(NETTING_SETS, termsOf(counterparty, more))).body;
  const position = {
    valuation_date: '2026-11-20',
    currency: 'USD',
    mark_to_market_minor: 1_050_000_000,
    collateral_balance_minor: 0,
  };
  const call = (uid: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    client.post(`${NETTING_SETS}/${uid}/margin-calls`, { ...position, ...more }, headers);

  const crossing = golden.cases.filter(({ name }) => /^(from|exactly|one minor|JPY|KWD|call )/.test(name));
  for (const { name, input, expected } of crossing) {
    it(`201 seals golden case "${name}" under the recorded terms`, async () => {
      const { mtm_minor, collateral_balance_minor, open_margin_minor, ...terms } = input;
      const { uid } = await agree(terms);
      const { status, body } = await call(uid, {
        currency: terms['currency'],
        mark_to_market_minor: mtm_minor,
        collateral_balance_minor,
        open_margin_minor,
      });
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body.result).to.deep.equal(expected);
      expect(checkSeal(body)).to.include({ intact: true });
    });
  }

  it('201 states the applied terms with their hash and source, without a claim of enforceability', async () => {
    const recorded = await agree();
    const { body, headers } = await call(recorded.uid);
    const shown = [
      'uid',
      'version',
      'counterparty_id',
      'agreement_type',
      'currency',
      'amount_scale',
      'threshold_minor',
      'minimum_transfer_minor',
      'independent_amount_minor',
      'terms_hash',
      'source_reference',
      'source_hash',
    ];
    const terms = Object.fromEntries(shown.map((name) => [name, recorded[name]]));
    expect(body.netting_set).to.deep.equal({ ...terms, enforceability: 'not_assessed' });
    expect(body.input).to.deep.equal({
      netting_set_uid: recorded.uid,
      terms_hash: recorded.terms_hash,
      conflicts_open: 0,
      ...position,
      open_margin_minor: 0,
      rounding_minor: 1,
    });
    expect(body.warnings).to.deep.equal([]);
    expect(headers.get('location')).to.equal(`/api/v2${CALLS}/${body.uid}`);
    expect((await client.get(`${CALLS}/${body.uid}`)).body).to.deep.equal(body);
    body.result.margin_call_minor += 1;
    expect(checkSeal(body).differences).to.include('result');
  });

  it('replays the statement to the same seal after its terms were disputed', async () => {
    const terms = termsOf(counterparty);
    const { uid } = (await client.post(NETTING_SETS, terms)).body;
    const first = (await call(uid)).body;
    await client.post(NETTING_SETS, { ...terms, threshold_minor: 1 });
    const second = (await call(uid)).body;
    expect(second.warnings).to.deep.equal([{ code: 'terms_disputed', conflicts_open: 1 }]);
    expect(second.result).to.deep.equal(first.result);
    const replayed = await assay(live(), 'replay', first.uid, '--json');
    expect(JSON.parse(replayed.stdout)).to.include({ identical: true, sealed_hash: first.seal.hash });
  });

  it('rounds legs as the caller requests', async () => {
    const { uid } = await agree({ independent_amount_minor: 0 });
    const { body } = await call(uid, { mark_to_market_minor: 1_050_000_001, rounding_minor: 1_000_000 });
    expect(body.result).to.include({ shortfall_minor: 950_000_001, delivery_leg_minor: 951_000_000 });
  });

  const refusals: [string, Record<string, unknown>, Record<string, unknown>, string][] = [
    [
      'an agreement type that does not state who posts collateral',
      { agreement_type: 'tri_party' },
      {},
      'margin_not_determined',
    ],
    ['an agreement without a stated threshold', { threshold_minor: null }, {}, 'threshold_not_stated'],
    [
      'a result that exceeds a JSON integer',
      { threshold_minor: 0 },
      { mark_to_market_minor: 9_007_199_254_740_991, collateral_balance_minor: -9_007_199_254_740_991 },
      'amount_range',
    ],
  ];
  for (const [about, terms, more, code] of refusals) {
    it(`422 ${code} for ${about} in a run that is stored as failed`, async () => {
      const { uid } = await agree(terms);
      const { status, body, headers } = await call(uid, more);
      expect([status, body.code], JSON.stringify(body)).to.deep.equal([422, code]);
      const run = await client.get(headers.get('location')!.replace('/api/v2', ''));
      expect(run.body).to.include({ state: 'failed' });
      expect(run.body.problem).to.include({ code });
    });
  }

  const unsubmitted: [string, Record<string, unknown>, string][] = [
    ['a currency other than that of the agreement', { currency: 'EUR' }, 'currency_mismatch'],
    ['a valuation date in the future', { valuation_date: '2999-01-01' }, 'validation_failed'],
    ['a fraction of a minor unit', { mark_to_market_minor: 0.5 }, 'validation_failed'],
    ['a rounding unit of zero', { rounding_minor: 0 }, 'validation_failed'],
  ];
  for (const [about, more, code] of unsubmitted) {
    it(`422 ${code} for ${about} without a run`, async () => {
      const { uid } = await agree();
      const before = (await countRows(live()))['run'];
      const { status, body } = await call(uid, more);
      expect([status, body.code]).to.deep.equal([422, code]);
      expect((await countRows(live()))['run']).to.equal(before);
    });
  }

  it('404 for a netting set of another workspace', async () => {
    const { uid } = await agree();
    const stranger = await buildTenancy(live());
    const answer = await clientOf(live(), stranger.key).post(`${NETTING_SETS}/${uid}/margin-calls`, position);
    expect([answer.status, answer.body.code]).to.deep.equal([404, 'not_found']);
  });

  it('creates one run for one idempotency key and rejects the key for another netting set', async () => {
    const [one, other] = [await agree(), await agree()];
    const key = { 'idempotency-key': 'margin-of-today' };
    const answers = await Promise.all([1, 2, 3].map(() => call(one.uid, {}, key)));
    expect(new Set(answers.map(({ body }) => body.uid)).size).to.equal(1);
    expect((await call(other.uid, {}, key)).body.code).to.equal('idempotency_key_reused');
  });

  it('creates margin calls that are listed by netting set and state', async () => {
    const [one, other] = [await agree(), await agree({ threshold_minor: null })];
    const { body } = await call(one.uid);
    await call(other.uid);
    const listed = async (query: string) =>
      (await client.get(`${CALLS}?${query}`)).body.data.map(({ uid }: { uid: string }) => uid);
    expect(await listed(`netting_set_uid=${one.uid}`)).to.deep.equal([body.uid]);
    expect(await listed(`netting_set_uid=${one.uid}&state=failed`)).to.deep.equal([]);
    expect(await listed(`netting_set_uid=${other.uid}&state=failed`)).to.have.lengthOf(1);
  });
});
