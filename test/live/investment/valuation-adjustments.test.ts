import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { createNettingSet, NETTING_SETS } from '../../support/netting-set.ts';
import { countRows } from '../../support/rows.ts';

const ADJUSTMENTS = '/investment/collateral-xva/valuation-adjustments';
const { ore_example_1: ore } = JSON.parse(
  readFileSync(new URL('../../golden/xva.json', import.meta.url), 'utf8'),
) as {
  ore_example_1: {
    published: Record<string, number>;
    reproduced: Record<string, number>;
    grid: { date: string[]; epe: number[]; ene: number[] };
  };
};

onOneBackend('POST /investment/collateral-xva/netting-sets/{uid}/valuation-adjustments', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let nettingSet: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    nettingSet = await createNettingSet(live(), tenancy);
  });

  const cents = (amounts: number[]) => amounts.map((amount) => amount * 100);
  const flat = (kind: string, rate: number) => ({
    kind,
    dates: ['2036-02-05'],
    rates: [rate],
    loss_given_default: 0.6,
  });
  const request = {
    valuation_date: '2016-02-05',
    currency: 'USD',
    profile: {
      dates: ore.grid.date,
      expected_positive_exposure: cents(ore.grid.epe),
      expected_negative_exposure: cents(ore.grid.ene),
    },
    counterparty_curve: flat('hazard', 0.01),
    own_curve: flat('hazard', ore.reproduced['own_hazard_implied']!),
  };
  const adjust = (more: Record<string, unknown> = {}, uid = nettingSet) =>
    client.post(`${NETTING_SETS}/${uid}/valuation-adjustments`, { ...request, ...more });

  it('201 seals the published CVA and DVA of an external example to the cent', async () => {
    const { status, body, headers } = await adjust();
    expect(status, JSON.stringify(body)).to.equal(201);
    const { CVA, DVA } = ore.published;
    expect(body.result.unilateral).to.include({
      cva_minor: Math.round(CVA! * 100),
      dva_minor: Math.round(DVA! * 100),
      fca_minor: 0,
    });
    expect(body.result.first_to_default.cva_minor).to.be.below(body.result.unilateral.cva_minor);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(headers.get('location')).to.equal(`/api/v2${ADJUSTMENTS}/${body.uid}`);
    expect((await client.get(`${ADJUSTMENTS}/${body.uid}`)).body).to.deep.equal(body);
    expect(body.netting_set).to.include({ uid: nettingSet, enforceability: 'not_assessed' });
    body.result.unilateral.cva_minor -= 1;
    expect(checkSeal(body).differences).to.include('result');
  });

  it('201 replays a request with spreads, discount factors and funding spreads to the same seal', async () => {
    const { body } = await adjust({
      profile: {
        dates: ['2016-02-05', '2017-02-05', '2018-02-05'],
        mean: [0, 1_000, -1_000],
        stdev: [0, 100_000, 150_000],
        discount_factors: [1, 0.98, 0.96],
      },
      own_curve: flat('spread', 0.01),
      borrow_spread: 0.012,
      lend_spread: 0.004,
    });
    const { unilateral } = body.result;
    for (const figure of ['cva', 'dva', 'fca', 'fba']) expect(unilateral.unrounded[figure]).to.be.above(0);
    expect(unilateral.fva_minor).to.equal(unilateral.fca_minor - unilateral.fba_minor);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(JSON.parse(replayed.stdout)).to.include({ identical: true, sealed_hash: body.seal.hash });
  });

  it('201 returns the same seal for the same request', async () => {
    const [first, second] = [(await adjust()).body, (await adjust()).body];
    expect(first.uid).not.to.equal(second.uid);
    expect(first.seal.hash).to.equal(second.seal.hash);
  });

  it('422 survival_rises for a spread curve that falls too fast, and stores the run as failed', async () => {
    const dates = ['2017-02-05', '2018-02-05'];
    const curve = { kind: 'spread', dates, rates: [0.05, 0.001], loss_given_default: 0.6 };
    const { status, body, headers } = await adjust({ counterparty_curve: curve });
    expect([status, body.code]).to.deep.equal([422, 'survival_rises']);
    const run = await client.get(headers.get('location')!.replace('/api/v2', ''));
    expect(run.body).to.include({ state: 'failed' });
  });

  const unsubmitted: [string, Record<string, unknown>, string, string[]][] = [
    ['a currency other than that of the agreement', { currency: 'EUR' }, 'currency_mismatch', []],
    [
      'a valuation date in the future',
      { valuation_date: '2999-01-01' },
      'validation_failed',
      ['/valuation_date'],
    ],
    [
      'a profile with a wrong first date and fewer exposures than dates',
      { profile: { ...request.profile, dates: ['2016-02-06', ...ore.grid.date.slice(1), '2040-01-01'] } },
      'validation_failed',
      ['/profile/dates/0', '/profile/expected_positive_exposure', '/profile/expected_negative_exposure'],
    ],
    [
      'an exposure below 0',
      { profile: { ...request.profile, expected_positive_exposure: ore.grid.epe.map(() => -1) } },
      'validation_failed',
      ore.grid.epe.map((_, index) => `/profile/expected_positive_exposure/${index}`).slice(0, 50),
    ],
  ];
  for (const [about, more, code, pointers] of unsubmitted) {
    it(`422 ${code} for ${about} without a run`, async () => {
      const before = (await countRows(live()))['run'];
      const { status, body } = await adjust(more);
      expect([status, body.code]).to.deep.equal([422, code]);
      const named = (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
      expect(named).to.have.members(pointers);
      expect((await countRows(live()))['run']).to.equal(before);
    });
  }

  it('404 for a netting set of another workspace', async () => {
    const stranger = await buildTenancy(live());
    const theirs = await createNettingSet(live(), stranger);
    expect((await adjust({}, theirs)).body.code).to.equal('not_found');
    const other = await createNettingSet(live(), tenancy);
    const { body } = await adjust({}, other);
    const listed = await client.get(`${ADJUSTMENTS}?netting_set_uid=${other}`);
    expect(listed.body.data.map(({ uid }: { uid: string }) => uid)).to.deep.equal([body.uid]);
    // The uid of a valuation adjustment is not found under the path of margin statements.
    const path = `/investment/collateral-xva/margin-calls/${body.uid}`;
    expect((await client.get(path)).body.code).to.equal('not_found');
  });
});
