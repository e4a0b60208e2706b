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

/** The largest size of a stored file, in bytes. Import files may be gzip or Parquet. */
export const FILE_BYTES_MAX = 67_108_864;
const CHUNK_BYTES = 1_048_576;

/** The pattern of the name of a feed, which is a sequence of files. A step imports the newest file of a feed. */
export const FEED_PATTERN = '^[a-z0-9][a-z0-9._-]{0,63}$';

/** The record of a file that a person stored, and that steps of workflows may import. */
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

/** A file to store, whose size and hash were measured. */
export type NewFile = {
  path: string;
  feed: string | null;
  sha256: string;
  bytes: number;
  by: string;
  now: Date;
};

/**
 * Locks a feed, or the files without a feed, until the transaction ends. No other transaction can store a file there
 * meanwhile.
 */
export async function lockFeed(em: Em, feed: string | null): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const lock = `workflow file ${workspace} ${environment} ${feed ?? ''}`;
  await acquireNamedLock(em, lock);
}

/**
 * Stores the bytes of a file for the current tenant. The file belongs to a person. Returns undefined if the bytes
 * differ from the measured size and hash. Some bytes are then already written, so the caller must roll the transaction
 * back.
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

/** Returns the newest matching file of the current tenant that was not removed. */
export async function newestFile(em: Em, wanted: Wanted): Promise<KeptFile | undefined> {
  const [name, value] = Object.entries(wanted)[0]!;
  const { rows } = await select(em, sql`${sql.ref(name)} = ${value} and removed_at is null`, 1);
  return rows[0];
}

/** Lists the files of the current tenant, newest first. */
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

/** Returns the workspace and environment of a file. For operators: reads all workspaces. */
export async function placeOfFile(em: Em, uid: string): Promise<Tenant | undefined> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from workflow_file where uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** Locks a file of the current tenant until the transaction ends. Returns whether its bytes are still stored. */
export async function lockFile(em: Em, uid: string): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ kept: boolean }>`
    select removed_at is null as kept from workflow_file
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} for update
  `.execute(em.getKysely());
  return rows[0]!.kept;
}

/** Deletes the bytes of a file of the current tenant. The record of the file remains. */
export async function removeFile(em: Em, uid: string, now: Date): Promise<KeptFile> {
  const { workspace, environment } = tenantOf(em);
  const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
  await sql`update workflow_file set removed_at = ${now} where uid = ${uid} and ${own}`.execute(
    em.getKysely(),
  );
  await sql`delete from workflow_file_chunk where file_uid = ${uid} and ${own}`.execute(em.getKysely());
  return (await select(em, sql`uid = ${uid}`, 1)).rows[0]!;
}

/**
 * Writes the bytes of a file of the current tenant to a new file that only the user of this process can read. Throws if
 * the bytes do not match their stored hash.
 */
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
  if (hash.digest('hex') !== sha256)
    throw new Error(`the bytes of the file ${uid} do not match its stored hash`);
}

/**
 * Measures the size and hash of a file. For a file above the largest size, reading stops early, and the returned size
 * and hash cover only a part of the file.
 */
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
