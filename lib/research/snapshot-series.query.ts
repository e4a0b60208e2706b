import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { NumericColumn } from '#lib/data/numeric-columns.ts';
import { contentHead, contentLine, numbersOf, type SnapshotSource } from '#lib/data/numeric-content.ts';
import type { NumericContent } from '#lib/data/numeric-values.query.ts';
import type { SnapshotResult } from './research-snapshots.schema.ts';
import { snapshotFaults, type StoredSnapshot } from './snapshot-check.ts';
import { seriesRow, type DatedSection } from './snapshot-series.ts';

/**
 * Returns a sealed snapshot of the tenant with the columns of these features, in order; undefined if the snapshot does
 * not exist or is not sealed.
 */
export async function storedSnapshot(
  em: Em,
  uid: string,
  features: readonly string[],
): Promise<StoredSnapshot | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<StoredSnapshot>`
    select run_uid as uid, members, seal, attachments #> '{matrix,entities}' as entities, (
      select coalesce(json_agg(each order by array_position(${[...features]}::text[], each ->> 'feature')), '[]')
      from json_array_elements(attachments #> '{matrix,columns}') c (each)
      where each ->> 'feature' = any(${[...features]}::text[])
    ) as columns
    from run_result where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0];
}

export type CheckedSnapshot =
  | { ok: true; section: DatedSection; result: SnapshotResult; sealHash: string }
  | { ok: false; fault: string };

/** Returns the sealed data of these features from a snapshot, or the first part that does not match its seal. */
export async function checkedSnapshot(
  em: Em,
  uid: string,
  features: readonly string[],
): Promise<CheckedSnapshot> {
  const stored = await storedSnapshot(em, uid, features);
  if (!stored) return { ok: false, fault: `there is no sealed snapshot ${uid}` };
  const [fault] = snapshotFaults(stored);
  if (fault !== undefined) return { ok: false, fault: `${uid} does not match its seal: ${fault}` };
  if (stored.columns.length !== features.length)
    return { ok: false, fault: `${uid} lacks at least one of the features ${features.join(', ')}` };
  const result = stored.members['result'] as SnapshotResult;
  const { entities, columns } = stored;
  return {
    ok: true,
    section: { day: result.as_of_date, entities, features: columns.map(({ values }) => values) },
    result,
    sealHash: stored.seal.hash,
  };
}

/**
 * Checks dataset content that was built from snapshots. If a snapshot or the data taken from it does not match the
 * seal, returns the reason why the content must not be used. Returns null if everything matches, or if the content
 * comes from another source.
 */
export async function alteredSnapshot(
  em: Em,
  content: NumericContent & { content_hash: string },
): Promise<string | null> {
  const database = em.getKysely();
  const { rows: found } = await sql<{ columns: NumericColumn[]; snapshots: SnapshotSource | null }>`
    select columns, snapshots from numeric_version
    where dataset_id = ${content.id} and revision = ${content.revision}
  `.execute(database);
  const { columns, snapshots: source } = found[0] ?? { columns: [], snapshots: null };
  if (!source) return null;
  const features = source.features.map(({ key }) => key);
  const sealed = createHash('sha256').update(contentHead(columns, source));
  for (const named of source.snapshots) {
    const checked = await checkedSnapshot(em, named.uid, features);
    if (!checked.ok) return checked.fault;
    if (checked.result.content_hash !== named.content_hash || checked.sealHash !== named.seal_hash)
      return `${named.uid} has a different seal than the one recorded in the training data`;
    const row = seriesRow(source, checked.section);
    sealed.update(contentLine(row, numbersOf(row.values)));
  }
  if (sealed.digest('hex') !== content.content_hash)
    return 'the sealed snapshots do not match the content of the training data';
  return (await storedHash(em, content, contentHead(columns, source))) === content.content_hash
    ? null
    : 'the stored training data does not match the sealed snapshots';
}

/** Returns the hash of the stored rows of a content. */
async function storedHash(em: Em, { id, revision }: NumericContent, head: string): Promise<string> {
  const { rows } = await sql<{ observedOn: string; entity: string | null; values: (number | null)[] }>`
    select observed_on::text as "observedOn", entity, "values" from numeric_row
    where dataset_id = ${id} and revision = ${revision} order by position
  `.execute(em.getKysely());
  const stored = createHash('sha256').update(head);
  for (const row of rows) stored.update(contentLine(row, numbersOf(row.values)));
  return stored.digest('hex');
}
