import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { instant } from '#lib/data/as-of.repository.ts';
import { tenantOf, type Environment, type Em } from '#lib/database/base.ts';

/** The most bytes of a file that is kept; the files of imports may be gzip or Parquet. */
export const FILE_BYTES_MAX = 67_108_864;
const CHUNK_BYTES = 1_048_576;

/** A name under which files follow one another; a step takes the newest. */
export const FEED_PATTERN = '^[a-z0-9][a-z0-9._-]{0,63}$';

/** A file that steps of workflows may import: its bytes, as a person kept them. */
export type KeptFile = {
  uid: string;
  feed: string | null;
  name: string;
  sha256: string;
  bytes: number;
  keptBy: string;
  keptAt: string;
  removedAt: string | null;
};

export type FileRefusal = 'file_empty' | 'file_too_large' | 'file_changed';
export type Kept = { ok: true; file: KeptFile; isNew: boolean } | { ok: false; code: FileRefusal };

/**
 * Keeps the bytes of a file for the em's tenant, in the name of a person. What is the newest of its feed already is not
 * kept again.
 */
export async function keepFile(
  em: Em,
  { path, feed, by, now }: { path: string; feed: string | null; by: string; now: Date },
): Promise<Kept> {
  const { sha256, bytes } = await measure(path);
  if (bytes === 0) return { ok: false, code: 'file_empty' };
  if (bytes > FILE_BYTES_MAX) return { ok: false, code: 'file_too_large' };
  const { workspace, environment } = tenantOf(em);
  const lock = `workflow file ${workspace} ${environment} ${feed ?? ''}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(em.getKysely());
  const newest = await newestFile(em, feed === null ? { sha256 } : { feed });
  if (newest?.sha256 === sha256) return { ok: true, file: newest, isNew: false };
  const uid = newUid(prefixes.workflowFile);
  await sql`
    insert into workflow_file (uid, workspace_uid, environment, feed, name, sha256, bytes, kept_by_uid, kept_at)
    values (${uid}, ${workspace}, ${environment}, ${feed}, ${basename(path).slice(0, 200)}, ${sha256}, ${bytes}, ${by},
      ${now})
  `.execute(em.getKysely());
  const hash = createHash('sha256');
  let position = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
    await sql`
      insert into workflow_file_chunk (file_uid, position, workspace_uid, environment, content)
      values (${uid}, ${position++}, ${workspace}, ${environment}, ${chunk as Buffer})
    `.execute(em.getKysely());
  }
  if (hash.digest('hex') !== sha256) return { ok: false, code: 'file_changed' };
  return { ok: true, file: (await newestFile(em, { uid }))!, isNew: true };
}

type Wanted = { uid: string } | { feed: string } | { sha256: string };

/** The newest file of the em's tenant that is so and was not removed. */
export async function newestFile(em: Em, wanted: Wanted): Promise<KeptFile | undefined> {
  const [name, value] = Object.entries(wanted)[0]!;
  const { rows } = await select(em, sql`${sql.ref(name)} = ${value} and removed_at is null`, 1);
  return rows[0];
}

/** The files of the em's tenant, the newest first. */
export async function listFiles(em: Em, most: number): Promise<KeptFile[]> {
  return (await select(em, sql`true`, most)).rows;
}

function select(em: Em, condition: ReturnType<typeof sql>, most: number) {
  const { workspace, environment } = tenantOf(em);
  return sql<KeptFile>`
    select uid, feed, name, sha256, bytes::float8 as bytes, kept_by_uid as "keptBy",
      ${instant(sql`kept_at`)} as "keptAt", ${instant(sql`removed_at`)} as "removedAt"
    from workflow_file where workspace_uid = ${workspace} and environment = ${environment} and ${condition}
    order by uid desc limit ${most}
  `.execute(em.getKysely());
}

/** Where a file belongs; for operators, who look into all workspaces. */
export async function tenantOfFile(
  em: Em,
  uid: string,
): Promise<{ workspaceUid: string; environment: Environment } | null> {
  const { rows } = await sql<{ workspaceUid: string; environment: Environment }>`
    select workspace_uid as "workspaceUid", environment from workflow_file where uid = ${uid}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Deletes the bytes of a file of the em's tenant; what it was stays on record. Undefined where it has none any more. */
export async function removeFile(em: Em, uid: string, now: Date): Promise<KeptFile | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    update workflow_file set removed_at = ${now}
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} and removed_at is null
    returning uid
  `.execute(em.getKysely());
  if (rows.length === 0) return undefined;
  await sql`
    delete from workflow_file_chunk
    where file_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return (await select(em, sql`uid = ${uid}`, 1)).rows[0];
}

/** Writes the bytes of a file of the em's tenant where only this process reads them. Throws where they are not those that were kept. */
export async function writeOut(em: Em, { uid, sha256 }: KeptFile, path: string): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const hash = createHash('sha256');
  const out = await open(path, 'wx', 0o600);
  try {
    for (let position = 0; ; position++) {
      const { rows } = await sql<{ content: Buffer }>`
        select content from workflow_file_chunk where file_uid = ${uid} and position = ${position}
          and workspace_uid = ${workspace} and environment = ${environment}
      `.execute(em.getKysely());
      if (!rows[0]) break;
      hash.update(rows[0].content);
      await out.write(rows[0].content);
    }
  } finally {
    await out.close();
  }
  if (hash.digest('hex') !== sha256) throw new Error(`the bytes of ${uid} are not those that were kept`);
}

async function measure(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    bytes += (chunk as Buffer).length;
    if (bytes > FILE_BYTES_MAX) break;
    hash.update(chunk as Buffer);
  }
  return { sha256: hash.digest('hex'), bytes };
}
