import { sql } from 'kysely';
import { escapeLiteral } from 'pg';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { copyBytes } from '#lib/database/copy.ts';
import { groupsOf, type StoredPart } from './part-cover.ts';

/** Maximum bytes and maximum number of parts that one statement reads. A larger part is read alone. */
const GROUP = { bytesMax: 8_388_608, most: 1_000 };

/** Returns those stored parts of a run that begin at the sample `first` or later, in the order of their samples. */
export async function storedParts(em: Em, uid: string, first: number): Promise<StoredPart[]> {
  const { rows } = await sql<StoredPart>`
    select round, first_sample as first, samples as count, octet_length(content) as bytes from run_part
    where run_uid = ${uid} and first_sample >= ${first} order by first_sample, samples desc
  `.execute(em.getKysely());
  return rows;
}

/** Returns the number of stored samples of a run before the sample `first`. */
export async function samplesStoredBefore(em: Em, uid: string, first: number): Promise<number> {
  const { rows } = await sql<{ samples: number }>`
    select coalesce(sum(samples), 0)::int as samples from run_part where run_uid = ${uid} and first_sample < ${first}
  `.execute(em.getKysely());
  return rows[0]!.samples;
}

/**
 * Reads the content of stored parts in order, and passes it to `take` in groups of a few megabytes. The memory
 * therefore holds at most one group besides what the caller keeps. Returns false if a part is no longer stored.
 */
export async function readParts(
  em: Em,
  uid: string,
  parts: readonly StoredPart[],
  take: (content: Buffer) => void,
): Promise<boolean> {
  for (const group of groupsOf(parts, GROUP)) {
    const listed = (numbers: number[]) => escapeLiteral(`{${numbers.map(Number).join(',')}}`);
    const content = await copyBytes(
      em,
      `select string_agg(p.content, ''::bytea order by p.first_sample) from run_part p
       join unnest(${listed(group.map(({ first }) => first))}::int[], ${listed(group.map(({ count }) => count))}::int[]) k (first, count)
         on k.first = p.first_sample and k.count = p.samples
       where p.run_uid = ${escapeLiteral(uid)}`,
    );
    const expected = group.reduce((total, { bytes }) => total + bytes, 0);
    if (content?.length !== expected) return false;
    take(content);
  }
  return true;
}

/** A stored part of an open run: its samples, and when it was queued and computed. An earlier release stored no times. */
export type PartTimesRow = {
  round: number;
  first: number;
  count: number;
  queuedAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  worker: string | null;
};

/** Returns the newest stored parts of an open run of the current tenant, at most `limit`, in the order of their ends. */
export async function timesOfParts(em: Em, uid: string, limit: number): Promise<PartTimesRow[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<PartTimesRow>`
    select round, first_sample as first, samples as count, queued_at as "queuedAt", started_at as "startedAt",
      ended_at as "endedAt", worker
    from run_part where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
    order by ended_at desc nulls last, first_sample desc limit ${limit}
  `.execute(em.getKysely());
  const date = (value: Date | string | null) => (value === null ? null : new Date(value));
  return rows.toReversed().map((row) => ({
    ...row,
    queuedAt: date(row.queuedAt),
    startedAt: date(row.startedAt),
    endedAt: date(row.endedAt),
  }));
}
