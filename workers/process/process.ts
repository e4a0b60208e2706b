import { SpanKind } from '@opentelemetry/api';
import { UnrecoverableError, WaitingChildrenError } from 'bullmq';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { AttachmentsOf, RunKind } from '#lib/core/run.ts';
import { seal } from '#lib/core/seal.ts';
import { carriedTrace, withSpan } from '#lib/core/tracing.ts';
import { inOneStatement, inTenant } from '#lib/database/orm.ts';
import type { StatementEm } from '#lib/database/base.ts';
import { isTransient } from '#lib/database/transient.ts';
import type { Ticket, TicketDelivery, TicketProcessor } from '#lib/pipeline/queue.ts';
import { keepMatrix } from '#lib/pipeline/run-matrix.write.ts';
import { runOfPart } from '#lib/pipeline/run-part.write.ts';
import { headlineOf } from '#lib/pipeline/headline.ts';
import { startRun, succeedRun, type StartedRun } from '#lib/pipeline/run.write.ts';
import { endRun, endUnsuccessful, followEnd } from './end-run.ts';
import { attachmentsText, type FormedSuccess } from './formed-outcome.ts';
import { createRunCache, type RunCache } from './run-cache.ts';
import { attemptDivided, isDividedRun, partOf, type Computed } from './divided.ts';
import { closeReport, phase, startReport, type JobOutcome, type Report } from './attempt-report.ts';
import type { Runner } from './runner.ts';
import { supervise } from './supervise.ts';
import type { WorkerServices } from './worker-services.ts';

/** The maximum number of starts of a run. A run that crashes its worker at each start is then failed. */
const STARTS_MAX = 25;

/**
 * Creates the processor of all queues: it reads the record of a run, computes the run in a thread, seals the result and
 * ends the record. Deliveries may repeat: a run that has ended is not changed, and if two deliveries end the same run,
 * only the first end is written.
 */
export function createProcessor(services: WorkerServices): TicketProcessor {
  const cache = createRunCache();
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
        let runner: Runner | undefined;
        try {
          runner = await runnerOf(services, kind);
          report.outcome = await attempt(services, { delivery, token, report, cache, runner });
          return report.outcome;
        } catch (error) {
          report.error = error;
          const last = delivery.attemptsMade + 1 >= (runner?.run.attempts ?? 1);
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

type Attempt = {
  delivery: TicketDelivery;
  token: string;
  report: Report;
  cache: RunCache;
  runner: Runner | undefined;
};

/**
 * Makes one attempt at a run, or at one of its parts: reads the record, loads the data, computes, and stores the
 * outcome. An attempt at a divided run queues the parts of its next round. The last attempt combines all parts.
 */
async function attempt(services: WorkerServices, given: Attempt): Promise<JobOutcome> {
  const { delivery, report, cache, runner: kind } = given;
  const { name: key, data: ticket } = delivery;
  const run = await takeUp(services, ticket);
  if (!run) {
    cache.forget(ticket.uid);
    return 'ended_before';
  }
  report.attempt = run.attempts;
  report.requestId = run.requestId;
  if (run.attempts > STARTS_MAX) throw new Error(`the run was started ${STARTS_MAX} times and never ended`);
  if (!kind) throw new Error(`the kind of run ${key} does not exist`);
  const { uid, modelKey, input, datasetRevisions } = run;
  const load = () =>
    inTenant(services.orm, ticket, (em) => kind.load(em, { uid, modelKey, input, datasetRevisions }));
  if (isDividedRun(services, kind, run, ticket)) {
    const ended = await attemptDivided(services, { ...given, kind, run, load });
    return typeof ended === 'string'
      ? ended
      : phase(report, 'seal', () =>
          sealRun(services, ticket, { run, kept: ended.kept }, kind, ended.outcome),
        );
  }
  const { timeoutMs } = kind.run;
  const data = await phase(report, 'load', load);
  const outcome = await phase(report, 'compute', () =>
    supervise(services, ticket, timeoutMs, services.threads.run(kind.compute, input, data)),
  );
  if (typeof outcome === 'string' || !outcome.ok)
    return endUnsuccessful(services, ticket, { outcome, timeoutMs, report });
  if ('part' in outcome)
    throw new Error('the computation returned a part of the result instead of the whole result');
  const { matrix } = outcome;
  if (matrix === 'parts') throw new Error('the parts of a run that is not divided cannot be stored');
  const kept = matrix && keepMatrix(matrix);
  return phase(report, 'seal', () => sealRun(services, ticket, { run, kept }, kind, outcome));
}

/** Returns the code that runs a kind of work, or undefined if this worker does not run it. */
async function runnerOf({ runners }: WorkerServices, key: string): Promise<Runner | undefined> {
  return Object.hasOwn(runners, key) ? (await runners[key]!()).default : undefined;
}

/**
 * Marks the record of a run as started. For a part of a run, checks that the run is started. Returns
 * undefined if no work is left.
 */
function takeUp({ orm, clock }: WorkerServices, ticket: Ticket): Promise<StartedRun | undefined> {
  const part = partOf(ticket);
  return part
    ? inTenant(orm, ticket, (em) => runOfPart(em, ticket.uid, part))
    : inOneStatement(orm, ticket, (em) => startRun(em, ticket.uid, clock.now()));
}

async function sealRun(
  services: WorkerServices,
  ticket: Ticket,
  { run, kept }: { run: StartedRun; kept: Computed['kept'] },
  kind: Runner,
  outcome: FormedSuccess,
): Promise<JobOutcome> {
  check(services.ajv, kind.run.output, outcome.output);
  const now = services.clock.now();
  const sealed = sealOutcome(run, outcome, now);
  const headline = headlineOf(kind.run, sealed.members);
  const { orm } = services;
  const { record } = kind;
  const succeed = (em: StatementEm) => succeedRun(em, ticket.uid, { ...sealed, headline }, now, kept);
  const lane = record
    ? await inTenant(orm, ticket, async (em) => {
        const ended = await succeed(em);
        const { uid, input } = run;
        const { output } = outcome;
        const attachments = () => JSON.parse(sealed.attachments) as AttachmentsOf<RunKind>;
        if (ended) await record(em, { uid, input, output, attachments, sealHash: sealed.seal.hash, now });
        return ended;
      })
    : await inOneStatement(orm, ticket, succeed);
  if (!lane) return 'ended_before';
  await followEnd(services, ticket, lane);
  services.metrics.seals.inc({ kind: run.kind });
  return 'sealed';
}

/** Returns the sealed form of an outcome: the covered members, their seal, and the JSON of the attachments. */
export function sealOutcome(
  run: Pick<StartedRun, 'kind' | 'modelKey' | 'modelVersion' | 'input'>,
  outcome: FormedSuccess,
  now: Date,
) {
  const { attachments } = outcome;
  const members: Record<string, unknown> = {
    kind: run.kind,
    model: { key: run.modelKey, version: run.modelVersion },
    input: run.input,
    ...(outcome.output as Record<string, unknown>),
    attachment_hashes: Object.fromEntries(
      Object.entries(attachments).map(([name, { hash }]) => [name, hash]),
    ),
  };
  const sealOfMembers = seal(members, now);
  const resultHash = sealOfMembers.member_hashes['result']!;
  return { members, resultHash, seal: sealOfMembers, attachments: attachmentsText(attachments) };
}

function check(ajv: Ajv2020, schema: object, value: unknown): void {
  const valid: ValidateFunction = ajv.compile(schema);
  if (!valid(value)) {
    const [first] = valid.errors!;
    throw new Error(
      `the run's output does not match its declaration: ${first!.instancePath} ${first!.message}`,
    );
  }
}
