import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { assay } from './cli.ts';
import { withFile } from './ledger.ts';

export type FeatureValueRow = { entity: string; eventTime: string; knownAt: string; value: number | null };

/** Creates a feature of a workspace in its first version, with values and its own dataset. */
export function createFeature(
  backend: Pick<Backend, 'orm'>,
  { workspace, person }: Pick<Tenancy, 'workspace' | 'person'>,
  given: { key?: string; maxAgeDays?: number; unit?: string; values?: readonly FeatureValueRow[] } = {},
): Promise<{ uid: string; key: string; versionId: number }> {
  const now = new Date().toISOString();
  const uid = newUid(prefixes.feature);
  const { key = `feature_${uid.slice(-12).toLowerCase()}`, maxAgeDays = 400, unit = 'ratio' } = given;
  const {
    values = [{ entity: 'A', eventTime: '2020-01-31T00:00:00Z', knownAt: '2020-01-31T00:00:00Z', value: 1 }],
  } = given;
  return inPlatform(backend.orm('operator'), async (em) => {
    const database = em.getKysely();
    const dataset = await sql<{ id: number }>`
      insert into dataset (uid, workspace_uid, kind, name, created_at)
      values (${newUid(prefixes.dataset)}, ${workspace}, 'prices', ${`of_${key}`}, ${now}) returning id
    `.execute(database);
    await sql`
      insert into feature (uid, workspace_uid, key, entity_type, description, owner_uid, status, created_at)
      values (${uid}, ${workspace}, ${key}, 'instrument', 'A test.', ${person}, 'active', ${now})
    `.execute(database);
    const version = await sql<{ id: number }>`
      insert into feature_version (uid, feature_uid, workspace_uid, version, unit, frequency, dataset_id, expression,
        max_age_days, created_by_uid, created_at)
      values (${newUid(prefixes.featureVersion)}, ${uid}, ${workspace}, 1, ${unit}, 'monthly',
        ${dataset.rows[0]!.id}, 'adj_close', ${maxAgeDays}, ${person}, ${now})
      returning id
    `.execute(database);
    const versionId = version.rows[0]!.id;
    await insertValues(em, versionId, values);
    return { uid, key, versionId };
  });
}

/** Adds values to a feature. */
export function addFeatureValues(
  backend: Pick<Backend, 'orm'>,
  versionId: number,
  values: readonly FeatureValueRow[],
): Promise<void> {
  return inPlatform(backend.orm('operator'), (em) => insertValues(em, versionId, values));
}

async function insertValues(em: Em, versionId: number, values: readonly FeatureValueRow[]): Promise<void> {
  await sql`
    insert into feature_value (feature_version_id, entity, event_time, known_at, revision, withdrawn, value)
    select ${versionId}, entity, event_time, known_at, 1, value is null, value
    from jsonb_to_recordset(${JSON.stringify(
      values.map(({ entity, eventTime, knownAt, value }) => ({
        entity,
        event_time: eventTime,
        known_at: knownAt,
        value,
      })),
    )}::jsonb) v (entity text, event_time timestamptz, known_at timestamptz, value double precision)
  `.execute(em.getKysely());
}

/**
 * Defines a feature over a dataset of prices with the command line. The feature has no values yet. Returns the key of
 * the feature.
 */
export async function defineFeature(
  backend: Backend,
  { workspace, person }: Pick<Tenancy, 'workspace' | 'person'>,
  dataset: string,
): Promise<string> {
  const key = `change_${newUid(prefixes.feature).slice(-12).toLowerCase()}`;
  const definition = {
    ...{ key, entity_type: 'instrument', unit: 'return', frequency: 'monthly', dataset },
    ...{ expression: 'return(close, 1)', max_age_days: 400, description: 'The return of a month.' },
  };
  await withFile([JSON.stringify(definition)], async (file) => {
    const defined = await assay(
      backend,
      'feature',
      'define',
      file,
      '--workspace',
      workspace,
      '--as',
      person,
      '--json',
    );
    if (defined.status !== 0) throw new Error(defined.stderr);
  });
  return key;
}
