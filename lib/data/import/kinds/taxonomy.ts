import { sql } from 'kysely';
import { taxonomyExposures } from '#lib/data/taxonomy.query.ts';
import type { Em } from '#lib/database/base.ts';
import { taxonomyHash } from '#lib/data/taxonomy.ts';
import type { Load, Loaded } from '../load/import-request.ts';
import { ImportRefused } from '../load/import-refused.ts';
import { RejectsFile } from '../load/rejects-file.ts';
import { readTaxonomy } from './taxonomy-rows.ts';
import { readVersions, versionsOfRows, type TaxonomyVersion } from './taxonomy-versions.ts';

/**
 * Loads the versions of a taxonomy. A version is stored once, as a whole, and never changes. An existing version with
 * equal content is skipped; an existing version with different content causes a refusal. An exposure of 0 means no
 * exposure, so its row is counted as unchanged.
 */
export async function loadTaxonomy(em: Em, load: Load): Promise<Loaded> {
  const rejects =
    load.skipBad && load.rejectsPath !== undefined ? new RejectsFile(load.rejectsPath) : undefined;
  try {
    const { versions: rows, content, read, rejected } = await readTaxonomy(load, rejects);
    const stated =
      load.versionsPath === undefined ? undefined : await readVersions(load.versionsPath, rows, load.now);
    const versions = stated?.versions ?? versionsOfRows(rows);
    const inserted = await storeVersions(em, load, versions);
    await rejects?.close();
    return {
      hashes: { content, versions: stated?.content ?? null },
      rows: { read, inserted, corrected: 0, unchanged: read - rejected - inserted, rejected },
      rejectsPath: rejects?.rows ? rejects.path : undefined,
    };
  } catch (error) {
    await rejects?.discard();
    throw error;
  }
}

type StoredVersion = { id: number; status: string; isSameMoment: boolean };

/** Stores the new versions. Returns the number of stored exposures. */
async function storeVersions(em: Em, load: Load, versions: readonly TaxonomyVersion[]): Promise<number> {
  const fresh: TaxonomyVersion[] = [];
  const conflicts: string[] = [];
  for (const version of versions) {
    const stored = await findStored(em, load.datasetId, version);
    if (stored === undefined) fresh.push(version);
    else if (!(await isSame(em, stored, version))) conflicts.push(version.version);
  }
  if (conflicts.length) {
    throw new ImportRefused(
      'taxonomy_version_conflict',
      `these versions are already stored with different content: ${conflicts.join(', ')}. A version never ` +
        'changes. Publish a new one instead',
    );
  }
  let inserted = 0;
  for (const version of fresh) inserted += await storeVersion(em, load, version);
  return inserted;
}

/**
 * Finds the stored version of the same name that a version of the file must equal; undefined if there is none. A stored
 * published version takes precedence. If no published version is stored, and the version in the file is not published,
 * returns the stored version with the same status. A published version is never compared with a stored draft, because
 * publishing a draft stores another version.
 */
async function findStored(
  em: Em,
  datasetId: number,
  { version, status, publishedAt }: TaxonomyVersion,
): Promise<StoredVersion | undefined> {
  const { rows } = await sql<StoredVersion>`
    select id, status, published_at is not distinct from ${publishedAt?.text ?? null}::timestamptz as "isSameMoment"
    from taxonomy_version
    where dataset_id = ${datasetId} and version = ${version} and status in ('published', ${status})
    order by status desc limit 1
  `.execute(em.getKysely());
  return rows[0];
}

async function isSame(em: Em, stored: StoredVersion, version: TaxonomyVersion): Promise<boolean> {
  if (stored.status !== version.status || !stored.isSameMoment) return false;
  return taxonomyHash(await taxonomyExposures(em, stored.id)) === taxonomyHash(version.exposures);
}

async function storeVersion(em: Em, load: Load, version: TaxonomyVersion): Promise<number> {
  const database = em.getKysely();
  const { rows } = await sql<{ id: number }>`
    insert into taxonomy_version (dataset_id, version, status, published_at, revision)
    values (${load.datasetId}, ${version.version}, ${version.status}, ${version.publishedAt?.text ?? null}, ${load.revision})
    returning id
  `.execute(database);
  const exposures = version.exposures.filter(({ micro }) => micro > 0);
  await sql`
    insert into taxonomy_exposure (taxonomy_version_id, theme, symbol, exposure_micro)
    select ${rows[0]!.id}, theme, symbol, micro
    from unnest(
      ${exposures.map(({ theme }) => theme)}::text[],
      ${exposures.map(({ symbol }) => symbol)}::text[],
      ${exposures.map(({ micro }) => micro)}::integer[]
    ) e (theme, symbol, micro)
  `.execute(database);
  return exposures.length;
}
