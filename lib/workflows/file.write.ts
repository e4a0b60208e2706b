import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

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

/** A file that is to be kept, as it was measured. */
export type NewFile = {
  path: string;
  feed: string | null;
  sha256: string;
  bytes: number;
  by: string;
  now: Date;
};

/** Nobody else keeps a file of the feed, or one without a feed, before the transaction ends. */
export async function lockFeed(em: Em, feed: string | null): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const lock = `workflow file ${workspace} ${environment} ${feed ?? ''}`;
  await acquireNamedLock(em, lock);
}

/**
 * Keeps the bytes of a file for the em's tenant, in the name of a person. Undefined where they are not those that were
 * measured: then some are written, and the transaction must be undone.
 */
export async function insertFile(
  em: Em,
  { path, feed, sha256, bytes, by, now }: NewFile,
): Promise<KeptFile | undefined> {
  const { workspace, environment } = tenantOf(em);
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
  return hash.digest('hex') === sha256 ? newestFile(em, { uid }) : undefined;
}

type Wanted = { uid: string } | { feed: string } | { sha256: string };

/** The newest file of the em's tenant that is so and was not removed. */
export async function newestFile(em: Em, wanted: Wanted): Promise<KeptFile | undefined> {
  const [name, value] = Object.entries(wanted)[0]!;
  const { rows } = await select(em, sql`${sql.ref(name)} = ${value} and removed_at is null`, 1);
  return rows[0];
}

/** The files of the em's tenant, the newest first. */
export async function listFiles(em: Em, limit: number): Promise<KeptFile[]> {
  return (await select(em, sql`true`, limit)).rows;
}

function select(em: Em, condition: ReturnType<typeof sql>, limit: number) {
  const { workspace, environment } = tenantOf(em);
  return sql<KeptFile>`
    select uid, feed, name, sha256, bytes::float8 as bytes, kept_by_uid as "keptBy",
      ${instant(sql`kept_at`)} as "keptAt", ${instant(sql`removed_at`)} as "removedAt"
    from workflow_file where workspace_uid = ${workspace} and environment = ${environment} and ${condition}
    order by uid desc limit ${limit}
  `.execute(em.getKysely());
}

/** Where a file belongs; for operators, who look into all workspaces. */
export async function placeOfFile(em: Em, uid: string): Promise<Tenant | undefined> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from workflow_file where uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** Holds a file of the em's tenant until the transaction ends. Whether its bytes are still kept. */
export async function lockFile(em: Em, uid: string): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ kept: boolean }>`
    select removed_at is null as kept from workflow_file
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} for update
  `.execute(em.getKysely());
  return rows[0]!.kept;
}

/** Deletes the bytes of a file of the em's tenant; what it was stays on record. */
export async function removeFile(em: Em, uid: string, now: Date): Promise<KeptFile> {
  const { workspace, environment } = tenantOf(em);
  const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
  await sql`update workflow_file set removed_at = ${now} where uid = ${uid} and ${own}`.execute(
    em.getKysely(),
  );
  await sql`delete from workflow_file_chunk where file_uid = ${uid} and ${own}`.execute(em.getKysely());
  return (await select(em, sql`uid = ${uid}`, 1)).rows[0]!;
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

/** The size of a file and its hash; of one that is too large, neither is whole. */
export async function measureFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    bytes += (chunk as Buffer).length;
    if (bytes > FILE_BYTES_MAX) break;
    hash.update(chunk as Buffer);
  }
  return { sha256: hash.digest('hex'), bytes };
}
