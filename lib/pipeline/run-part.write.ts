import { sql } from 'kysely';
import { escapeLiteral } from 'pg';
import type { Part } from '#lib/core/run.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { copyBytes } from '#lib/database/copy.ts';
import { movesOf } from './run.ts';
import type { StartedRun } from './run.write.ts';

/** The progress of a divided run when all its parts are stored. The remaining work is the merging of the parts. */
const PROGRESS_OF_PARTS = 0.9;

/** A run that is computed in parts. */
export type DividedRun = StartedRun & {
  /** The start of the latest attempt of the run. */
  startedAt: Date;
};

/**
 * Returns a run for the computation of one of its parts. Returns undefined if the run has ended, or if the part is
 * already stored.
 */
export async function runOfPart(em: Em, uid: string, part: Part): Promise<DividedRun | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Omit<DividedRun, 'startedAt'> & { startedAt: number }>`
    select r.uid, r.kind, r.attempts, r.request_id as "requestId", r.input, r.dataset_revisions as "datasetRevisions",
      r.model_key as "modelKey", r.model_version as "modelVersion",
      (extract(epoch from d.started_at) * 1000)::float8 as "startedAt"
    from run r join dispatch d on d.run_uid = r.uid
    where r.uid = ${uid} and r.workspace_uid = ${workspace} and r.environment = ${environment}
      and r.state = ${movesOf('start').to} and not exists (
        select from run_part p where p.run_uid = r.uid and p.first_sample = ${part.first} and p.samples = ${part.count})
  `.execute(em.getKysely());
  return rows[0] && { ...rows[0], startedAt: new Date(rows[0].startedAt) };
}

/**
 * Stores a part until its run ends, and records the progress of the run as a share of `samples`. A second call changes
 * nothing. Nothing is stored for a run that has ended.
 */
export async function keepPart(
  em: Em,
  uid: string,
  { part, content, samples }: { part: Part; content: Uint8Array; samples: number },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  await sql`
    with open as (
      select run_uid, workspace_uid, environment from dispatch
      where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} for key share
    ), kept as (
      insert into run_part (run_uid, workspace_uid, environment, first_sample, samples, content)
      select run_uid, workspace_uid, environment, ${part.first}, ${part.count}, ${bytes} from open
      on conflict do nothing returning run_uid, samples
    )
    update run set progress = greatest(progress, ${PROGRESS_OF_PARTS}::float8 / ${samples} * (
      k.samples + (select coalesce(sum(p.samples), 0) from run_part p where p.run_uid = k.run_uid)))
    from kept k where uid = k.run_uid and state = ${movesOf('start').to}
  `.execute(em.getKysely());
}

/** Returns the parts of a run that are not stored yet. */
export async function missingParts(em: Em, uid: string, parts: readonly Part[]): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select first_sample as first, samples as count from run_part where run_uid = ${uid}
  `.execute(em.getKysely());
  return parts.filter(({ first, count }) => !rows.some((row) => row.first === first && row.count === count));
}

/**
 * Returns the content of all parts, joined in order. The parts are read one by one, so that the memory holds the joined
 * content and at most one separate part.
 */
export async function readParts(
  em: Em,
  uid: string,
  parts: readonly Part[],
): Promise<Float64Array<ArrayBuffer>> {
  const samples = parts.reduce((total, { count }) => total + count, 0);
  let whole = new Uint8Array(0);
  let at = 0;
  for (const { first, count } of parts) {
    const content = await copyBytes(
      em,
      `select content from run_part where run_uid = ${escapeLiteral(uid)} and first_sample = ${Number(first)} and samples = ${Number(count)}`,
    );
    if (!content) throw new Error(`the part ${first} of the run ${uid} does not exist`);
    // Every sample has the same number of values.
    if (at === 0) whole = new Uint8Array((content.length / count) * samples);
    whole.set(content, at);
    at += content.length;
  }
  return new Float64Array(whole.buffer);
}

/**
 * Decreases the count of attempts by one. An attempt that ended because its parts were dispatched does not count: the
 * next start continues it.
 */
export async function uncountAttempt(em: Em, uid: string): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    update run set attempts = attempts - 1
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} and attempts > 0
      and state = ${movesOf('start').to}
  `.execute(em.getKysely());
}
