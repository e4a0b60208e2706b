import { sql, type RawBuilder } from 'kysely';
import { summaryOf, type RunKind } from '#lib/core/run.ts';
import { newUid } from '#lib/core/id.ts';
import type { StoredProblem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { appendAudit } from '#lib/audit/audit.write.ts';
import type { Actor } from '#lib/audit/entry.ts';
import { tenantOf, type Em, type StatementEm } from '#lib/database/base.ts';
import { notServed, servingVersionOf } from '#lib/models/registry/serving-version.query.ts';
import { admissionLimits, admitRuns, type Admitted, type Lane } from './admission.query.ts';
import type { HeadlineFigure } from './headline.ts';
import { channels } from './notices.ts';
import { queueLimits, queueUseOf, roomRefusal, type QueueUse } from './queue-room.query.ts';
import { isOwnRun, type WholeRun } from './run-record.query.ts';
import { findWithResult, type SealedResult } from './run-result.query.ts';
import { movesOf } from './run.ts';
import { Run } from './run.entity.ts';

/*
 * Each change of a run is one statement: it locks the row, checks whether the event is allowed, and writes
 * all its consequences, or nothing. The query filters by the current tenant in addition to row-level security.
 */

export type Submission = {
  application: string;
  requestId: string;
  input: Record<string, unknown>;
  /** The revisions of the datasets that the run may read, by dataset id. Omitted if the run reads no dataset. */
  datasetRevisions?: Record<string, number>;
  now: Date;
};

/** A new run, and its turn in the queue: null if the run waits for its admission. */
export type CreatedRun = { uid: string; tag: number | null };

/**
 * Writes the record of a new run and its dispatch record, in the caller's transaction. The run uses the serving version
 * of its model for the workspace. If `admits` is set and the workspace has room, the run is admitted. The admission of
 * the workspace is then locked until the transaction ends. Returns the uid of the run. Throws `model_not_approved` if
 * there is no serving version, and `queue_full` if the queue is full.
 */
export async function createRun(
  em: StatementEm,
  job: RunKind,
  submission: Submission,
  { admits = false } = {},
): Promise<CreatedRun> {
  const uid = newUid(job.prefix);
  const tenant = tenantOf(em);
  const { workspace, environment } = tenant;
  const { application, input, requestId, datasetRevisions = {}, now } = submission;
  const text = JSON.stringify(input);
  const wanted = { runs: 1, bytes: Buffer.byteLength(text) };
  const { rows } = await sql<QueueUse & { version: string | null; isCreated: boolean; tag: number | null }>`
    with version as materialized (${servingVersionOf(job.model)}),
    load as materialized (${queueUseOf(tenant)}),
    created as (
      insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version, input,
        summary, input_hash, dataset_revisions, request_id, created_at)
      select ${uid}, ${workspace}, ${environment}, ${application}, ${job.key}, 'queued', ${job.model}, version.version,
        ${text}::jsonb, ${JSON.stringify(summaryOf(job, input))}::jsonb, ${canonicalHash(input)},
        ${JSON.stringify(datasetRevisions)}::jsonb, ${requestId}, ${now}::timestamptz
      from version, load
      where (${queueLimits}::jsonb -> load."serviceClass" ->> 'runs')::float8 >= load.runs + ${wanted.runs}
        and (${queueLimits}::jsonb -> load."serviceClass" ->> 'bytes')::float8 >= load.bytes + ${wanted.bytes}
      returning uid
    ),
    turn as materialized (
      select uid, ${admits ? sql`turn_of_run(${job.queue}, ${workspace}, ${admissionLimits}::jsonb)` : sql`null::integer`} as tag
      from created
    ),
    placed as (
      insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at, input_bytes, tag, admitted_at)
      select uid, ${workspace}, ${environment}, ${job.key}, ${job.queue}, ${now}::timestamptz, ${wanted.bytes}::integer,
        tag, case when tag is not null then now() end
      from turn
      returning run_uid, tag
    )
    select load.*, version.version, placed.run_uid is not null as "isCreated", placed.tag
    from load left join version on true left join placed on true
  `.execute(em.getKysely());
  const { version, isCreated, tag, ...load } = rows[0]!;
  if (version === null) throw notServed(job.model);
  const refused = roomRefusal(load, wanted);
  if (refused) throw refused;
  if (!isCreated) throw new Error(`the run ${uid} was not written`);
  return { uid, tag };
}

export type FoundRun = { run: WholeRun; result: SealedResult | null };

/** Returns a run of the tenant and, if it succeeded, its result with the named attachments. */
export function findRun(
  em: StatementEm,
  uid: string,
  include: readonly string[] = [],
): Promise<FoundRun | undefined> {
  return findWithResult(em, uid, include);
}

/** The data of a started run that a worker needs. */
export type StartedRun = Pick<
  Run,
  'uid' | 'kind' | 'attempts' | 'requestId' | 'input' | 'datasetRevisions' | 'modelKey' | 'modelVersion'
> & {
  /** The start of the current attempt. */
  startedAt: Date;
  /** The latest round whose parts were queued, and its first sample; null if no round was queued. */
  round: number | null;
  roundFirst: number | null;
};

type StartedRow = Omit<StartedRun, 'startedAt'> & { startedAt: number };

/**
 * Counts an attempt and marks the run as running. If `uncountAttempt` took back the count of the previous attempt, this
 * start continues that attempt and keeps its start time. Returns undefined if the run has already ended.
 */
export async function startRun(em: StatementEm, uid: string, now: Date): Promise<StartedRun | undefined> {
  const { from, to } = movesOf('start');
  const { rows } = await sql<StartedRow>`
    with started as (
      update run set state = ${to}, attempts = attempts + 1, started_at = coalesce(started_at, ${now})
      where ${isOwnRun(em, uid)} and state = any(${from})
      returning uid, kind, attempts, request_id, input, dataset_revisions, model_key, model_version
    ), noted as (
      update dispatch d set attempt = s.attempts,
        started_at = case when d.attempt = s.attempts then coalesce(d.started_at, ${now}) else ${now} end
      from started s where d.run_uid = s.uid returning d.started_at, d.round, d.round_first
    )
    select s.uid, s.kind, s.attempts, s.request_id as "requestId", s.input, s.dataset_revisions as "datasetRevisions",
      s.model_key as "modelKey", s.model_version as "modelVersion", n.round, n.round_first as "roundFirst",
      (extract(epoch from coalesce(n.started_at, ${now})) * 1000)::float8 as "startedAt"
    from started s left join noted n on true
  `.execute(em.getKysely());
  return rows[0] && startedRun(rows[0]);
}

/** Converts a row with the columns of a started run. */
export function startedRun(row: StartedRow): StartedRun {
  return { ...row, startedAt: new Date(row.startedAt) };
}

/** A sealed result to store. `attachments` is the JSON of the object of all attachments. */
export type ResultToStore = Omit<SealedResult, 'attachments'> & {
  attachments: string;
  headline: readonly HeadlineFigure[];
};

/**
 * Ends a run with its sealed result. The database writes the entry of the audit log. Returns the lane in which the run
 * leaves room. The caller announces the end and admits waiting runs after the commit, with `admitWaiting`. Writes nothing
 * and returns undefined if the run has already ended.
 */
export async function succeedRun(
  em: StatementEm,
  uid: string,
  sealed: ResultToStore,
  now: Date,
  kept?: RawBuilder<unknown>,
): Promise<Lane | undefined> {
  const result = sql`
    insert into run_result (run_uid, workspace_uid, environment, members, result_hash, seal, attachments, headline)
    select uid, workspace_uid, environment, ${JSON.stringify(sealed.members)}::json, ${sealed.resultHash},
      ${JSON.stringify(sealed.seal)}::json, ${sealed.attachments}::json,
      ${sealed.headline.length === 0 ? null : JSON.stringify(sealed.headline)}::json
    from ended
  `;
  const { from, to } = movesOf('succeed');
  const set = sql`state = ${to}, finished_at = ${now}, progress = 1`;
  return end(em, uid, { from, set, result, ...(kept && { kept }) });
}

/**
 * Ends a run with a problem, and writes the entry of the audit log. Returns the lane of the run, in which other runs can
 * now be admitted. Writes nothing and returns undefined if the run has already ended.
 */
export async function failRun(
  em: Em,
  uid: string,
  problem: StoredProblem,
  now: Date,
): Promise<Lane | undefined> {
  const { from, to } = movesOf('fail');
  const set = sql`state = ${to}, finished_at = ${now}, problem = ${JSON.stringify(problem)}::jsonb`;
  const lane = await end(em, uid, { from, set });
  if (!lane) return undefined;
  await appendAudit(em, {
    at: now,
    op: 'run.failed',
    actor: { kind: 'system' },
    subject: { type: 'run', uid },
    details: { problem: problem.code },
  });
  return lane;
}

/** For the audit log: the actor that cancels a run, and the time of the cancellation. */
export type Canceller = { actor: Actor; requestId?: string | undefined; now: Date };

/**
 * Ends a run as cancelled, and announces it when the transaction commits. Returns the runs that can now be admitted.
 * Writes nothing and returns undefined if the run has already ended.
 */
export async function endCancelled(em: Em, uid: string, now: Date): Promise<Admitted[] | undefined> {
  const { from, to } = movesOf('cancel');
  const set = sql`state = ${to}, finished_at = ${now}`;
  const lane = await end(em, uid, { from, set, notify: [channels.cancelled, channels.ended] });
  return lane && admitRuns(em, lane.queue, lane.workspace);
}

/**
 * Records the progress of a running run, if progress is given. Returns false if the run is no longer running; the
 * caller can then stop the computation.
 */
export async function noteProgress(em: Em, uid: string, progress: number | undefined): Promise<boolean> {
  if (progress === undefined) return (await em.count(Run, { uid, state: 'running' })) === 1;
  return (await em.nativeUpdate(Run, { uid, state: 'running' }, { progress })) === 1;
}

type End = {
  from: readonly string[];
  set: RawBuilder<unknown>;
  /** SQL that writes further rows in the statement that ends the run. */
  result?: RawBuilder<unknown>;
  kept?: RawBuilder<unknown>;
  /** The channels on which the commit announces the end of the run. Default: none. */
  notify?: readonly string[];
};

/** Ends a run and deletes its dispatch record. Returns undefined if the run could not be ended. */
async function end(
  em: StatementEm,
  uid: string,
  { from, set, result, kept, notify = [] }: End,
): Promise<Lane | undefined> {
  const notified = sql`select pg_notify(name, uid) from ended, unnest(${[...notify]}::text[]) name`;
  const { rows } = await sql<Lane>`
    with ended as (
      update run set ${set} where ${isOwnRun(em, uid)} and state = any(${[...from]})
      returning uid, workspace_uid, environment
    ),
    ${result ? sql`written as (${result}),` : sql``}
    ${kept ? sql`kept as (${kept}),` : sql``}
    ${notify.length > 0 ? sql`notified as (${notified}),` : sql``}
    done as (delete from dispatch where run_uid in (select uid from ended) returning queue, workspace_uid)
    select queue, workspace_uid as workspace${notify.length > 0 ? sql`, (select count(*) from notified)` : sql``} from done
  `.execute(em.getKysely());
  return rows[0] && { queue: rows[0].queue, workspace: rows[0].workspace };
}
