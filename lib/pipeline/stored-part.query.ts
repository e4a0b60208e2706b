import { sql } from 'kysely';
import { escapeLiteral } from 'pg';
import type { Em } from '#lib/database/base.ts';
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
