import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { featureMatrixAsOf, featureMatrixStatement } from '#lib/data/feature-join.query.ts';
import { scanFeatures } from '#lib/data/feature-scan.query.ts';
import { inPlatform, inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { freshDatabase } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { createFeature, type FeatureValueRow } from '../../support/feature.ts';
import { repetitions } from '../../support/repetitions.ts';

describe('point-in-time joins of features', function () {
  let orms: ReturnType<typeof openOrm>[];
  let backend: { orm(role: string): ReturnType<typeof openOrm> };
  let tenancy: Tenancy;
  before(async () => {
    const url = await freshDatabase('assay_test_feature_join');
    const operator = openOrm(roleUrl(url, 'operator'), 2);
    const worker = openOrm(roleUrl(url, 'worker'), 2);
    orms = [operator, worker];
    backend = { orm: (role) => (role === 'operator' ? operator : worker) };
    tenancy = await buildTenancy(backend);
  });
  after(() => Promise.all(orms.map((orm) => orm.close())));

  const matrix = (versionIds: number[], entities: string[], asOf: string, { workspace } = tenancy) =>
    inTenant(backend.orm('worker'), { workspace, environment: 'sandbox' }, (em) =>
      featureMatrixAsOf(em, { versionIds, entities, asOf }),
    );

  /** Returns the result of a scan of all entities, as cells. */
  const scanned = async (id: number, asOf: string, revision = 1, { workspace } = tenancy) => {
    const columns = await inTenant(backend.orm('worker'), { workspace, environment: 'sandbox' }, (em) =>
      scanFeatures(em, { versions: [{ id, revision }], asOf }),
    );
    return [...columns].flatMap(([versionId, column]) =>
      column.entities.map((entity, at) => ({
        versionId,
        entity,
        value: column.values[at],
        eventTime: column.eventTimes[at],
        knownAt: column.knownAt[at],
        ageDays: column.ageDays[at],
        reason: column.reasons[at],
      })),
    );
  };

  const reported = (entity: string, eventTime: string, knownAt: string, value: number | null) => ({
    entity,
    eventTime,
    knownAt,
    value,
  });

  it('return the last value known by the end of the day with its event and knowledge times', async () => {
    const values = [
      reported('A', '2020-01-31T00:00:00Z', '2020-01-31T23:59:59.999999Z', 1),
      reported('A', '2020-02-29T00:00:00Z', '2020-02-29T12:00:00Z', 2),
      reported('A', '2020-02-29T00:00:00Z', '2020-03-10T00:00:00Z', null),
      reported('A', '2020-01-31T00:00:00Z', '2020-03-11T00:00:00Z', 3),
      reported('a', '2020-02-29T00:00:00Z', '2020-03-02T00:00:00Z', 5),
    ];
    const { versionId } = await createFeature(backend, tenancy, { maxAgeDays: 40, values });
    const A = (value: number | null, eventTime: string, knownAt: string, ageDays: number) => ({
      versionId,
      entity: 'A',
      value,
      eventTime,
      knownAt,
      ageDays,
      reason: value === null ? 'stale' : null,
    });
    const first = async (asOf: string) => (await matrix([versionId], ['A'], asOf))[0];
    const never = { versionId, value: null, eventTime: null, knownAt: null, ageDays: null };
    expect(await first('2020-01-30')).to.deep.equal({ ...never, entity: 'A', reason: 'never_observed' });
    expect(await first('2020-01-31')).to.deep.equal(
      A(1, '2020-01-31T00:00:00Z', '2020-01-31T23:59:59.999999Z', 0),
    );
    expect(await first('2020-03-09')).to.deep.equal(A(2, '2020-02-29T00:00:00Z', '2020-02-29T12:00:00Z', 9));
    expect(await first('2020-03-10')).to.deep.equal(
      A(1, '2020-01-31T00:00:00Z', '2020-01-31T23:59:59.999999Z', 39),
    );
    expect(await first('2020-03-12')).to.deep.equal(
      A(null, '2020-01-31T00:00:00Z', '2020-03-11T00:00:00Z', 41),
    );
    const cells = await matrix([versionId], ['b', 'a', 'A', 'a'], '2020-03-01');
    expect(cells.map(({ entity, value, reason }) => [entity, value, reason])).to.deep.equal([
      ['A', 2, null],
      ['a', null, 'never_observed'],
      ['b', null, 'never_observed'],
    ]);
  });

  // The plan must read only the index for each cell. The test checks the plan, because the duration depends
  // on the machine.
  it('look up the index once per cell without a scan of the table', async () => {
    const { versionId } = await createFeature(backend, tenancy, { values: [] });
    await inPlatform(backend.orm('operator'), (em) =>
      sql`
        insert into feature_value (feature_version_id, entity, event_time, known_at, revision, withdrawn, value)
        select ${versionId}, 'E' || entity, day, day + interval '1 day', 1, false, entity
        from generate_series(1, 300) entity,
          generate_series('2019-01-01'::timestamptz, '2020-01-01'::timestamptz, interval '3 days') day
      `.execute(em.getKysely()),
    );
    const entities = Array.from({ length: 300 }, (_, at) => `E${at + 1}`);
    const question = { versionIds: [versionId], entities, asOf: '2019-10-01' };
    const { workspace } = tenancy;
    const plan = await inTenant(backend.orm('worker'), { workspace, environment: 'sandbox' }, async (em) => {
      const statement = sql<
        Record<string, unknown>
      >`explain (format json) ${featureMatrixStatement(question)}`;
      return JSON.stringify((await statement.execute(em.getKysely())).rows);
    });
    expect(plan).to.match(/"Node Type":\s*"Index (Only )?Scan"[^}]*"Scan Direction":\s*"Backward"/);
    expect(plan).to.not.match(
      /"Node Type":\s*"(Seq|Bitmap Heap) Scan"[^}]*"Relation Name":\s*"feature_value"/,
    );
    const cells = await matrix([versionId], entities, '2019-10-01');
    expect(cells.every(({ eventTime }) => eventTime === '2019-09-28T00:00:00Z')).to.equal(true);
  });

  it('return nothing to another workspace', async () => {
    const { versionId } = await createFeature(backend, tenancy);
    const foreign = await buildTenancy(backend);
    expect(await matrix([versionId], ['A'], '2020-12-31', foreign)).to.deep.equal([]);
    expect(await scanned(versionId, '2020-12-31', 1, foreign)).to.deep.equal([]);
    expect(await scanned(versionId, '2020-12-31')).to.have.length(1);
    expect((await scanned(versionId, '2020-12-31', 0)).map(({ reason }) => reason)).to.deep.equal([
      'never_observed',
    ]);
  });

  it('agree with a linear search of all recorded values for any history and day', async () => {
    const day = fc.integer({ min: 1, max: 28 }).map((n) => `2020-02-${String(n).padStart(2, '0')}`);
    const row = fc.record({
      entity: fc.constantFrom('A', 'B'),
      eventTime: day.map((date) => `${date}T00:00:00Z`),
      knownAt: day.map((date) => `${date}T18:00:00Z`),
      value: fc.option(fc.integer({ min: 1, max: 9 })),
    });
    const history = fc.uniqueArray(row, {
      maxLength: 25,
      selector: ({ entity, eventTime, knownAt }) => entity + eventTime + knownAt,
    });
    await fc.assert(
      fc.asyncProperty(history, fc.array(day, { minLength: 1, maxLength: 4 }), async (values, days) => {
        const { versionId } = await createFeature(backend, tenancy, { maxAgeDays: 9, values });
        for (const asOf of days) {
          const cells = await matrix([versionId], ['A', 'B'], asOf);
          expect(cells.map(({ value }) => value)).to.deep.equal(
            ['A', 'B'].map((entity) => searched(values, entity, asOf)),
          );
          expect(await scanned(versionId, asOf)).to.deep.equal(
            cells.filter(({ entity }) => values.some((row) => row.entity === entity)),
          );
        }
      }),
      { numRuns: repetitions.featureJoins },
    );
  });
});

function searched(values: readonly FeatureValueRow[], entity: string, asOf: string): number | null {
  const end = `${asOf}T23:59:59Z`;
  const known = values.filter((row) => row.entity === entity && row.eventTime <= end && row.knownAt <= end);
  const events = [...new Set(known.map(({ eventTime }) => eventTime))].sort().reverse();
  for (const event of events) {
    const last = known
      .filter(({ eventTime }) => eventTime === event)
      .sort((one, other) => (one.knownAt < other.knownAt ? 1 : -1))[0]!;
    if (last.value === null) continue;
    return Date.parse(`${asOf}T00:00:00Z`) - Date.parse(event) > 9 * 86_400_000 ? null : last.value;
  }
  return null;
}
