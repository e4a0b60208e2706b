import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Job, QueueName } from '#lib/core/job.ts';
import { newUid } from '#lib/core/id.ts';
import type { StoredProblem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/orm.ts';
import { admitRuns, type Admitted } from './admission.repository.ts';
import { channels, type Channel } from './notices.ts';
import { decideRun, type RunEvent } from './run.ts';
import { Dispatch, Run } from './run.entity.ts';
import { readResult, writeResult, type SealedResult } from './run-result.repository.ts';

export type Submission = {
  tenant: Tenant;
  application: string;
  requestId: string;
  input: Record<string, unknown>;
  modelVersion: string;
  datasetRevisions: Record<string, number>;
  now: Date;
};

/** Writes the record of a new run and the note that it must be dispatched, in the caller's transaction. */
export async function createRun(em: Em, job: Job, submission: Submission): Promise<Run> {
  const uid = newUid(job.prefix);
  const tenant = {
    workspaceUid: submission.tenant.workspace,
    environment: submission.tenant.environment,
  };
  const run = em.create(Run, {
    uid,
    ...tenant,
    applicationUid: submission.application,
    kind: job.key,
    state: 'queued',
    progress: 0,
    attempts: 0,
    modelKey: job.model,
    modelVersion: submission.modelVersion,
    input: submission.input,
    inputHash: canonicalHash(submission.input),
    datasetRevisions: submission.datasetRevisions,
    requestId: submission.requestId,
    createdAt: submission.now,
  });
  await em.flush();
  em.create(Dispatch, { runUid: uid, ...tenant, kind: job.key, queue: job.queue, createdAt: submission.now });
  await em.flush();
  return run;
}

export type FoundRun = { run: Run; result: SealedResult | null };

/** Reads a run of the tenant and, where it succeeded, its result with the attachments that are named. */
export async function findRun(
  em: Em,
  uid: string,
  include: readonly string[] = [],
): Promise<FoundRun | undefined> {
  const run = await em.findOne(Run, { uid });
  if (!run) return undefined;
  return { run, result: run.state === 'succeeded' ? await readResult(em, uid, include) : null };
}

/** Counts an attempt and marks the run as running; undefined when it has already ended. */
export async function startRun(em: Em, uid: string, now: Date): Promise<Run | undefined> {
  const run = await advance(em, uid, 'start');
  if (!run) return undefined;
  run.attempts += 1;
  run.startedAt ??= now;
  await em.flush();
  await em.nativeUpdate(Dispatch, { runUid: uid }, { startedAt: now });
  return run;
}

/** Ends a run with its sealed result, or writes nothing when it has ended already. Returns whom that makes room for. */
export async function succeedRun(em: Em, uid: string, sealed: SealedResult, now: Date): Promise<Admitted[]> {
  const run = await advance(em, uid, 'succeed');
  if (!run) return [];
  run.progress = 1;
  await writeResult(em, run, sealed);
  return end(em, run, 'ended', now);
}

/** Ends a run with a problem, as `succeedRun` ends one with a result. */
export async function failRun(em: Em, uid: string, problem: StoredProblem, now: Date): Promise<Admitted[]> {
  const run = await advance(em, uid, 'fail');
  if (!run) return [];
  run.problem = problem;
  return end(em, run, 'ended', now);
}

/** Cancels a run. Cancelling again changes nothing; a run that ended otherwise is refused. */
export async function cancelRun(em: Em, uid: string, now: Date): Promise<Cancellation> {
  const run = await em.findOne(Run, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!run) return { verdict: 'unknown', admitted: [] };
  const verdict = decideRun(run.state, 'cancel');
  if (!verdict.ok) return { verdict: 'ended', admitted: [] };
  if (verdict.next === 'unchanged') return { verdict: 'cancelled', admitted: [] };
  run.state = verdict.next;
  return { verdict: 'cancelled', admitted: await end(em, run, 'cancelled', now) };
}

export type Cancellation = { verdict: 'cancelled' | 'ended' | 'unknown'; admitted: Admitted[] };

/** Notes how far a running run has come, if it has; false when it is no longer running, so its work is in vain. */
export async function noteProgress(em: Em, uid: string, progress: number | undefined): Promise<boolean> {
  if (progress === undefined) return (await em.count(Run, { uid, state: 'running' })) === 1;
  return (await em.nativeUpdate(Run, { uid, state: 'running' }, { progress })) === 1;
}

/** Locks the run and moves it, or answers undefined when the event has nothing left to do. */
async function advance(em: Em, uid: string, event: RunEvent): Promise<Run | undefined> {
  const run = await em.findOneOrFail(Run, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const verdict = decideRun(run.state, event);
  if (!verdict.ok || verdict.next === 'unchanged') return undefined;
  run.state = verdict.next;
  return run;
}

async function end(em: Em, run: Run, channel: Channel, now: Date): Promise<Admitted[]> {
  run.finishedAt = now;
  await em.flush();
  const told = channel === 'ended' ? [channels.ended] : [channels.cancelled, channels.ended];
  const { rows } = await sql<{ queue: QueueName }>`
    with done as (delete from dispatch where run_uid = ${run.uid} returning queue),
         told as (select pg_notify(name, ${run.uid}) from unnest(${told}::text[]) name)
    select queue, (select count(*) from told) from done
  `.execute(em.getKysely());
  return rows[0] ? admitRuns(em, rows[0].queue, run.workspaceUid) : [];
}
