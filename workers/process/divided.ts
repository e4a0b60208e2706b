import { hostname } from 'node:os';
import { checkWidth, PART_BYTES_MAX, PROGRESS_OF_PARTS } from '#lib/core/rounds.ts';
import type { Part } from '#lib/core/run.ts';
import { inTenant } from '#lib/database/orm.ts';
import { coverOf } from '#lib/pipeline/part-cover.ts';
import type { Ticket } from '#lib/pipeline/queue.ts';
import { keepMatrix, keepParts } from '#lib/pipeline/run-matrix.write.ts';
import { keepPart, notePartProgress } from '#lib/pipeline/run-part.write.ts';
import { storedParts } from '#lib/pipeline/stored-part.query.ts';
import { noteProgress, type StartedRun } from '#lib/pipeline/run.write.ts';
import { phase, type JobOutcome } from './attempt-report.ts';
import { endUnsuccessful } from './end-run.ts';
import type { FormedSuccess } from './formed-outcome.ts';
import { noNumbers, numbersBefore, readNumbers } from './round-numbers.ts';
import type { Divided, Runner } from './runner.ts';
import { leftMs, walkStoredRounds, type DividedAttempt } from './stored-rounds.ts';
import { supervise, type NoteProgress } from './supervise.ts';
import type { ThreadRun } from './threads.ts';
import type { WorkerServices } from './worker-services.ts';

/** A result to seal, and the SQL that stores its matrix. */
export type Computed = {
  outcome: FormedSuccess;
  kept: ReturnType<typeof keepMatrix> | undefined;
};

/** The name of this worker: its host and process. */
const WORKER = `${hostname()} ${process.pid}`;

const NONE = new Float64Array(0);

/**
 * Returns the part that a queue job computes; undefined if the job computes the run. Jobs of earlier releases have
 * parts without a round, because their runs have one round.
 */
export function partOf({ part }: Ticket): Part | undefined {
  return part && { ...part, round: part.round ?? 0 };
}

/** Whether a run is computed in parts. A process without the queue of the run computes the run in one thread. */
export function isDividedRun(
  { queues }: WorkerServices,
  { run: { queue }, divide, isDivided }: Runner,
  { input }: StartedRun,
  { part }: Ticket,
): boolean {
  if (part !== undefined) return true;
  if (!divide || !queues[queue]) return false;
  return isDivided ? isDivided(input) : divide(input, 0, NONE) !== null;
}

/**
 * Computes one part of a run and stores it, or queues the parts of the next round. When all rounds are computed,
 * combines their numbers and returns the result to seal.
 */
export async function attemptDivided(
  services: WorkerServices,
  attempt: DividedAttempt,
): Promise<JobOutcome | Computed> {
  const part = partOf(attempt.delivery.data);
  const ended = await (part ? attemptPart(services, attempt, part) : attemptWhole(services, attempt));
  const isOpen = ended === 'divided' || ended === 'kept' || ended === 'orphaned';
  if (!isOpen) attempt.cache.forget(attempt.run.uid);
  return ended;
}

async function attemptPart(
  services: WorkerServices,
  attempt: DividedAttempt,
  part: Part,
): Promise<JobOutcome> {
  const { delivery, report, cache, kind, run } = attempt;
  const ticket = delivery.data;
  const startedAt = services.clock.now();
  const roundFirst = ticket.roundFirst ?? 0;
  const numbers = await phase(report, 'load', async () => {
    if (part.round === 0) return noNumbers;
    const known = cache.numbers(run.uid) ?? noNumbers;
    return inTenant(services.orm, ticket, (em) => readNumbers(em, run.uid, { known, to: roundFirst }));
  });
  if (!numbers) return 'orphaned';
  if (part.round > 0) cache.keepNumbers(run.uid, numbers);
  const divided = { part, before: numbersBefore(numbers, roundFirst) };
  const samples = kind.rounds?.samples(run.input) ?? samplesOf(kind.divide!(run.input, 0, NONE)!);
  const outcome = await compute(services, attempt, divided, {
    note: (em, share) =>
      share === undefined
        ? noteProgress(em, run.uid, undefined)
        : notePartProgress(em, run.uid, { count: part.count * share, samples }),
  });
  if (typeof outcome === 'string' || !outcome.ok)
    return endUnsuccessful(services, ticket, { outcome, timeoutMs: kind.run.timeoutMs, report });
  if (!('part' in outcome)) throw new Error('the computation of a part returned a whole result');
  const content = outcome.part;
  checkPart(content, part);
  const times = {
    queuedAt: new Date(delivery.timestamp),
    startedAt,
    endedAt: services.clock.now(),
    worker: WORKER,
  };
  const kept = { part, content, samples, times };
  await phase(report, 'keep', () => inTenant(services.orm, ticket, (em) => keepPart(em, run.uid, kept)));
  return 'kept';
}

async function attemptWhole(
  services: WorkerServices,
  attempt: DividedAttempt,
): Promise<JobOutcome | Computed> {
  const { delivery, report, kind, run } = attempt;
  const ticket = delivery.data;
  const { timeoutMs } = kind.run;
  const walked = await walkStoredRounds(services, attempt);
  if (walked === 'divided') return walked;
  if ('ended' in walked)
    return endUnsuccessful(services, ticket, { outcome: walked.ended, timeoutMs, report });
  const { numbers } = walked;
  const merging = { drawn: numbersBefore(numbers, numbers.samples) };
  const progress = (share: number) => PROGRESS_OF_PARTS + (1 - PROGRESS_OF_PARTS) * share;
  const outcome = await compute(services, attempt, merging, { progress });
  if (typeof outcome === 'string' || !outcome.ok)
    return endUnsuccessful(services, ticket, { outcome, timeoutMs, report });
  if ('part' in outcome) throw new Error('the computation returned a part instead of the whole result');
  const { matrix } = outcome;
  if (matrix !== 'parts') return { outcome, kept: matrix && keepMatrix(matrix) };
  const parts = await inTenant(services.orm, ticket, (em) => storedParts(em, run.uid, 0));
  return { outcome, kept: keepParts(coverOf(parts, 0, numbers.samples) ?? []) };
}

/**
 * Computes in a thread, from the data of the run in the cache. `progress` converts the progress of the thread to the
 * progress of the run. `note`, if given, records the progress.
 */
async function compute(
  services: WorkerServices,
  attempt: DividedAttempt,
  divided: Divided,
  { progress = (share) => share, note }: { progress?: (share: number) => number; note?: NoteProgress },
) {
  const { delivery, report, cache, kind, run, load } = attempt;
  const data = await phase(report, 'load', () => cache.data(run.uid, load));
  return phase(report, 'compute', () => {
    const thread: ThreadRun = services.threads.run(kind.compute, run.input, data, {
      ...divided,
      uid: run.uid,
    });
    const shown = { ...thread, progress: () => progress(thread.progress()) };
    return supervise(services, delivery.data, leftMs(services, attempt), shown, note);
  });
}

function checkPart({ byteLength }: Uint8Array, part: Part): void {
  if (byteLength > PART_BYTES_MAX)
    throw new Error(`the part from sample ${part.first} on is larger than ${PART_BYTES_MAX} bytes`);
  const length = byteLength / Float64Array.BYTES_PER_ELEMENT;
  checkWidth(length, part, length / part.count);
}

function samplesOf(parts: readonly Part[]): number {
  return parts.reduce((total, { count }) => total + count, 0);
}
