import { roundsMax, samplesOfRound } from '#lib/core/rounds.ts';
import type { Part } from '#lib/core/run.ts';
import { inTenant } from '#lib/database/orm.ts';
import { missingParts } from '#lib/pipeline/part-cover.ts';
import { enqueueParts, type TicketDelivery } from '#lib/pipeline/queue.ts';
import { noteRound, uncountAttempt } from '#lib/pipeline/run-part.write.ts';
import type { StartedRun } from '#lib/pipeline/run.write.ts';
import { storedParts } from '#lib/pipeline/stored-part.query.ts';
import { phase, type Report } from './attempt-report.ts';
import { noNumbers, numbersBefore, readNumbers, type RoundNumbers } from './round-numbers.ts';
import type { RunCache } from './run-cache.ts';
import type { Runner } from './runner.ts';
import { supervise } from './supervise.ts';
import type { WorkerServices } from './worker-services.ts';

/** One delivery of a divided run or of one of its parts. */
export type DividedAttempt = {
  delivery: TicketDelivery;
  token: string;
  report: Report;
  cache: RunCache;
  kind: Runner;
  run: StartedRun;
  /** Reads the data of the computation. */
  load: () => Promise<unknown>;
};

/**
 * A round whose preceding rounds are all computed. `first`: its first sample; `parts`: null if the run has no such
 * round.
 */
type NextRound = { round: number; first: number; numbers: RoundNumbers };

/**
 * Walks the rounds of a run from the last one that was queued. Queues the parts that are not computed yet, for any
 * worker, and returns `divided`: the delivery waits until these parts are computed. Returns the numbers of all rounds
 * if they are computed, or how the run ended while a round was divided.
 */
export async function walkStoredRounds(
  services: WorkerServices,
  attempt: DividedAttempt,
): Promise<'divided' | { ended: 'cancelled' | 'timed_out' } | { numbers: RoundNumbers }> {
  const { cache, kind, run } = attempt;
  let at = await lastRound(services, attempt);
  while (at.round < roundsMax(kind)) {
    const parts = await divideRound(services, attempt, at);
    if (typeof parts === 'string') return { ended: parts };
    if (parts === null) break;
    const samples = samplesOfRound(parts, at);
    if (await enqueueRound(services, attempt, { ...at, parts })) return 'divided';
    const first = at.first + samples;
    const numbers = await numbersUpTo(services, attempt, first);
    // If the numbers are missing, parts were lost after the check, so the round is checked again.
    if (numbers) at = { round: at.round + 1, first, numbers };
    if (numbers && roundsMax(kind) > 1) cache.keepNumbers(run.uid, numbers);
  }
  return { numbers: at.numbers };
}

/**
 * Returns the time that a divided run has left, in milliseconds. All parts and rounds of an attempt share the limit.
 */
export function leftMs(
  { clock }: WorkerServices,
  { kind, run }: Pick<DividedAttempt, 'kind' | 'run'>,
): number {
  return Math.max(0, run.startedAt.getTime() + kind.run.timeoutMs - clock.now().getTime());
}

/** Returns the round that was queued last, or round 0 if parts of earlier rounds are no longer stored. */
async function lastRound(services: WorkerServices, attempt: DividedAttempt): Promise<NextRound> {
  const { round, roundFirst } = attempt.run;
  if (round !== null && roundFirst !== null && round > 0) {
    const numbers = await numbersUpTo(services, attempt, roundFirst);
    if (numbers) return { round, first: roundFirst, numbers };
  }
  return { round: 0, first: 0, numbers: noNumbers };
}

function numbersUpTo(
  { orm }: WorkerServices,
  { delivery, report, cache, run }: DividedAttempt,
  to: number,
): Promise<RoundNumbers | undefined> {
  const known = cache.numbers(run.uid) ?? noNumbers;
  return phase(report, 'load', () =>
    inTenant(orm, delivery.data, (em) => readNumbers(em, run.uid, { known, to })),
  );
}

/**
 * Divides round 0 at once, and a later round in a thread, because the division of a later round may use all numbers of
 * the earlier rounds.
 */
async function divideRound(
  services: WorkerServices,
  attempt: DividedAttempt,
  { round, first, numbers }: NextRound,
): Promise<Part[] | null | 'cancelled' | 'timed_out'> {
  const { delivery, report, kind, run } = attempt;
  const before = numbersBefore(numbers, first);
  if (round === 0) return kind.divide!(run.input, 0, before);
  const divided = await phase(report, 'divide', () => {
    const thread = services.threads.divide(kind.compute, run.input, { round, before });
    return supervise(services, delivery.data, leftMs(services, attempt), { ...thread, progress: () => 0 });
  });
  return typeof divided === 'string' ? divided : divided.parts;
}

/**
 * Queues the parts of a round that are not computed yet, and lets the current delivery wait until they are done.
 * Returns false if all parts are done. If the queue is unreachable, the scheduler dispatches the run again.
 */
async function enqueueRound(
  { orm, queues, log }: WorkerServices,
  { delivery, token, kind }: DividedAttempt,
  { round, first, parts }: { round: number; first: number; parts: readonly Part[] },
): Promise<boolean> {
  const { data: ticket } = delivery;
  const queue = queues[kind.run.queue]!;
  const missing = () =>
    inTenant(orm, ticket, async (em) => missingParts(await storedParts(em, ticket.uid, first), parts));
  let wanted = await missing();
  if (wanted.length === 0) return false;
  const isNew = await inTenant(orm, ticket, (em) => noteRound(em, ticket.uid, { round, first }));
  try {
    await enqueueParts(queue, delivery, { parts: wanted, roundFirst: first });
    while (!(await delivery.moveToWaitingChildren(token))) {
      wanted = await missing();
      if (wanted.length === 0) return false;
      await enqueueParts(queue, delivery, { parts: wanted, roundFirst: first });
    }
  } catch (error) {
    log.warn(
      { err: error, run: ticket.uid },
      'the queue is unreachable; the scheduler will dispatch the run',
    );
    return true;
  }
  // A start that queues a round again is counted, so that a run whose parts are lost repeatedly reaches the maximum
  // number of starts. A start that queues a new round is not counted, and neither is the first start.
  if (isNew || delivery.attemptsStarted === 1)
    await inTenant(orm, ticket, (em) => uncountAttempt(em, ticket.uid));
  return true;
}
