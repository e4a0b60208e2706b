import type { Part } from '#lib/core/run.ts';
import { inTenant } from '#lib/database/orm.ts';
import { enqueueParts, type TicketDelivery } from '#lib/pipeline/queue.ts';
import { keepPart, missingParts, runOfPart, uncountAttempt } from '#lib/pipeline/run-part.repository.ts';
import { endUnsuccessful } from './end-run.ts';
import { phase, type JobOutcome, type Report } from './report.ts';
import { supervise } from './supervise.ts';
import type { WorkerServices } from './worker-services.ts';

/**
 * Hands the parts that are not there yet to the queue, whence any worker takes them, and lets the delivery at hand wait
 * until they are done. False when all are there. When the queue is away, the scheduler dispatches the run again.
 */
export async function handOutParts(
  { orm, queues, kinds, log }: WorkerServices,
  delivery: TicketDelivery,
  { token, parts }: { token: string; parts: readonly Part[] },
): Promise<boolean> {
  const { data: ticket, name } = delivery;
  const missing = () => inTenant(orm, ticket, (em) => missingParts(em, ticket.uid, parts));
  let wanted = await missing();
  if (wanted.length === 0) return false;
  try {
    await enqueueParts(queues[kinds[name]!.job.queue]!, delivery, wanted);
    while (!(await delivery.moveToWaitingChildren(token))) {
      wanted = await missing();
      if (wanted.length === 0) return false;
      await enqueueParts(queues[kinds[name]!.job.queue]!, delivery, wanted);
    }
  } catch (error) {
    log.warn({ err: error, run: ticket.uid }, 'queue is away; the scheduler will dispatch the run');
    return true;
  }
  // Only the first time: a run whose parts are given up for lost again and again must come to its end.
  if (delivery.attemptsStarted === 1) await inTenant(orm, ticket, (em) => uncountAttempt(em, ticket.uid));
  return true;
}

/** Computes one part of a run and keeps it for whoever puts the parts together. What ends it ends the run. */
export async function computePart(
  services: WorkerServices,
  { name, data: ticket }: TicketDelivery,
  part: Part,
  report: Report,
): Promise<JobOutcome> {
  const run = await inTenant(services.orm, ticket, (em) => runOfPart(em, ticket.uid, part));
  if (!run) return 'ended_before';
  report.attempt = run.attempts;
  report.requestId = run.requestId;
  const kind = services.kinds[name];
  if (!kind?.parts) throw new Error(`no job is declared in parts under ${name}`);
  const { input, datasetRevisions } = run;
  const data = await phase(report, 'load', () =>
    inTenant(services.orm, ticket, (em) => kind.load(em, { uid: run.uid, input, datasetRevisions })),
  );
  const { timeoutMs } = kind.job;
  const leftMs = Math.max(0, run.startedAt.getTime() + timeoutMs - services.clock.now().getTime());
  const outcome = await phase(report, 'compute', () =>
    // How far the run has come is told part by part.
    supervise(services, ticket, leftMs, {
      ...services.threads.run(name, input, data, { part }),
      progress: () => 0,
    }),
  );
  if (typeof outcome === 'string' || !outcome.ok)
    return endUnsuccessful(services, ticket, { outcome, timeoutMs, report });
  const samples = samplesOf(kind.parts(input));
  const content = outcome.matrix!;
  await phase(report, 'keep', () =>
    inTenant(services.orm, ticket, (em) => keepPart(em, ticket.uid, { part, content, samples })),
  );
  return 'kept';
}

function samplesOf(parts: readonly Part[]): number {
  return parts.reduce((total, { count }) => total + count, 0);
}
