import { sql } from 'kysely';
import type { Part } from '#lib/core/run.ts';
import { PROGRESS_OF_PARTS } from '#lib/core/rounds.ts';
import type { Em } from '#lib/database/base.ts';
import { isOfTenant, isOwnRun } from './run-record.query.ts';
import { movesOf } from './run.ts';
import { startedRun, type StartedRun } from './run.write.ts';

/**
 * Returns a run for the computation of one of its parts. Returns undefined if the run is not running, or if the part is
 * already stored.
 */
export async function runOfPart(em: Em, uid: string, part: Part): Promise<StartedRun | undefined> {
  const { rows } = await sql<Parameters<typeof startedRun>[0]>`
    select r.uid, r.kind, r.attempts, r.request_id as "requestId", r.input, r.dataset_revisions as "datasetRevisions",
      r.model_key as "modelKey", r.model_version as "modelVersion", d.round, d.round_first as "roundFirst",
      (extract(epoch from d.started_at) * 1000)::float8 as "startedAt"
    from run r join dispatch d on d.run_uid = r.uid
    where r.uid = ${uid} and ${isOfTenant(em, 'r')}
      and r.state = ${movesOf('start').to} and not exists (
        select from run_part p where p.run_uid = r.uid and p.first_sample = ${part.first} and p.samples = ${part.count})
  `.execute(em.getKysely());
  return rows[0] && startedRun(rows[0]);
}

/** When a part was queued, and when which worker began to compute it. */
export type PartTimes = { queuedAt: Date; startedAt: Date; endedAt: Date; worker: string };

/**
 * Stores a part until its run ends, and records the progress of the run as a share of `samples`. A second call changes
 * nothing. Nothing is stored for a run that has ended.
 */
export async function keepPart(
  em: Em,
  uid: string,
  { part, content, samples, times }: { part: Part; content: Uint8Array; samples: number; times: PartTimes },
): Promise<void> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  await sql`
    with open as (
      select run_uid, workspace_uid, environment from dispatch
      where run_uid = ${uid} and ${isOfTenant(em)} for key share
    ), kept as (
      insert into run_part (run_uid, workspace_uid, environment, round, first_sample, samples, content, queued_at,
        started_at, ended_at, worker)
      select run_uid, workspace_uid, environment, ${part.round}, ${part.first}, ${part.count}, ${bytes},
        ${times.queuedAt}::timestamptz, ${times.startedAt}::timestamptz, ${times.endedAt}::timestamptz, ${times.worker}
      from open
      on conflict do nothing returning run_uid, samples
    )
    update run set progress = greatest(progress, ${PROGRESS_OF_PARTS}::float8 * least(1, (
      k.samples + (select coalesce(sum(p.samples), 0) from run_part p where p.run_uid = k.run_uid)) / ${samples}::float8))
    from kept k where uid = k.run_uid and state = ${movesOf('start').to}
  `.execute(em.getKysely());
}

/**
 * Records the progress of a part that is being computed: `count` of its samples, in addition to those of the stored
 * parts. The progress of the run never decreases. Returns false if the run is no longer running.
 */
export async function notePartProgress(
  em: Em,
  uid: string,
  { count, samples }: { count: number; samples: number },
): Promise<boolean> {
  const { rows } = await sql`
    update run set progress = greatest(progress, ${PROGRESS_OF_PARTS}::float8 * least(1, (${count}::float8 + (
      select coalesce(sum(p.samples), 0) from run_part p where p.run_uid = uid)) / ${samples}::float8))
    where ${isOwnRun(em, uid)}
      and state = ${movesOf('start').to} returning uid
  `.execute(em.getKysely());
  return rows.length === 1;
}

/**
 * Records the round whose parts are queued next. Returns whether the round is a new one, that is, later than the round
 * that was recorded last.
 */
export async function noteRound(
  em: Em,
  uid: string,
  { round, first }: { round: number; first: number },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with earlier as (
      select run_uid, round from dispatch
      where run_uid = ${uid} and ${isOfTenant(em)} for no key update
    )
    update dispatch d set round = ${round}, round_first = ${first} from earlier e where d.run_uid = e.run_uid
    returning coalesce(e.round, -1) < ${round} as "isNew"
  `.execute(em.getKysely());
  return rows[0]?.isNew ?? false;
}

/**
 * Decreases the count of attempts by one. An attempt that ended because its parts were dispatched is not counted,
 * because the next start continues this attempt.
 */
export async function uncountAttempt(em: Em, uid: string): Promise<void> {
  await sql`
    update run set attempts = attempts - 1
    where ${isOwnRun(em, uid)} and attempts > 0
      and state = ${movesOf('start').to}
  `.execute(em.getKysely());
}
