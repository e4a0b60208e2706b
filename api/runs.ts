import type { Static } from 'typebox';
import type { Clock } from '#lib/core/clock.ts';
import { batchWrites } from '#lib/core/batch-writes.ts';
import { summaryOf, type RequestOf, type RunKind } from '#lib/core/run.ts';
import type { Log } from '#lib/core/log.ts';
import type { Caller, Idempotency, Preferences, Reply } from '#lib/core/operation.ts';
import { Problem, problemBody } from '#lib/core/problem.ts';
import { isUid } from '#lib/core/id.ts';
import { carryTrace } from '#lib/core/tracing.ts';
import { statementLimitsMs } from '#lib/database/time-limits.ts';
import type { Em, Orm, StatementEm, Tenant } from '#lib/database/base.ts';
import { inOneStatement, inTenant } from '#lib/database/orm.ts';
import { findKey } from '#lib/pipeline/idempotency.write.ts';
import type { Notices } from '#lib/pipeline/notices.ts';
import { admitWaiting, type Admitted, type Lane } from '#lib/pipeline/admission.query.ts';
import { enqueueAdmitted, type TicketQueue } from '#lib/pipeline/queue.ts';
import { findRunRecord, type ListedRun, type RunRecord } from '#lib/pipeline/run-record.query.ts';
import { findRun, type FoundRun } from '#lib/pipeline/run.write.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { KeyTaken, submitRun } from '#lib/pipeline/submit-run.command.ts';
import { isTerminal } from '#lib/pipeline/run.ts';
import type { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { API_PREFIX } from './derive/router.ts';
import { refuseReuse } from './effects.ts';
import { createWaits, type Heard, type WaitingCall } from './run-waits.ts';
import { tenantOf } from './tenant.ts';

/**
 * The problems that a submission can end with, in addition to the refusals of its run. Each operation that
 * submits a run declares them.
 */
export const submissionProblems = [
  'model_not_approved',
  'queue_full',
  'run_cancelled',
  'time_limit_exceeded',
] as const;

/** The maximum number of attempts at a submission while other requests hold its idempotency key. */
const SUBMISSIONS_MAX = 5;
export const RETRY_AFTER_S = '1';
/** The largest number of submissions that share one admission. */
const ADMITTED_MAX = 500;

/** A submission that waits for the admission of its run, and the runs that it is to dispatch. */
type Waiting = { tenant: Tenant; lane: Lane; uid: string; admitted: Admitted[] };

/** The parts of a request that a submission needs. */
export type SubmittingCall = {
  caller: Caller;
  requestId: string;
  idempotency: Idempotency | undefined;
  signal: AbortSignal;
};

/**
 * A submitted run: its uid, whether an earlier request submitted it, and what was heard about it since before its
 * dispatch.
 */
export type SubmittedRun = { uid: string; replayed: boolean; heard?: Heard };

export type Runs = ReturnType<typeof createRuns>;

export type RunsOptions = {
  orm: Orm;
  queues: Record<RunKind['queue'], TicketQueue>;
  endings: Notices;
  clock: Clock;
  log: Log;
  /** The default wait limit, in milliseconds. */
  waitMs: number;
  /** Aborted when the process drains. The abort ends all waits. */
  draining: AbortSignal;
};

/**
 * Opens the service that submits runs, waits for their end and answers requests with them. All operations that submit
 * runs use this service.
 */
export function createRuns({ orm, queues, endings, clock, log, waitMs, draining }: RunsOptions) {
  const waits = createWaits({ orm, endings, draining, waitMs });
  const { listenFor, ended, endedIfSeated, waitFor, waitForIfSeated } = waits;
  const admit = batchWrites<Waiting>({
    max: ADMITTED_MAX,
    keyOf: ({ lane: { queue, workspace } }) => `${queue} ${workspace}`,
    write: (all) => admitTogether(orm, all),
  });

  /** Submits a run in its own transaction, once for each idempotency key, then dispatches it to its queue. */
  async function submit<R extends Run>(
    run: R,
    call: SubmittingCall,
    request: RequestOf<R>,
  ): Promise<SubmittedRun> {
    for (let attempt = 1; attempt <= SUBMISSIONS_MAX; attempt++) {
      const submitted = await trySubmission(run, call, request);
      if (submitted) return submitted;
    }
    throw new Problem(
      'dependency_unavailable',
      'Other requests with the same idempotency key are in progress. Retry later.',
      {
        headers: { 'Retry-After': RETRY_AFTER_S },
      },
    );
  }

  /**
   * Tries one submission. Returns undefined if another request with the same key came first; the caller then
   * looks up the key again.
   */
  async function trySubmission<R extends Run>(
    run: R,
    call: SubmittingCall,
    request: RequestOf<R>,
  ): Promise<SubmittedRun | undefined> {
    const { idempotency, requestId, signal } = call;
    const { application } = call.caller;
    const tenant = tenantOf(call.caller);
    const known =
      idempotency &&
      (await inTenant(orm, tenant, (em) => sameRequest(em, call), { isReadOnly: true, signal }));
    if (known) return { uid: known, replayed: true };
    const submitted = await inTenant(
      orm,
      tenant,
      (em) =>
        submitRun(em, run, request, {
          application,
          requestId,
          idempotency,
          now: clock.now(),
          scopes: [...call.caller.scopes],
          admission: 'soon',
        }),
      { signal, statementMs: statementLimitsMs.apiWrite },
    ).catch((error: unknown) => {
      if (error instanceof KeyTaken) return undefined;
      throw error;
    });
    if (!submitted) return undefined;
    const { uid, admitted, waiting } = submitted;
    const heard = listenFor(uid);
    const all = waiting ? await admitAfterwards({ tenant, lane: waiting, uid, admitted: [] }) : admitted;
    const traced = all.map((each) => (each.uid === uid ? { ...each, trace: carryTrace() } : each));
    await enqueueAdmitted(queues, traced, log);
    return { uid, replayed: false, ...(heard && { heard }) };
  }

  /**
   * Admits runs of a workspace that wait, one of which was just submitted. Submissions that wait for the same admission
   * share it. Runs that are not admitted because the database fails are admitted by the scheduler.
   */
  async function admitAfterwards(waiting: Waiting): Promise<Admitted[]> {
    await admit(waiting).catch((error: unknown) =>
      log.warn({ err: error, run: waiting.uid }, 'the scheduler will admit the run'),
    );
    return waiting.admitted;
  }

  /** Dispatches runs to their queues, after the transaction that admitted them. */
  function dispatch(admitted: readonly Admitted[]): Promise<void> {
    return enqueueAdmitted(queues, admitted, log);
  }

  /**
   * Waits until a run has ended, at most `limitMs`, and reads it with the attachments of `include`. Refuses with
   * `too_many_waiting` if too many requests are waiting, of the application or of all applications.
   */
  async function wait(
    call: WaitingCall,
    uid: string,
    limitMs: number,
    include: readonly string[] = [],
  ): Promise<FoundRun | undefined> {
    await ended(call, uid, limitMs);
    return find(call, uid, include);
  }

  /** Waits like `wait`, and reads only the record of the run. */
  async function waitForRecord(
    call: WaitingCall,
    uid: string,
    limitMs: number,
  ): Promise<RunRecord | undefined> {
    await ended(call, uid, limitMs);
    return read(call, uid, (em) => findRunRecord(em, uid));
  }

  function find(call: WaitingCall, uid: string, include: readonly string[]): Promise<FoundRun | undefined> {
    return read(call, uid, (em) => findRun(em, uid, include));
  }

  async function read<T>(
    { caller, signal }: WaitingCall,
    uid: string,
    query: (em: StatementEm) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!isUid(uid)) return undefined;
    const { confirmation } = caller;
    return inOneStatement(orm, tenantOf(caller), query, { isReadOnly: true, signal, confirmation });
  }

  /**
   * Answers 201 with the sealed run, 202 with the open run if the wait expired, or the problem that the run
   * ended with. A caller that does not wait gets 202 even for a run that has already failed, so that it
   * always receives the uid.
   */
  async function answer(
    kind: RunKind,
    call: WaitingCall & { prefer: Preferences },
    submitted: SubmittedRun,
  ): Promise<Reply<201, SealedRunOf> | Reply<202, OpenRunOf>> {
    const limitMs = call.prefer.waitMs ?? (call.prefer.respondAsync ? 0 : waitMs);
    const { heard } = submitted;
    await endedIfSeated(call, submitted.uid, limitMs, heard).finally(() => heard?.forget());
    const found = await find(call, submitted.uid, []);
    if (!found) throw new Error(`the submitted run ${submitted.uid} does not exist`);
    const headers = {
      Location: `${API_PREFIX}${kind.resource}/${found.run.uid}`,
      ...appliedPreference(call.prefer, isTerminal(found.run.state)),
      ...(submitted.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    };
    const { run } = found;
    const isRefused = limitMs > 0;
    if (isRefused && run.problem)
      throw new Problem(run.problem.code, run.problem.detail, { members: run.problem.members, headers });
    if (isRefused && run.state === 'cancelled')
      throw new Problem('run_cancelled', 'The run was cancelled.', { headers });
    return run.state === 'succeeded'
      ? { status: 201, headers, body: presentSealed(found) }
      : { status: 202, headers: { ...headers, 'Retry-After': RETRY_AFTER_S }, body: presentOpen(found) };
  }

  return { submit, dispatch, wait, waitForRecord, waitFor, waitForIfSeated, answer, waitMs };

  async function sameRequest(em: Em, call: SubmittingCall): Promise<string | undefined> {
    const found = await findKey(em, call.caller.application, call.idempotency!);
    if (found) refuseReuse(found, call.idempotency!);
    return found?.runUid ?? undefined;
  }
}

/**
 * Admits the runs of submissions to one lane in one transaction. Each submission dispatches its own run, and the first one
 * also dispatches the runs of other submissions.
 */
async function admitTogether(orm: Orm, all: readonly Waiting[]): Promise<void> {
  const { tenant, lane } = all[0]!;
  const admitted = await inOneStatement(orm, tenant, (em) => admitWaiting(em, lane), {
    statementMs: statementLimitsMs.apiWrite,
    waitsForDisk: false,
  });
  const submissions = new Map(all.map((waiting) => [waiting.uid, waiting]));
  for (const run of admitted) (submissions.get(run.uid) ?? all[0]!).admitted.push(run);
}

/** Returns the preferences that changed the answer. `respond-async` is included only if the run had not ended. */
export function appliedPreference(prefer: Preferences, ended: boolean): Record<string, string> {
  const applied = [
    ...(prefer.respondAsync && !ended ? ['respond-async'] : []),
    ...(prefer.waitMs === undefined ? [] : [`wait=${prefer.waitMs / 1_000}`]),
  ];
  return applied.length ? { 'Preference-Applied': applied.join(', ') } : {};
}

type SealedRunOf = Static<ReturnType<typeof SealedRun>>;
type OpenRunOf = Static<ReturnType<typeof OpenRun>>;

/** Returns a run in any state as JSON, with the attachments that were read together with the run. */
export function presentRun(found: FoundRun): SealedRunOf | OpenRunOf {
  return found.run.state === 'succeeded' ? presentSealed(found) : presentOpen(found);
}

function presentSealed({ run, result }: FoundRun): SealedRunOf {
  // The members were checked against the job's declaration before they were sealed.
  return {
    ...recordMembers(run),
    input: run.input,
    state: 'succeeded',
    ...result!.members,
    result_hash: result!.resultHash,
    seal: result!.seal,
    ...result!.attachments,
  } as unknown as SealedRunOf;
}

function presentOpen({ run }: FoundRun): OpenRunOf {
  return {
    ...recordMembers(run),
    input: run.input,
    state: run.state,
    problem: presentProblem(run),
  } as OpenRunOf;
}

/** Presents a run as an element of the list of its job's runs. */
export function presentSummary(job: RunKind, run: ListedRun) {
  return {
    ...recordMembers(run),
    ...summaryOf(job, run.summary),
    state: run.state,
    result_hash: run.resultHash,
    problem: presentProblem(run),
  };
}

export function presentProblem(run: Pick<RunRecord, 'problem' | 'requestId'>) {
  return run.problem ? (problemBody(run.problem, run.requestId) as never) : null;
}

function recordMembers(run: RunRecord) {
  return {
    uid: run.uid,
    kind: run.kind,
    progress: run.progress,
    attempts: run.attempts,
    model: { key: run.modelKey, version: run.modelVersion },
    input_hash: run.inputHash,
    request_id: run.requestId,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}
