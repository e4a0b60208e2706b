import { SpanKind } from '@opentelemetry/api';
import { UnrecoverableError, WaitingChildrenError } from 'bullmq';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { RunKind, Outcome } from '#lib/core/run.ts';
import { canonicalHash, seal } from '#lib/core/seal.ts';
import { carriedTrace, withSpan } from '#lib/core/tracing.ts';
import { inTenant } from '#lib/database/orm.ts';
import { isTransient } from '#lib/database/transient.ts';
import { handOver, type Ticket, type TicketDelivery, type TicketProcessor } from '#lib/pipeline/queue.ts';
import { keepMatrix, keepParts } from '#lib/pipeline/run-matrix.repository.ts';
import { readParts } from '#lib/pipeline/run-part.repository.ts';
import { startRun, succeedRun, type StartedRun } from '#lib/pipeline/run.repository.ts';
import { endRun, endUnsuccessful } from './end-run.ts';
import { computePart, handOutParts } from './parts.ts';
import { closeReport, phase, startReport, type JobOutcome, type Report } from './report.ts';
import type { Kinds } from './runner.ts';
import { supervise } from './supervise.ts';
import type { WorkerServices } from './worker-services.ts';

/** A run that takes its worker down each time is given up after so many starts, whatever ended them. */
const STARTS_MAX = 25;

/**
 * The one processor of all queues: takes the record of a run, computes it in a thread, seals, and ends the record.
 * Deliveries may repeat: a run that has ended is left as it is, and only one of two ends is written.
 */
export function createProcessor(services: WorkerServices): TicketProcessor {
  return async (delivery, token = '') => {
    const ticket = delivery.data;
    const kind = delivery.name;
    const attributes = { 'assay.run': ticket.uid, 'assay.kind': kind };
    const parent = carriedTrace(ticket.trace);
    const outcome = await withSpan(
      `job ${kind}`,
      { kind: SpanKind.CONSUMER, attributes, parent },
      async (span) => {
        const report = startReport(services, kind, ticket);
        try {
          report.outcome = await attempt(services, delivery, token, report);
          return report.outcome;
        } catch (error) {
          report.error = error;
          const last = delivery.attemptsMade + 1 >= (services.kinds[kind]?.job.attempts ?? 1);
          if (isTransient(error) && !last) {
            report.outcome = 'retried';
            throw error;
          }
          await endRun(services, ticket, {
            code: 'internal_error',
            detail: 'The run ended with an unexpected error.',
            members: {},
          });
          throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
        } finally {
          span.setAttribute('assay.outcome', report.outcome);
          closeReport(services, report);
        }
      },
    );
    // The queue delivers the run again when its parts are done.
    if (outcome === 'divided') throw new WaitingChildrenError();
  };
}

async function attempt(
  services: WorkerServices,
  delivery: TicketDelivery,
  token: string,
  report: Report,
): Promise<JobOutcome> {
  const { name: key, data: ticket } = delivery;
  if (ticket.part) return computePart(services, delivery, ticket.part, report);
  const run = await inTenant(services.orm, ticket, (em) => startRun(em, ticket.uid, services.clock.now()));
  if (!run) return 'ended_before';
  report.attempt = run.attempts;
  report.requestId = run.requestId;
  if (run.attempts > STARTS_MAX) throw new Error(`the run was started ${STARTS_MAX} times and never ended`);
  const kind = services.kinds[key];
  if (!kind) throw new Error(`no job is declared under ${key}`);
  const parts = kind.parts?.(run.input) ?? [];
  if (parts.length > 0 && (await handOutParts(services, delivery, { token, parts }))) return 'divided';
  const { data, drawn } = await phase(report, 'load', () =>
    inTenant(services.orm, ticket, async (em) => ({
      data: await kind.load(em, { uid: run.uid, input: run.input, datasetRevisions: run.datasetRevisions }),
      drawn: parts.length > 0 ? await readParts(em, ticket.uid, parts) : undefined,
    })),
  );
  const { timeoutMs } = kind.job;
  const outcome = await phase(report, 'compute', () =>
    supervise(services, ticket, timeoutMs, services.threads.run(key, run.input, data, { drawn })),
  );
  if (typeof outcome === 'string' || !outcome.ok)
    return endUnsuccessful(services, ticket, { outcome, timeoutMs, report });
  const { matrix } = outcome;
  const kept = parts.length > 0 ? keepParts(parts) : matrix && keepMatrix(matrix);
  return phase(report, 'seal', () => sealRun(services, ticket, { run, kept }, kind, outcome));
}

async function sealRun(
  services: WorkerServices,
  ticket: Ticket,
  { run, kept }: { run: StartedRun; kept: ReturnType<typeof keepMatrix> | undefined },
  { job, record }: Kinds[string],
  outcome: Extract<Outcome<RunKind>, { ok: true }>,
): Promise<JobOutcome> {
  check(services.ajv, job.output, outcome.output);
  const now = services.clock.now();
  const sealed = sealOutcome(run, outcome, now);
  const admitted = await inTenant(services.orm, ticket, async (em) => {
    const ended = await succeedRun(em, ticket.uid, sealed, now, kept);
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
  outcome: Extract<Outcome<RunKind>, { ok: true }>,
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
