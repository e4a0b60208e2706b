import { sql } from 'kysely';
import { summaryOf, type RunKind } from '#lib/core/run.ts';
import { newUid } from '#lib/core/id.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { appendAudits } from '#lib/audit/audit.write.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { requireServingVersion } from '#lib/models/registry/serving-version.query.ts';
import { channels } from './notices.ts';
import { requireQueueRoom } from './queue-room.query.ts';
import { isOfTenant } from './run-record.query.ts';
import type { Canceller, Submission } from './run.write.ts';
import { movesOf } from './run.ts';

/** The largest number of runs that one statement writes. */
const RUNS_A_STATEMENT = 500;

export type BulkSubmission = Omit<Submission, 'input'> & { inputs: readonly Record<string, unknown>[] };

/**
 * Creates many runs that differ only in their input. Otherwise works like `createRun`. Uses a few statements, so that
 * the event loop can do other work between two statements. The runs are admitted when no other run of their workspace
 * waits. Returns the uids of the runs, in the order of the inputs.
 */
export async function createRuns(em: Em, job: RunKind, submission: BulkSubmission): Promise<string[]> {
  const { workspace, environment } = tenantOf(em);
  const { application, inputs, requestId, datasetRevisions = {}, now } = submission;
  const modelVersion = await requireServingVersion(em, job.model);
  const uids = inputs.map(() => newUid(job.prefix));
  const texts = inputs.map((input) => JSON.stringify(input));
  const inputBytes = texts.map((text) => Buffer.byteLength(text));
  await requireQueueRoom(em, {
    runs: texts.length,
    bytes: inputBytes.reduce((sum, bytes) => sum + bytes, 0),
  });
  for (let at = 0; at < uids.length; at += RUNS_A_STATEMENT) {
    const part = <T>(all: readonly T[]) => all.slice(at, at + RUNS_A_STATEMENT);
    await sql`
      with created as (
        insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version, input,
          summary, input_hash, dataset_revisions, request_id, created_at)
        select i.uid, ${workspace}, ${environment}, ${application}, ${job.key}, 'queued', ${job.model}, ${modelVersion},
          i.input, i.summary, i.hash, ${JSON.stringify(datasetRevisions)}::jsonb, ${requestId}, ${now}
        from unnest(
          ${part(uids)}::text[],
          ${part(texts)}::jsonb[],
          ${part(inputs).map((input) => JSON.stringify(summaryOf(job, input)))}::jsonb[],
          ${part(inputs).map((input) => canonicalHash(input))}::text[]
        ) i (uid, input, summary, hash)
        returning uid
      )
      insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at, background, input_bytes)
      select c.uid, ${workspace}, ${environment}, ${job.key}, ${job.queue}, ${now}, true, b.bytes
      from created c join unnest(${part(uids)}::text[], ${part(inputBytes)}::int[]) b (uid, bytes) using (uid)
    `.execute(em.getKysely());
  }
  return uids;
}

/**
 * Cancels the unfinished runs of a list in one statement, and notifies the workers that compute them. Returns the uids
 * of the cancelled runs.
 */
export async function cancelRuns(em: Em, uids: readonly string[], by: Canceller): Promise<string[]> {
  const { actor, requestId, now } = by;
  const { from, to } = movesOf('cancel');
  const { rows } = await sql<{ uid: string }>`
    with ended as (
      update run set state = ${to}, finished_at = ${now}
      where uid = any(${[...uids]}) and ${isOfTenant(em)}
        and state = any(${from})
      returning uid
    ),
    done as (delete from dispatch where run_uid in (select uid from ended)),
    notified as (
      select pg_notify(name, uid) from ended, unnest(${[channels.cancelled, channels.ended]}::text[]) name
    )
    select uid, (select count(*) from notified) from ended
  `.execute(em.getKysely());
  const cancelled = rows.map(({ uid }) => uid);
  await appendAudits(
    em,
    cancelled.map((uid) => ({
      at: now,
      op: 'run.cancelled',
      actor,
      subject: { type: 'run', uid },
      requestId,
    })),
  );
  return cancelled;
}
