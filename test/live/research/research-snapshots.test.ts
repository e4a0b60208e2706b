import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { writeValues } from '#lib/data/feature/value.write.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createFeature, type FeatureValueRow } from '../../support/feature.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { createProject, SNAPSHOTS } from '../../support/research.ts';
import { countRows } from '../../support/rows.ts';

const END = '2020-01-31';
const at = (day: string) => `${day}T00:00:00Z`;
const row = (entity: string, day: string, value: number | null, knownOn = day): FeatureValueRow => ({
  entity,
  eventTime: at(day),
  knownAt: at(knownOn),
  value,
});

onOneBackend('POST /quant/research/snapshots', function (live) {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  const feature = (values: readonly FeatureValueRow[], maxAgeDays = 400) =>
    createFeature(live(), tenancy, { values, maxAgeDays });
  const snapshot = (project_id: number, as_of_date = END, headers: Record<string, string> = {}) =>
    client.post(SNAPSHOTS, { project_id, as_of_date }, headers);
  const withMatrix = async (uid: string) => (await client.get(`${SNAPSHOTS}/${uid}?include=matrix`)).body;
  /** Writes values of a feature, as a late materialisation writes them. */
  const reported = (versionId: number, ...rows: FeatureValueRow[]) =>
    inTenant(live().orm('worker'), { workspace: tenancy.workspace, environment: 'sandbox' }, (em) =>
      writeValues(
        em,
        versionId,
        rows.map(({ entity, eventTime, knownAt, value }) => ({
          entity,
          eventTime: Date.parse(eventTime) * 1_000,
          knownAt: Date.parse(knownAt) * 1_000,
          revision: 1,
          value: value ?? NaN,
        })),
      ),
    );

  it('201 seals the cells known at the end of the day with a reason for each missing cell', async () => {
    const one = await feature([
      row('A', '2019-12-31', 1),
      row('A', END, 2),
      row('A', END, 3, '2020-02-01'),
      row('B', '2020-01-30', 4),
      row('B', '2020-02-29', 9),
    ]);
    const two = await feature([row('A', '2019-12-01', 5), row('C', END, 6)], 30);
    const id = await createProject(live(), tenancy, [one.key, two.key].sort());
    const { status, body, headers } = await snapshot(id);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(headers.get('location')).to.equal(`/api/v2${SNAPSHOTS}/${body.uid}`);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body.result).to.include({ as_of_date: END, entities: 3, features: 2 });
    expect(body.result.coverage).to.deep.equal({ observed: 3, never_observed: 2, stale: 1 });
    expect(body.identical_to).to.equal(null);
    const whole = await withMatrix(body.uid);
    expect(checkSeal(whole)).to.include({ intact: true });
    expect(whole.matrix.entities).to.deep.equal(['A', 'B', 'C']);
    const column = (key: string) => whole.matrix.columns.find((each: any) => each.feature === key);
    expect(column(one.key)).to.deep.equal({
      feature: one.key,
      version: 1,
      values: [2, 4, null],
      event_times: [at(END), at('2020-01-30'), null],
      known_at: [at(END), at('2020-01-30'), null],
      age_days: [0, 1, null],
      reasons: [null, null, 'never_observed'],
    });
    expect(column(two.key)).to.deep.include({
      values: [null, null, 6],
      event_times: [at('2019-12-01'), null, at(END)],
      age_days: [61, null, 0],
      reasons: ['stale', 'never_observed', null],
    });
    whole.matrix.columns[0].values[0] = 7;
    expect(checkSeal(whole).differences).to.deep.equal(['matrix']);
  });

  it('seals the same content hash until new data is known for the day', async () => {
    const { key, versionId } = await feature([row('A', END, 1)]);
    const id = await createProject(live(), tenancy, [key]);
    const first = (await snapshot(id)).body;
    await reported(versionId, row('A', END, 8, '2020-02-01'));
    const second = (await snapshot(id)).body;
    expect(second.uid).to.not.equal(first.uid);
    expect(second.result).to.deep.equal(first.result);
    expect(second.identical_to).to.equal(first.uid);
    expect(second.seal.hash).to.equal(first.seal.hash);
    await reported(versionId, row('A', END, 5), row('B', END, 6));
    const third = (await snapshot(id)).body;
    expect(third.result.content_hash).to.not.equal(first.result.content_hash);
    expect(third.identical_to).to.equal(null);
    expect((await withMatrix(third.uid)).matrix.columns[0].values).to.deep.equal([5, 6]);
    for (const { uid, seal } of [first, second, third]) {
      const replayed = await assay(live(), 'replay', uid, '--json');
      expect(replayed.json, replayed.stderr).to.include({ identical: true, sealed_hash: seal.hash });
    }
  });

  it('422 no_observations with the coverage if no value was observed by the day', async () => {
    const { key } = await feature([row('A', END, 1)]);
    const observed = await createProject(live(), tenancy, [key]);
    const listed = await createProject(live(), tenancy, [key], {
      universe: { kind: 'list', entities: ['Z', 'A'] },
    });
    for (const [id, entities] of [
      [observed, 0],
      [listed, 2],
    ] as const) {
      const { status, body } = await snapshot(id, '2020-01-30');
      expect([status, body.code]).to.deep.equal([422, 'no_observations']);
      expect(body.coverage).to.deep.equal({
        entities,
        features: 1,
        observed: 0,
        never_observed: entities,
        stale: 0,
      });
    }
    expect((await snapshot(listed)).body.result.coverage).to.deep.include({ observed: 1, never_observed: 1 });
  });

  it('422 leakage for a target that was already known or is inside the window of the features', async () => {
    const { key } = await feature([row('A', END, 1)]);
    const target = await feature([row('A', '2020-02-29', 0.1, '2020-01-15')]);
    const aim = { feature: target.key, version: 1, horizons_months: [1], span_months: 1 };
    const attempts: [object, string][] = [
      [{ ...aim, horizons_months: [0, 1] }, 'target_within_features'],
      [{ ...aim, span_months: 3 }, 'target_within_features'],
      [aim, 'target_known_before'],
    ];
    for (const [attempt, reason] of attempts) {
      const id = await createProject(live(), tenancy, [key], { target: attempt as typeof aim });
      const { status, body } = await snapshot(id);
      expect([status, body.code, body.reason], JSON.stringify(body)).to.deep.equal([422, 'leakage', reason]);
    }
  });

  it('rejects future days, days outside the calendar and projects of other workspaces without a run', async () => {
    const { key } = await feature([row('A', END, 1)]);
    const id = await createProject(live(), tenancy, [key], { calendar: 'month_end' });
    const before = (await countRows(live()))['run'];
    for (const day of ['2999-12-31', '2020-01-30']) {
      const { status, body } = await snapshot(id, day);
      expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
      expect(body.errors[0].pointer).to.equal('/as_of_date');
    }
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    for (const [who, project_id] of [
      [stranger, id],
      [client, 2_000_000_000],
    ] as const) {
      const { status, body } = await who.post(SNAPSHOTS, { project_id, as_of_date: END });
      expect([status, body.code]).to.deep.equal([404, 'not_found']);
    }
    expect((await countRows(live()))['run']).to.equal(before);
    const mine = (await snapshot(id)).body;
    expect((await stranger.get(`${SNAPSHOTS}/${mine.uid}`)).status).to.equal(404);
    expect((await stranger.get(SNAPSHOTS)).body.data).to.deep.equal([]);
  });

  it('replays with the instruments that a sector had, even after a correction of the sector', async () => {
    const { key } = await feature(['A', 'B', 'C'].map((entity) => row(entity, '2019-12-31', 1)));
    await importCsv(live(), tenancy.workspace, 'instruments', [
      'symbol,name,sector,published_at',
      'A,One,Energy,2015-01-01',
      'B,Two,Energy,2015-01-01',
      'B,Two,Utilities,2020-01-15',
      'C,Three,Energy,2020-02-10',
    ]);
    const universe = { kind: 'sector' as const, sector: 'Energy' };
    const id = await createProject(live(), tenancy, [key], { universe });
    const rowsAt = async (day: string) => {
      const { body } = await snapshot(id, day);
      return { uid: body.uid, entities: (await withMatrix(body.uid)).matrix.entities };
    };
    expect((await rowsAt('2020-01-10')).entities).to.deep.equal(['A', 'B']);
    const { uid, entities } = await rowsAt(END);
    expect(entities).to.deep.equal(['A']);
    expect((await rowsAt('2020-02-10')).entities).to.deep.equal(['A', 'C']);
    await importCsv(live(), tenancy.workspace, 'instruments', [
      'symbol,name,sector,published_at',
      'D,Four,Energy,2015-01-01',
    ]);
    expect((await rowsAt(END)).entities).to.deep.equal(['A', 'D']);
    const replayed = await assay(live(), 'replay', uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });

  it('creates one snapshot for one idempotency key and lists it by project and day', async () => {
    const { key } = await feature([row('A', END, 1)]);
    const id = await createProject(live(), tenancy, [key]);
    const answers = await Promise.all(
      [1, 2].map(() => snapshot(id, END, { 'idempotency-key': `snapshot-${id}` })),
    );
    expect(new Set(answers.map(({ body }) => body.uid)).size).to.equal(1);
    const listed = (await client.get(`${SNAPSHOTS}?project_id=${id}&as_of_date=${END}`)).body.data;
    expect(listed.map(({ uid }: { uid: string }) => uid)).to.deep.equal([answers[0]!.body.uid]);
  });
});
