import { FairAdmission, PlainQueue, type AdmissionLimits, type RunQueue } from './admission.ts';
import { Heap } from './heap.ts';

/** A run that a workspace submits. Times in milliseconds since the start of the simulation. */
export type Arrival = { atMs: number; workspace: number; computeMs: number };

/** The work of the database for a run, which takes one of its servers for each step, first in, first out. */
export type DatabaseService = { servers: number; submitMs: number; startMs: number; endMs: number };

export type System = AdmissionLimits & {
  /** The runs that all workers compute at the same time. */
  places: number;
  database?: DatabaseService;
  /** The processors that computations share, each used by one computation at a time. Default: one for each place. */
  processors?: number;
  /** Time from the record of a run until a worker can take it. */
  handOverMs?: number;
  /** Time that a run takes a place in addition to the database and the computation. */
  overheadMs?: number;
  /** The order of the queue. Default: the fair order of Assay. */
  order?: 'fair' | 'first_in_first_out';
};

/** A run with the times of its path through the system. */
export type Passed = Arrival & {
  recordedMs?: number;
  /** Whether the run was refused because the queue of its workspace was full. */
  isRefused?: true;
  startedMs?: number;
  endedMs?: number;
};

type Event = { atMs: number; order: number; happen(): void };

/**
 * Simulates runs from their submission to their end, event by event: the record in the database, admission, the queue,
 * a place of a worker with the start in the database, the computation and the end in the database. The same arrivals
 * give the same result.
 *
 * Shapes: `arrivals` in order of time; the result has one entry for each, in the same order. Until `untilMs` (default:
 * until all runs have ended); runs that have not started or ended by then lack the time.
 * Errors: `RangeError` if the arrivals are not in order or there is no place.
 *
 * @example
 * // One place: the second run waits until the first has ended.
 * simulate([{ atMs: 0, workspace: 1, computeMs: 5 }, { atMs: 1, workspace: 1, computeMs: 5 }],
 *   { places: 1, runningMax: 16, queuedMax: 100 })[1].startedMs; // 5
 */
export function simulate(
  arrivals: readonly Arrival[],
  system: System,
  { untilMs = Infinity }: { untilMs?: number } = {},
): Passed[] {
  if (!(system.places >= 1)) throw new RangeError('there is no place for a run');
  const { handOverMs = 0, overheadMs = 0, order = 'fair' } = system;
  const passed: Passed[] = arrivals.map((arrival) => ({ ...arrival }));
  const queue: RunQueue<Passed> = order === 'fair' ? new FairAdmission(system) : new PlainQueue();
  const events = new Heap<Event>((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order));
  let now = 0;
  let sequence = 0;
  let free = system.places;
  const after = (ms: number, happen: () => void) => events.add({ atMs: now + ms, order: sequence++, happen });
  const database = system.database && new Servers(system.database.servers, after);
  const processors = new Servers(system.processors ?? system.places, after);
  const compute = (ms: number, done: () => void) => processors.serve(ms, done);
  const inDatabase = (step: 'submitMs' | 'startMs' | 'endMs', done: () => void) =>
    database ? database.serve(system.database![step], done) : done();

  const fill = () => {
    while (free > 0) {
      const run = queue.start();
      if (run === undefined) return;
      free -= 1;
      inDatabase('startMs', () => {
        run.startedMs = now;
        compute(run.computeMs, () => after(overheadMs, () => inDatabase('endMs', () => end(run))));
      });
    }
  };
  const end = (run: Passed) => {
    run.endedMs = now;
    queue.end(run);
    free += 1;
    fill();
  };
  const submit = (run: Passed) => {
    const recorded = () => {
      const recordedMs = now;
      after(handOverMs, () => {
        if (!queue.submit(run, run.workspace)) {
          run.isRefused = true;
          return;
        }
        run.recordedMs = recordedMs;
        fill();
      });
    };
    inDatabase('submitMs', recorded);
  };

  for (const [at, run] of passed.entries()) {
    if (at > 0 && run.atMs < passed[at - 1]!.atMs) throw new RangeError('the arrivals are not in order');
  }
  let arrived = 0;
  const step = (): boolean => {
    const next = passed[arrived];
    const event = events.first;
    if (next !== undefined && (event === undefined || next.atMs <= event.atMs)) {
      if (next.atMs > untilMs) return false;
      arrived += 1;
      now = next.atMs;
      submit(next);
      return true;
    }
    if (event === undefined || event.atMs > untilMs) return false;
    events.take();
    now = event.atMs;
    event.happen();
    return true;
  };
  while (step());
  return passed;
}

/** A station with a number of servers and one line, first in, first out. */
class Servers {
  #free: number;
  readonly #after: (ms: number, happen: () => void) => void;
  readonly #line: { ms: number; done: () => void }[] = [];
  #served = 0;

  constructor(servers: number, after: (ms: number, happen: () => void) => void) {
    this.#free = servers;
    this.#after = after;
  }

  serve(ms: number, done: () => void): void {
    this.#line.push({ ms, done });
    this.#next();
  }

  #next(): void {
    if (this.#free === 0 || this.#served === this.#line.length) return;
    const { ms, done } = this.#line[this.#served++]!;
    if (this.#served > 1_000) {
      this.#line.splice(0, this.#served);
      this.#served = 0;
    }
    this.#free -= 1;
    this.#after(ms, () => {
      this.#free += 1;
      done();
      this.#next();
    });
  }
}
