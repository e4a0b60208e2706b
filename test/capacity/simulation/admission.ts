import { Heap } from './heap.ts';

/** A run in the queue: its turn, and its place among runs with the same turn. */
type Queued<Run> = { run: Run; workspace: number; tag: number; order: number };

type Lane<Run> = {
  /** The tags of the admitted runs that have not ended. */
  tags: number[];
  /** Runs that wait for admission, the oldest first. */
  waiting: Run[];
  /** The number of runs of `waiting` that were admitted, which avoids moving the others. */
  admitted: number;
};

export type AdmissionLimits = {
  /** The runs of a workspace that are in the queue or in progress at the same time. */
  runningMax: number;
  /** The open runs of a workspace. Further runs are refused. */
  queuedMax: number;
};

/** The queue of a simulation. */
export type RunQueue<Run> = {
  /** Records a new run. Returns false if the run is refused. */
  submit(run: Run, workspace: number): boolean;
  /** Takes the run that is next; undefined if there is none. */
  start(): Run | undefined;
  /** Ends a run that was started. */
  end(run: Run): void;
};

/** A queue without fairness: first in, first out. */
export class PlainQueue<Run> implements RunQueue<Run> {
  #line: Run[] = [];
  #taken = 0;

  submit(run: Run): boolean {
    this.#line.push(run);
    return true;
  }

  start(): Run | undefined {
    return this.#taken < this.#line.length ? this.#line[this.#taken++] : undefined;
  }

  end(): void {}
}

/**
 * The rule by which Assay admits runs and orders the queue, as the SQL functions `turn_of_run`, `admit_runs` and
 * `admit_waiting_runs` carry it out (`lib/pipeline/admission.query.ts`): start-time fair queueing, in which each run
 * counts as 1. A new tag is above the last open tag of the workspace and above the virtual time of the queue, which is
 * the largest tag in progress, or the tag before the smallest one in the queue if that is larger.
 *
 * A test compares this class with the functions of the database.
 */
export class FairAdmission<Run> implements RunQueue<Run> {
  readonly #limits: AdmissionLimits;
  readonly #lanes = new Map<number, Lane<Run>>();
  readonly #queue = new Heap<Queued<Run>>((a, b) => a.tag < b.tag || (a.tag === b.tag && a.order < b.order));
  /** The admitted runs that have not ended, and those of them that are in progress. */
  readonly #admitted = new Map<Run, { workspace: number; tag: number }>();
  readonly #started = new Set<Run>();
  #order = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Records a new run, and admits it if its workspace has room. Returns false if the run is refused. */
  submit(run: Run, workspace: number): boolean {
    const lane = this.#laneOf(workspace);
    const waiting = lane.waiting.length - lane.admitted;
    if (lane.tags.length + waiting >= this.#limits.queuedMax) return false;
    if (waiting > 0 || lane.tags.length >= this.#limits.runningMax) lane.waiting.push(run);
    else this.#admit(run, workspace, Math.max(this.#virtualTime(), lastOf(lane)) + 1);
    return true;
  }

  /** Takes the run whose turn is next. Undefined if the queue is empty. */
  start(): Run | undefined {
    const next = this.#queue.take();
    if (next === undefined) return undefined;
    this.#started.add(next.run);
    return next.run;
  }

  /** Returns the turn of an admitted run; undefined if the run waits or has ended. */
  tagOf(run: Run): number | undefined {
    return this.#admitted.get(run)?.tag;
  }

  /** Ends a run that was started, and admits waiting runs of its workspace. */
  end(run: Run): void {
    if (!this.#started.delete(run)) throw new Error('the run is not in progress');
    const { workspace, tag } = this.#admitted.get(run)!;
    this.#admitted.delete(run);
    const lane = this.#laneOf(workspace);
    lane.tags.splice(lane.tags.indexOf(tag), 1);
    const room = Math.min(this.#limits.runningMax - lane.tags.length, lane.waiting.length - lane.admitted);
    const base = room > 0 ? Math.max(this.#virtualTime(), lastOf(lane)) : 0;
    for (let place = 1; place <= room; place += 1) {
      this.#admit(lane.waiting[lane.admitted++]!, workspace, base + place);
    }
    if (lane.admitted === lane.waiting.length) {
      lane.waiting = [];
      lane.admitted = 0;
    }
    if (lane.tags.length === 0) this.#lanes.delete(workspace);
  }

  #admit(run: Run, workspace: number, tag: number): void {
    this.#laneOf(workspace).tags.push(tag);
    this.#admitted.set(run, { workspace, tag });
    this.#queue.add({ run, workspace, tag, order: this.#order++ });
  }

  #virtualTime(): number {
    let time = (this.#queue.first?.tag ?? 1) - 1;
    for (const run of this.#started) time = Math.max(time, this.#admitted.get(run)!.tag);
    return time;
  }

  #laneOf(workspace: number): Lane<Run> {
    const lane = this.#lanes.get(workspace) ?? { tags: [], waiting: [], admitted: 0 };
    this.#lanes.set(workspace, lane);
    return lane;
  }
}

function lastOf({ tags }: { tags: readonly number[] }): number {
  return tags.reduce((last, tag) => Math.max(last, tag), 0);
}
