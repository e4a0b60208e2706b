/** The maximum number of waiting requests: in total, and for one caller. */
export type TurnBounds = { waitingMax: number; shareMax: number };

type Waiting = { start(): void };

/**
 * Gives turns at a resource that serves one caller at a time. Callers that wait are served in rotation, so that a
 * caller with many requests delays another caller by at most one turn. The requests of one caller keep their order.
 */
export class FairTurns {
  readonly #bounds: TurnBounds;
  /** The requests that wait, by caller. The caller whose turn comes next is first. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #isTaken = false;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /**
   * Takes a turn, or a place in the queue for a turn. `begun` resolves with the function that ends the turn, and
   * rejects with the reason of the signal if the signal is aborted before the turn begins. Returns the exceeded limit
   * if there is no place.
   */
  take(
    whom: string,
    signal: AbortSignal,
  ): { begun: Promise<() => void> } | { bound: number; of: 'caller' | 'all' } {
    if (signal.aborted) return { begun: Promise.reject(signal.reason) };
    if (!this.#isTaken) return { begun: Promise.resolve(this.#begin()) };
    const { waitingMax, shareMax } = this.#bounds;
    const queue = this.#queues.get(whom) ?? [];
    if (queue.length >= shareMax) return { bound: shareMax, of: 'caller' };
    if (this.#waiting >= waitingMax) return { bound: waitingMax, of: 'all' };
    return { begun: this.#wait(whom, queue, signal) };
  }

  #wait(whom: string, queue: Waiting[], signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(whom, queue.indexOf(waiting));
        reject(signal.reason);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#begin());
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
      this.#queues.set(whom, queue);
      this.#waiting += 1;
    });
  }

  #begin(): () => void {
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#isTaken = false;
      this.#serveNext();
    };
  }

  #serveNext(): void {
    const next = this.#queues.entries().next();
    if (next.done) return;
    const [whom, queue] = next.value;
    // A `Map` keeps the order of insertion, so this moves the caller to the end of the rotation.
    this.#queues.delete(whom);
    this.#queues.set(whom, queue);
    this.#remove(whom, 0).start();
  }

  #remove(whom: string, at: number): Waiting {
    const queue = this.#queues.get(whom)!;
    const [removed] = queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(whom);
    this.#waiting -= 1;
    return removed!;
  }
}
