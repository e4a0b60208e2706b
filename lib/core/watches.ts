/** A subject that callers wait for, such as a run. Callers with the same key wait for the same subject. */
export type Subject = {
  key: string;
  /** Whether the subject has not ended yet. */
  isOpen(): Promise<boolean>;
  /**
   * Registers `heard`, which is called when the subject may have ended. Returns a function that removes
   * `heard` again.
   */
  listen?(heard: () => void): () => void;
  /** Returns the interval of checks, in milliseconds. */
  everyMs(): number;
};

export type Patience = {
  limitMs: number;
  /** A signal that is aborted when the caller no longer waits. */
  signal: AbortSignal;
  /**
   * Reserves one of a limited number of slots for a waiting caller. Called only if the subject has not ended
   * yet. Returns a function that releases the slot. Throws if no slot is free.
   */
  takeSeat(): () => void;
};

type Watch = {
  waiting: number;
  /** A promise that resolves with the result of the first check: whether the subject was open. */
  isOpen: Promise<boolean>;
  over: Promise<void>;
  end(): void;
};

/**
 * Lets callers wait until subjects end. All callers that wait for a subject share its checks. All subjects with the
 * same interval are checked together.
 */
export class Watches {
  readonly #watches = new Map<string, Watch>();
  readonly #draining: AbortSignal;

  /** Creates the watches. All waits end when `draining` is aborted. */
  constructor(draining: AbortSignal) {
    this.#draining = draining;
    draining.addEventListener('abort', () => this.#watches.forEach((watch) => watch.end()));
  }

  /** The number of subjects that at least one caller currently waits for. */
  get size(): number {
    return this.#watches.size;
  }

  /**
   * Waits until the subject has ended or the time limit has passed. Throws if a check fails. Throws the signal's reason
   * if the signal is aborted.
   */
  async end(subject: Subject, { limitMs, signal, takeSeat }: Patience): Promise<void> {
    if (limitMs <= 0 || this.#draining.aborted) return;
    const deadline = performance.now() + limitMs;
    const watch = this.#join(subject);
    let giveSeatBack = () => {};
    try {
      if (!(await watch.isOpen)) return;
      giveSeatBack = takeSeat();
      await untilOver(watch.over, deadline - performance.now(), signal);
    } finally {
      giveSeatBack();
      watch.waiting -= 1;
      if (watch.waiting === 0) watch.end();
    }
  }

  #join(subject: Subject): Watch {
    const watch = this.#watches.get(subject.key) ?? this.#start(subject);
    watch.waiting += 1;
    return watch;
  }

  #start(subject: Subject): Watch {
    const first = Promise.withResolvers<boolean>();
    const over = Promise.withResolvers<void>();
    let forget: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      forget?.();
      if (this.#watches.get(subject.key) === watch) this.#watches.delete(subject.key);
      over.resolve();
    };
    const watch: Watch = { waiting: 0, isOpen: first.promise, over: over.promise, end };
    // Waiting callers receive the error of a failed check. If no caller is waiting any longer, this handler prevents an
    // unhandled rejection.
    for (const promise of [watch.isOpen, watch.over]) promise.catch(() => undefined);
    this.#watches.set(subject.key, watch);
    forget = subject.listen?.(end);
    void look();
    return watch;

    async function look(): Promise<void> {
      try {
        const isOpen = await subject.isOpen();
        first.resolve(isOpen);
        if (!isOpen) return end();
      } catch (error) {
        first.reject(error);
        over.reject(error);
        return end();
      }
      if (isOver) return;
      const everyMs = subject.everyMs();
      timer = setTimeout(look, everyMs - (performance.now() % everyMs));
    }
  }
}

async function untilOver(over: Promise<void>, limitMs: number, signal: AbortSignal): Promise<void> {
  const { promise: left, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, limitMs));
  const leave = () => reject(signal.reason as Error);
  signal.addEventListener('abort', leave);
  try {
    signal.throwIfAborted();
    await Promise.race([over, left]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}
