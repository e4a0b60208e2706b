import { sql } from 'kysely';
import type { Client } from 'pg';
import { featureMatrixAsOf } from '#lib/data/feature-join.query.ts';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Backend } from '../../support/backends.ts';
import type { Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createFeature } from '../../support/feature.ts';
import { createProject, SNAPSHOTS } from '../../support/research.ts';
import { fillFeatureValues, namesOf } from '../../support/scale.ts';
import type { BenchContext, Row } from '../bench.ts';
import { compare, interleave, ratioRow } from '../rounds.ts';

const SIZES = {
  full: { entities: 5_000, features: 50, years: 4 },
  tiny: { entities: 5, features: 2, years: 2 },
};
const ROUNDS = { full: 5, tiny: 1 };
const SNAPSHOTS_MADE = { full: 3, tiny: 1 };
const AS_OF = '2020-12-31';

/**
 * Measures two operations of the same size. One reads, for each entity and feature, the value that was known at the end
 * of a day. The other builds and seals a snapshot.
 */
export async function matrixRows(
  { size, notify }: BenchContext,
  bench: string,
  { backend, tenancy, superuser }: { backend: Backend; tenancy: Tenancy; superuser: Client },
): Promise<Row[]> {
  const { entities, features, years } = SIZES[size];
  const cells = entities * features;
  notify(`filling in ${cells * years} values of features`);
  const made = [];
  for (let feature = 0; feature < features; feature += 1)
    made.push(await createFeature(backend, tenancy, { values: [] }));
  const versionIds = made.map(({ versionId }) => versionId);
  await fillFeatureValues(superuser, { versionIds, entities, years });
  const inPlace = (work: (em: Em) => Promise<unknown[]>) => async () => {
    const started = performance.now();
    const { length } = await inTenant(backend.orm('worker'), tenancy, work);
    if (length !== cells) throw new Error(`${length} cells, not ${cells}`);
    return performance.now() - started;
  };
  const sides = {
    subject: inPlace((em) => featureMatrixAsOf(em, { versionIds, entities: namesOf(entities), asOf: AS_OF })),
    peer: inPlace((em) => latestValues(em, versionIds)),
  };
  if (size === 'full') await interleave(1, sides);
  notify(`${ROUNDS[size]} rounds of the matrix`);
  const times = await interleave(ROUNDS[size], sides);
  notify('snapshots');
  const projectId = await createProject(
    backend,
    tenancy,
    made.map(({ key }) => key),
  );
  const rates: number[] = [];
  for (let turn = 0; turn < SNAPSHOTS_MADE[size]; turn += 1) {
    const day = `2020-12-${31 - turn}`;
    rates.push(cells / (await snapshotSeconds(backend, tenancy, { project_id: projectId, as_of_date: day })));
  }
  const { figure } = compare(rates, rates);
  const of = `${entities} entities x ${features} features`;
  return [
    ratioRow(
      {
        bench,
        case: `point in time, ${of}`,
        unit: 'ms',
        note: `${years} values of each; the peer is the newest value of each, whenever it was known`,
      },
      times,
      { max: 3 },
    ),
    {
      bench,
      case: `snapshot over HTTP, ${of}`,
      figure,
      unit: 'cells/s',
      peer: null,
      ratio: null,
      spread: null,
      target: null,
      met: null,
      note: `from the request to the sealed answer, ${rates.length} snapshots of ${cells} cells`,
    },
  ];
}

async function latestValues(em: Em, versionIds: readonly number[]): Promise<unknown[]> {
  const { rows } = await sql`
    select distinct on (feature_version_id, entity) feature_version_id, entity, event_time, known_at, value
    from feature_value where feature_version_id = any(${[...versionIds]}::int[])
    order by feature_version_id, entity, event_time desc, known_at desc, revision desc
  `.execute(em.getKysely());
  return rows;
}

async function snapshotSeconds(
  backend: Backend,
  { key }: Tenancy,
  request: { project_id: number; as_of_date: string },
): Promise<number> {
  const started = performance.now();
  const { status, body } = await clientOf(backend, key).post(SNAPSHOTS, request, { prefer: 'wait=60' });
  if (status !== 201) throw new Error(`the snapshot was not sealed: ${status} ${JSON.stringify(body)}`);
  return (performance.now() - started) / 1_000;
}
