import { expect } from 'chai';
import { addMonths, lastDayOfMonth } from '#lib/core/date.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createFeature, type FeatureValueRow } from '../../support/feature.ts';
import { onOneBackend } from '../../support/live.ts';
import { createProject, EXPERIMENTS, SNAPSHOTS } from '../../support/research.ts';

const MONTHS = ['2020-01', '2020-02', '2020-03', '2020-04'];
const ENTITIES = 'ABCDEFGHIJKL'.split('');

/** Creates month-end values of every entity. */
const series = (
  months: readonly string[],
  value: (entity: number, month: number) => number,
): FeatureValueRow[] =>
  months.flatMap((month, at) =>
    ENTITIES.map((entity, place) => ({
      entity,
      eventTime: `${lastDayOfMonth(month)}T00:00:00Z`,
      knownAt: `${lastDayOfMonth(month)}T00:00:00Z`,
      value: value(place, at),
    })),
  );

onOneBackend('POST /quant/research/runs', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let snapshots: string[];
  let keys: string[];
  let target: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    // The first feature predicts the returns of the next month. The second predicts them with the opposite sign.
    // The third predicts nothing.
    const features = [
      await createFeature(live(), tenancy, { values: series(MONTHS, (entity) => entity) }),
      await createFeature(live(), tenancy, { values: series(MONTHS, (entity) => -entity) }),
      await createFeature(live(), tenancy, { values: series(MONTHS, () => 1) }),
    ];
    keys = features.map(({ key }) => key).sort();
    const ahead = [...MONTHS.slice(1), addMonths(MONTHS.at(-1)!, 1)];
    const returns = series(ahead, (entity, month) => entity / 100 + (entity === 3 ? month / 10 : 0));
    target = (await createFeature(live(), tenancy, { values: returns })).key;
    const id = await createProject(live(), tenancy, keys, {
      target: { feature: target, version: 1, horizons_months: [1, 2], span_months: 1 },
      calendar: 'month_end',
    });
    snapshots = [];
    for (const month of MONTHS) {
      const { status, body } = await client.post(SNAPSHOTS, {
        project_id: id,
        as_of_date: lastDayOfMonth(month),
      });
      expect(status, JSON.stringify(body)).to.equal(201);
      snapshots.push(body.uid);
    }
    order = features.map(({ key }) => keys.indexOf(key));
  });
  let order: number[];

  it('201 seals coefficients, spreads, turnover and correlations and replays to the same seal', async () => {
    const { status, body } = await client.post(EXPERIMENTS, { snapshots: snapshots.toReversed() });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body.input.snapshots.map(({ uid }: { uid: string }) => uid)).to.deep.equal(snapshots);
    expect(body.result.dates.map(({ targets }: { targets: number[] }) => targets)).to.deep.equal([
      [12, 12],
      [12, 12],
      [12, 12],
      [12, 0],
    ]);
    const [up, down, flat] = order.map((at) => body.result.features[at]);
    const [near, far] = up.horizons;
    expect(near).to.deep.include({ horizon_months: 1, pairs: 48 });
    expect(near.spearman).to.deep.include({ dates: 4, hit_rate: 1, newey_west_lags: 2 });
    expect(far.spearman.dates).to.equal(3);
    expect(near.spearman.mean).to.be.within(0.5, 1);
    expect(down.horizons[0].spearman.mean).to.equal(-near.spearman.mean);
    expect(near.spread.mean).to.be.closeTo(0.1, 1e-12);
    expect(up.turnover).to.equal(0);
    expect(flat.horizons[0].spearman).to.deep.include({ dates: 0, mean: null });
    const [one, other, third] = order as [number, number, number];
    expect(body.result.correlations[one]![other]).to.equal(-1);
    expect(body.result.correlations[one]![one]).to.equal(1);
    expect(body.result.correlations[one]![third]).to.equal(null);
    const whole = (await client.get(`${EXPERIMENTS}/${body.uid}?include=series`)).body;
    expect(checkSeal(whole)).to.include({ intact: true });
    expect(whole.series[one].horizons[0].pairs).to.deep.equal([12, 12, 12, 12]);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true, sealed_hash: body.seal.hash });
  });

  it('accepts a single snapshot, another target feature and targets as known by a day', async () => {
    const body = {
      snapshots: [snapshots[0]],
      target: { feature: target, horizons_months: [1] },
      quantiles: 3,
      minimum_entities: 5,
    };
    const one = (await client.post(EXPERIMENTS, body)).body;
    expect(one.result.features[order[0]!].horizons[0].spearman).to.deep.include({
      dates: 1,
      mean: 1,
      t_stat: null,
      p_value: null,
      newey_west_t: null,
      newey_west_p: null,
    });
    const early = await client.post(EXPERIMENTS, { ...body, known_by: '2020-02-28' });
    expect([early.status, early.body.code, early.body.observed]).to.deep.equal([422, 'target_unobserved', 0]);
  });

  it('rejects leakage, future days, mismatched snapshots and foreign snapshots', async () => {
    const aim = { feature: target, horizons_months: [1] };
    const other = await createProject(live(), tenancy, [keys[0]!]);
    const foreign = (await client.post(SNAPSHOTS, { project_id: other, as_of_date: '2020-01-31' })).body.uid;
    const attempts: [object, number, string][] = [
      [{ target: { ...aim, horizons_months: [0] } }, 422, 'leakage'],
      [{ target: { ...aim, span_months: 2 } }, 422, 'leakage'],
      [{ target: { ...aim, feature: 'nothing_of_the_kind' } }, 422, 'unknown_feature'],
      [{ known_by: '2999-01-01' }, 422, 'validation_failed'],
      [{ snapshots: [...snapshots, foreign] }, 422, 'snapshots_differ'],
      [{ snapshots: [foreign] }, 422, 'validation_failed'],
      [
        { snapshots: [foreign.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))] },
        404,
        'not_found',
      ],
    ];
    for (const [more, status, code] of attempts) {
      const answer = await client.post(EXPERIMENTS, { snapshots, ...more });
      expect([answer.status, answer.body.code], JSON.stringify(answer.body)).to.deep.equal([status, code]);
    }
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    expect((await stranger.post(EXPERIMENTS, { snapshots })).status).to.equal(404);
    expect((await stranger.get(EXPERIMENTS)).body.data).to.deep.equal([]);
  });
});
