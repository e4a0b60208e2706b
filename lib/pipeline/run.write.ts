import { sql, type RawBuilder } from 'kysely';
import { summaryOf, type RunKind, type QueueName } from '#lib/core/run.ts';
import { newUid } from '#lib/core/id.ts';
import type { StoredProblem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { appendAudit } from '#lib/audit/audit.write.ts';
import type { Actor } from '#lib/audit/entry.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { requireServingVersion } from '#lib/models/registry/serving-version.query.ts';
import { admitRuns, type Admitted } from './admission.query.ts';
import { channels } from './notices.ts';
import { requireQueueRoom } from './queue-room.query.ts';
import { findWholeRun, type WholeRun } from './run-record.query.ts';
import { readResult, type SealedResult } from './run-result.query.ts';
import { movesOf } from './run.ts';
import { Run } from './run.entity.ts';

/*
 * What moves a run is one statement each: it locks the row, asks whether the event may happen, and writes all that
 * follows from it, or nothing. The em's tenant is asked for here as well as by row-level security.
 */

export type Submission = {
  application: string;
  requestId: string;
  input: Record<string, unknown>;
  /** The revisions of the datasets that it reads as they were; none where it reads none. */
  datasetRevisions?: Record<string, number>;
  now: Date;
};

/**
 * Writes the record of a new run, under the version of its model that serves the workspace, and the note that it must be
 * dispatched, in the caller's transaction. Its uid. Throws `model_not_approved` where no version serves.
 */
export async function createRun(em: Em, job: RunKind, submission: Submission): Promise<string> {
  const uid = newUid(job.prefix);
  const { workspace, environment } = tenantOf(em);
  const { application, input, requestId, datasetRevisions = {}, now } = submission;
  const modelVersion = await requireServingVersion(em, job.model);
  const text = JSON.stringify(input);
  const inputBytes = Buffer.byteLength(text);
  await requireQueueRoom(em, { runs: 1, bytes: inputBytes });
  await sql`
    with created as (
      insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version, input,
        summary, input_hash, dataset_revisions, request_id, created_at)
      values (${uid}, ${workspace}, ${environment}, ${application}, ${job.key}, 'queued', ${job.model}, ${modelVersion},
        ${text}::jsonb, ${JSON.stringify(summaryOf(job, input))}::jsonb, ${canonicalHash(input)}, ${JSON.stringify(datasetRevisions)}::jsonb,
        ${requestId}, ${now})
      returning uid
    )
    insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at, input_bytes)
    select uid, ${workspace}, ${environment}, ${job.key}, ${job.queue}, ${now}, ${inputBytes} from created
  `.execute(em.getKysely());
  return uid;
}

export type FoundRun = { run: WholeRun; result: SealedResult | null };

/** Reads a run of the tenant and, where it succeeded, its result with the attachments that are named. */
export async function findRun(
  em: Em,
  uid: string,
  include: readonly string[] = [],
): Promise<FoundRun | undefined> {
  const run = await findWholeRun(em, uid);
  return run && { run, result: run.state === 'succeeded' ? await readResult(em, uid, include) : null };
}

/** What a worker needs of a run that it has started. */
export type StartedRun = Pick<
  Run,
  'uid' | 'kind' | 'attempts' | 'requestId' | 'input' | 'datasetRevisions' | 'modelKey' | 'modelVersion'
>;

/** Counts an attempt and marks the run as running; undefined when it has already ended. */
export async function startRun(em: Em, uid: string, now: Date): Promise<StartedRun | undefined> {
  const { from, to } = movesOf('start');
  const { rows } = await sql<StartedRun>`
    with started as (
      update run set state = ${to}, attempts = attempts + 1, started_at = coalesce(started_at, ${now})
      where ${isOwn(em, uid)} and state = any(${from}) returning *
    ), noted as (
      update dispatch set started_at = ${now} where run_uid in (select uid from started)
    )
    select uid, kind, attempts, request_id as "requestId", input, dataset_revisions as "datasetRevisions",
      model_key as "modelKey", model_version as "modelVersion"
    from started
  `.execute(em.getKysely());
  return rows[0];
}

/**
 * Ends a run with its sealed result, whose entry in the audit log the database writes; returns whom that makes room
 * for. Undefined, and no write, when it has ended.
 */
export async function succeedRun(
  em: Em,
  uid: string,
  sealed: SealedResult,
  now: Date,
  kept?: RawBuilder<unknown>,
): Promise<Admitted[] | undefined> {
  const result = sql`
    insert into run_result (run_uid, workspace_uid, environment, members, result_hash, seal, attachments)
    select uid, workspace_uid, environment, ${JSON.stringify(sealed.members)}::json, ${sealed.resultHash},
      ${JSON.stringify(sealed.seal)}::json, ${JSON.stringify(sealed.attachments)}::json
    from ended
  `;
  const { from, to } = movesOf('succeed');
  const set = sql`state = ${to}, finished_at = ${now}, progress = 1`;
  return end(em, uid, {
    from,
    set,
    result,
    ...(kept && { kept }),
    notify: [channels.ended],
  });
}

/** Ends a run with a problem, as `succeedRun` ends one with a result. */
export async function failRun(em: Em, uid: string, problem: StoredProblem, now: Date): Promise<Admitted[]> {
  const { from, to } = movesOf('fail');
  const set = sql`state = ${to}, finished_at = ${now}, problem = ${JSON.stringify(problem)}::jsonb`;
  const admitted = await end(em, uid, { from, set, notify: [channels.ended] });
  if (!admitted) return [];
  await appendAudit(em, {
    at: now,
    op: 'run.failed',
    actor: { kind: 'system' },
    subject: { type: 'run', uid },
    details: { problem: problem.code },
  });
  return admitted;
}

/** Who cancels a run, for the audit log, and when. */
export type Canceller = { actor: Actor; requestId?: string | undefined; now: Date };

/** Ends a run as cancelled; returns whom that makes room for. Undefined, and no write, when it has ended. */
export function endCancelled(em: Em, uid: string, now: Date): Promise<Admitted[] | undefined> {
  const { from, to } = movesOf('cancel');
  const set = sql`state = ${to}, finished_at = ${now}`;
  return end(em, uid, { from, set, notify: [channels.cancelled, channels.ended] });
}

/** Notes how far a running run has come, if it has; false when it is no longer running, so its work is in vain. */
export async function noteProgress(em: Em, uid: string, progress: number | undefined): Promise<boolean> {
  if (progress === undefined) return (await em.count(Run, { uid, state: 'running' })) === 1;
  return (await em.nativeUpdate(Run, { uid, state: 'running' }, { progress })) === 1;
}

type End = {
  from: readonly string[];
  set: RawBuilder<unknown>;
  /** Further rows that are written with the end. */
  result?: RawBuilder<unknown>;
  kept?: RawBuilder<unknown>;
  /** The channels that hear of it. */
  notify: readonly string[];
};

/** Ends a run and takes its note of dispatch away; undefined when it was not there to be ended. */
async function end(
  em: Em,
  uid: string,
  { from, set, result, kept, notify }: End,
): Promise<Admitted[] | undefined> {
  const { rows } = await sql<{ queue: QueueName; workspace: string }>`
    with ended as (
      update run set ${set} where ${isOwn(em, uid)} and state = any(${[...from]})
      returning uid, workspace_uid, environment
    ), written as (${result ?? sql`select`}),
    kept as (${kept ?? sql`select`}),
    done as (delete from dispatch where run_uid in (select uid from ended) returning queue, workspace_uid),
    told as (select pg_notify(name, uid) from ended, unnest(${[...notify]}::text[]) name)
    select queue, workspace_uid as workspace, (select count(*) from told) from done
  `.execute(em.getKysely());
  return rows[0] && admitRuns(em, rows[0].queue, rows[0].workspace);
}

function isOwn(em: Em, uid: string): RawBuilder<boolean> {
  const { workspace, environment } = tenantOf(em);
  return sql<boolean>`uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}`;
}
