import { UnrecoverableError } from 'bullmq';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { Clock } from '#lib/core/clock.ts';
import type { Job, Outcome, QueueName } from '#lib/core/job.ts';
import type { Log } from '#lib/core/log.ts';
import { Problem, storedProblem, type StoredProblem } from '#lib/core/problem.ts';
import { canonicalHash, seal } from '#lib/core/seal.ts';
import { inTenant, type Orm } from '#lib/database/orm.ts';
import { isTransient } from '#lib/database/transient.ts';
import type { Notices } from '#lib/pipeline/notices.ts';
import { handOver, type Ticket, type TicketProcessor, type TicketQueue } from '#lib/pipeline/queue.ts';
import type { Run } from '#lib/pipeline/run.entity.ts';
import { failRun, noteProgress, startRun, succeedRun } from '#lib/pipeline/run.repository.ts';
import type { Kinds } from './runner.ts';
import type { ThreadRun, Threads } from './threads.ts';

const BEAT_MS = 400;
/** A run that takes its worker down each time is given up after so many starts, whatever ended them. */
const STARTS_MAX = 25;

export type WorkerServices = {
  /** What this worker can run. */
  kinds: Kinds;
  orm: Orm;
  queues: Readonly<Partial<Record<QueueName, TicketQueue>>>;
  threads: Threads;
  cancellations: Notices;
  ajv: Ajv2020;
  clock: Clock;
  log: Log;
};

/**
 * The one processor of all queues: takes the record of a run, computes it in a thread, seals, and ends the record.
 * Deliveries may repeat: a run that has ended is left as it is, and only one of two ends is written.
 */
export function createProcessor(services: WorkerServices): TicketProcessor {
  return async (delivery) => {
    const ticket = delivery.data;
    const log = services.log.child({ run: ticket.uid, job: delivery.name, workspace: ticket.workspace });
    try {
      const run = await inTenant(services.orm, ticket, (em) =>
        startRun(em, ticket.uid, services.clock.now()),
      );
      if (!run) return log.info('run had ended before');
      if (run.attempts > STARTS_MAX)
        throw new Error(`the run was started ${STARTS_MAX} times and never ended`);
      log.info({ attempt: run.attempts, request_id: run.requestId }, 'run started');
      await compute(services, ticket, run, log);
    } catch (error) {
      const last = delivery.attemptsMade + 1 >= (services.kinds[delivery.name]?.job.attempts ?? 1);
      if (isTransient(error) && !last) {
        log.warn({ err: error }, 'run will be tried again');
        throw error;
      }
      log.error({ err: error }, 'run failed unexpectedly');
      await end(services, ticket, {
        code: 'internal_error',
        detail: 'The run ended with an unexpected error.',
        members: {},
      });
      throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
    }
  };
}

async function compute(services: WorkerServices, ticket: Ticket, run: Run, log: Log): Promise<void> {
  const kind = services.kinds[run.kind];
  if (!kind) throw new Error(`no job is declared under ${run.kind}`);
  const { job, load } = kind;
  const started = performance.now();
  const data = await inTenant(services.orm, ticket, (em) =>
    load(em, { input: run.input, datasetRevisions: run.datasetRevisions }),
  );
  const loaded = performance.now();
  const thread = services.threads.run(run.kind, run.input, data);
  const outcome = await supervise(services, ticket, job, thread);
  const timing = { load_ms: loaded - started, compute_ms: performance.now() - loaded };
  if (outcome === 'cancelled') return log.info(timing, 'run was cancelled');
  if (outcome === 'timed_out') {
    const detail = `The run did not end within its limit of ${job.timeoutMs / 1_000} s.`;
    await end(services, ticket, { code: 'time_limit_exceeded', detail, members: {} });
    return log.warn(timing, 'run timed out');
  }
  if (!outcome.ok) {
    const { code, detail, members } = outcome.refusal;
    await end(services, ticket, storedProblem(new Problem(code, detail, { members: members ?? {} })));
    return log.info({ ...timing, code }, 'run refused');
  }
  await sealRun(services, ticket, run, job, outcome);
  log.info(timing, 'run sealed');
}

/** Waits for the computation while it tells its progress, can be cancelled, and has its time limit. */
async function supervise(
  services: WorkerServices,
  ticket: Ticket,
  job: Job,
  thread: ThreadRun,
): Promise<Outcome<Job> | 'cancelled' | 'timed_out'> {
  let ended: 'cancelled' | 'timed_out' | undefined;
  const stop = (reason: 'cancelled' | 'timed_out') => {
    ended ??= reason;
    thread.cancel();
  };
  const limit = setTimeout(() => stop('timed_out'), job.timeoutMs);
  const forget = services.cancellations.once(ticket.uid, () => stop('cancelled'));
  let told = 0;
  // A notice can be missed, so each beat also asks whether the run is still wanted.
  const beat = setInterval(() => {
    const progress = thread.progress() === told ? undefined : (told = thread.progress());
    inTenant(services.orm, ticket, (em) => noteProgress(em, ticket.uid, progress)).then(
      (running) => running || stop('cancelled'),
      (error: unknown) => services.log.warn({ err: error, run: ticket.uid }, 'progress was not noted'),
    );
  }, BEAT_MS);
  try {
    const outcome = await thread.outcome;
    return ended ?? outcome;
  } catch (error) {
    if (ended) return ended;
    throw error;
  } finally {
    clearTimeout(limit);
    clearInterval(beat);
    forget();
  }
}

async function sealRun(
  services: WorkerServices,
  ticket: Ticket,
  run: Run,
  job: Job,
  outcome: Extract<Outcome<Job>, { ok: true }>,
): Promise<void> {
  check(services.ajv, job.output, outcome.output);
  const now = services.clock.now();
  const sealed = sealOutcome(run, outcome, now);
  const admitted = await inTenant(services.orm, ticket, (em) => succeedRun(em, ticket.uid, sealed, now));
  await handOver(services.queues, admitted, services.log);
}

/** The sealed form of an outcome: the covered members, their seal, and what is kept beside them. */
export function sealOutcome(run: Run, outcome: Extract<Outcome<Job>, { ok: true }>, now: Date) {
  const attachments = outcome.attachments as Record<string, unknown>;
  const members: Record<string, unknown> = {
    kind: run.kind,
    model: { key: run.modelKey, version: run.modelVersion },
    input: run.input,
    ...(outcome.output as Record<string, unknown>),
    attachment_hashes: Object.fromEntries(
      Object.entries(attachments).map(([name, value]) => [name, canonicalHash(value)]),
    ),
  };
  const sealOfMembers = seal(members, now);
  return { members, resultHash: sealOfMembers.member_hashes['result']!, seal: sealOfMembers, attachments };
}

function check(ajv: Ajv2020, schema: object, value: unknown): void {
  const valid: ValidateFunction = ajv.compile(schema);
  if (!valid(value)) {
    const [first] = valid.errors!;
    throw new Error(
      `the run's output does not fit its declaration: ${first!.instancePath} ${first!.message}`,
    );
  }
}

async function end(services: WorkerServices, ticket: Ticket, problem: StoredProblem): Promise<void> {
  const now = services.clock.now();
  const admitted = await inTenant(services.orm, ticket, (em) => failRun(em, ticket.uid, problem, now));
  await handOver(services.queues, admitted, services.log);
}
