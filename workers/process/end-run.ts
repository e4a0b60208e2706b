import { Problem, storedProblem, type StoredProblem } from '#lib/core/problem.ts';
import type { RunKind, Outcome } from '#lib/core/run.ts';
import { inOneStatement, inTenant } from '#lib/database/orm.ts';
import { admitWaiting, type Lane } from '#lib/pipeline/admission.query.ts';
import { channels } from '#lib/pipeline/notices.ts';
import { enqueueAdmitted, type Ticket } from '#lib/pipeline/queue.ts';
import { failRun } from '#lib/pipeline/run.write.ts';
import type { JobOutcome, Report } from './attempt-report.ts';
import type { WorkerServices } from './worker-services.ts';

/** The ways that an attempt ends without a result. */
export type Unsuccessful = Extract<Outcome<RunKind>, { ok: false }> | 'cancelled' | 'timed_out';

/** Ends a run whose computation gave no result. Does nothing for a cancelled run, which has already ended. */
export async function endUnsuccessful(
  services: WorkerServices,
  ticket: Ticket,
  { outcome, timeoutMs, report }: { outcome: Unsuccessful; timeoutMs: number; report: Report },
): Promise<JobOutcome> {
  if (outcome === 'cancelled') return 'cancelled';
  if (outcome === 'timed_out') {
    const detail = `The run did not end within its limit of ${timeoutMs / 1_000} s.`;
    await endRun(services, ticket, { code: 'time_limit_exceeded', detail, members: {} });
    return 'timed_out';
  }
  const { code, detail, members } = outcome.refusal;
  report.code = code;
  await endRun(services, ticket, storedProblem(new Problem(code, detail, { members: members ?? {} })));
  return 'refused';
}

/** Ends a run with a problem, and dispatches the runs that can now be admitted. */
export async function endRun(
  services: WorkerServices,
  ticket: Ticket,
  problem: StoredProblem,
): Promise<void> {
  const now = services.clock.now();
  const lane = await inTenant(services.orm, ticket, (em) => failRun(em, ticket.uid, problem, now));
  if (lane) await followEnd(services, ticket, lane);
}

/**
 * Announces the committed end of a run, and admits and dispatches the runs that waited for its place. Does not throw: if
 * the database fails, callers that wait find the end themselves, and the scheduler admits the runs.
 */
export async function followEnd(
  { orm, queues, log }: WorkerServices,
  ticket: Ticket,
  lane: Lane,
): Promise<void> {
  const ended = { uid: ticket.uid, channels: [channels.ended] };
  try {
    const admitted = await inOneStatement(orm, ticket, (em) => admitWaiting(em, lane, ended), {
      waitsForDisk: false,
    });
    await enqueueAdmitted(queues, admitted, log);
  } catch (error) {
    log.warn({ err: error, run: ticket.uid }, 'the end of the run was not announced');
  }
}
