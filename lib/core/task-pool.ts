/**
 * The time in milliseconds for which the pool collects further ended tasks after the first ended task. Otherwise each
 * ended task would cause a new query.
 */
const GATHER_MS = 10;

/** A pool of tasks in progress, with a maximum size. Each task belongs to a named recipient. */
export class TaskPool {
  readonly #max: number;
  readonly #counts = new Map<string, number>();
  #size = 0;
  #onEnd = () => {};

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  get room(): number {
    return this.#max - this.#size;
  }

  /** The number of tasks in progress for each recipient. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Starts a task for a recipient. `work` must not reject. */
  start(whom: string, work: () => Promise<void>): void {
    this.#count(whom, 1);
    void work().finally(() => {
      this.#count(whom, -1);
      this.#onEnd();
    });
  }

  /**
   * Waits until half of the tasks have ended, or until `GATHER_MS` after the first task has ended. At least
   * one task must be in progress.
   */
  async someEnd(): Promise<void> {
    const half = this.#size / 2;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onEnd = () => {
        if (this.#size <= half) resolve();
        else timer ??= setTimeout(resolve, GATHER_MS);
      };
    });
    clearTimeout(timer);
    this.#onEnd = () => {};
  }

  #count(whom: string, by: number): void {
    this.#size += by;
    const count = (this.#counts.get(whom) ?? 0) + by;
    if (count === 0) this.#counts.delete(whom);
    else this.#counts.set(whom, count);
  }
}
