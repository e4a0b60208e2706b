import { SpanKind } from '@opentelemetry/api';
import { UnrecoverableError } from 'bullmq';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { Clock } from '#lib/core/clock.ts';
import type { Job, Outcome, QueueName } from '#lib/core/job.ts';
import type { Log } from '#lib/core/log.ts';
import { Problem, storedProblem, type StoredProblem } from '#lib/core/problem.ts';
import { canonicalHash, seal } from '#lib/core/seal.ts';
import { carriedTrace, withSpan } from '#lib/core/tracing.ts';
import { inTenant, type Orm } from '#lib/database/orm.ts';
import type { Metrics } from '#lib/ops/metrics.ts';
import { isTransient } from '#lib/database/transient.ts';
import type { Notices } from '#lib/pipeline/notices.ts';
import { handOver, type Ticket, type TicketProcessor, type TicketQueue } from '#lib/pipeline/queue.ts';
import {
  failRun,
  noteProgress,
  startRun,
  succeedRun,
  type StartedRun,
} from '#lib/pipeline/run.repository.ts';
import { closeReport, phase, startReport, type JobOutcome, type Report } from './report.ts';
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
  metrics: Metrics;
};

/**
 * The one processor of all queues: takes the record of a run, computes it in a thread, seals, and ends the record.
 * Deliveries may repeat: a run that has ended is left as it is, and only one of two ends is written.
 */
export function createProcessor(services: WorkerServices): TicketProcessor {
  return (delivery) => {
    const ticket = delivery.data;
    const kind = delivery.name;
    const attributes = { 'assay.run': ticket.uid, 'assay.kind': kind };
    const parent = carriedTrace(ticket.trace);
    return withSpan(`job ${kind}`, { kind: SpanKind.CONSUMER, attributes, parent }, async (span) => {
      const report = startReport(services, kind, ticket);
      try {
        report.outcome = await attempt(services, kind, ticket, report);
      } catch (error) {
        report.error = error;
        const last = delivery.attemptsMade + 1 >= (services.kinds[kind]?.job.attempts ?? 1);
        if (isTransient(error) && !last) {
          report.outcome = 'retried';
          throw error;
        }
        await end(services, ticket, {
          code: 'internal_error',
          detail: 'The run ended with an unexpected error.',
          members: {},
        });
        throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
      } finally {
        span.setAttribute('assay.outcome', report.outcome);
        closeReport(services, report);
      }
    });
  };
}

async function attempt(
  services: WorkerServices,
  key: string,
  ticket: Ticket,
  report: Report,
): Promise<JobOutcome> {
  const run = await inTenant(services.orm, ticket, (em) => startRun(em, ticket.uid, services.clock.now()));
  if (!run) return 'ended_before';
  report.attempt = run.attempts;
  report.requestId = run.requestId;
  if (run.attempts > STARTS_MAX) throw new Error(`the run was started ${STARTS_MAX} times and never ended`);
  const kind = services.kinds[key];
  if (!kind) throw new Error(`no job is declared under ${key}`);
  const data = await phase(report, 'load', () =>
    inTenant(services.orm, ticket, (em) =>
      kind.load(em, { uid: run.uid, input: run.input, datasetRevisions: run.datasetRevisions }),
    ),
  );
  const outcome = await phase(report, 'compute', () =>
    supervise(services, ticket, kind.job, services.threads.run(key, run.input, data)),
  );
  if (outcome === 'cancelled') return 'cancelled';
  if (outcome === 'timed_out') {
    const detail = `The run did not end within its limit of ${kind.job.timeoutMs / 1_000} s.`;
    await end(services, ticket, { code: 'time_limit_exceeded', detail, members: {} });
    return 'timed_out';
  }
  if (!outcome.ok) {
    const { code, detail, members } = outcome.refusal;
    report.code = code;
    await end(services, ticket, storedProblem(new Problem(code, detail, { members: members ?? {} })));
    return 'refused';
  }
  return phase(report, 'seal', () => sealRun(services, ticket, run, kind, outcome));
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
  run: StartedRun,
  { job, record }: Kinds[string],
  outcome: Extract<Outcome<Job>, { ok: true }>,
): Promise<JobOutcome> {
  check(services.ajv, job.output, outcome.output);
  const now = services.clock.now();
  const sealed = sealOutcome(run, outcome, now);
  const admitted = await inTenant(services.orm, ticket, async (em) => {
    const ended = await succeedRun(em, ticket.uid, sealed, now, outcome.matrix);
    const { input } = run;
    if (ended && record)
      await record(em, { uid: ticket.uid, input, output: outcome.output, sealHash: sealed.seal.hash, now });
    return ended;
  });
  if (!admitted) return 'ended_before';
  await handOver(services.queues, admitted, services.log);
  services.metrics.seals.inc({ kind: run.kind });
  return 'sealed';
}

/** The sealed form of an outcome: the covered members, their seal, and what is kept beside them. */
export function sealOutcome(
  run: Pick<StartedRun, 'kind' | 'modelKey' | 'modelVersion' | 'input'>,
  outcome: Extract<Outcome<Job>, { ok: true }>,
  now: Date,
) {
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
