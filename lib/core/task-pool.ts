/** What ends at nearly the same time makes room together, so that not each message costs a look for the next. */
const GATHER_MS = 10;

/** Pieces of work that are under way, so many in all, each for somebody. */
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

  /** How many are under way for each. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Begins a piece of work, which does not fail. */
  start(whom: string, work: () => Promise<void>): void {
    this.#count(whom, 1);
    void work().finally(() => {
      this.#count(whom, -1);
      this.#onEnd();
    });
  }

  /** Waits until half of it has ended, or a moment after the first. There is something under way. */
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
