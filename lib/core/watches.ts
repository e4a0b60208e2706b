/** Something that others wait for. Whoever names the same key waits for the same. */
export type Subject = {
  key: string;
  /** Whether it has not ended yet. */
  isOpen(): Promise<boolean>;
  /** Calls back once it may have ended; returns how to stop that. */
  listen?(heard: () => void): () => void;
  /** How often to look, in milliseconds. */
  everyMs(): number;
};

export type Patience = {
  limitMs: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
  /** Asked once there is something to wait for; gives the seat back. Throws where there is none. */
  takeSeat(): () => void;
};

type Watch = {
  waiting: number;
  /** Resolves with whether it was open, at the first look. */
  isOpen: Promise<boolean>;
  over: Promise<void>;
  end(): void;
};

/**
 * Waits for the ends of things. However many wait for one, it is looked at once for all of them, at the same moments as
 * everything else that is looked at as often.
 */
export class Watches {
  readonly #watches = new Map<string, Watch>();
  readonly #draining: AbortSignal;

  /** Once `draining` is aborted, nobody is kept waiting. */
  constructor(draining: AbortSignal) {
    this.#draining = draining;
    draining.addEventListener('abort', () => this.#watches.forEach((watch) => watch.end()));
  }

  /** How many things are waited for. */
  get size(): number {
    return this.#watches.size;
  }

  /** Returns when the subject has ended, or when the limit has run out. Throws when a look fails, and the signal's reason. */
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
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      over.resolve();
    };
    const watch: Watch = { waiting: 0, isOpen: first.promise, over: over.promise, end };
    // Whoever waits is told by the first look, or by the end.
    for (const promise of [watch.isOpen, watch.over]) promise.catch(() => undefined);
    this.#watches.set(subject.key, watch);
    const forget = subject.listen?.(end);
    ended.signal.addEventListener('abort', () => {
      forget?.();
      if (this.#watches.get(subject.key) === watch) this.#watches.delete(subject.key);
    });
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
      if (ended.signal.aborted) return;
      const everyMs = subject.everyMs();
      const timer = setTimeout(look, everyMs - (performance.now() % everyMs));
      ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
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
