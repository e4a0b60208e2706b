/** A statement that a connection may keep parsed, so that the server need not read and plan it each time. */
export type Statement = {
  name: string;
  isParsed: boolean;
  /** After an error nobody knows whether the server has it. */
  isUnsure: boolean;
  /** What the driver knows of the columns of its rows, once there were any; the server need not tell it again. */
  shape: object | undefined;
};

type Known = { uses: number; statement: Statement | undefined };

/** Longer texts are made for one occasion. */
const TEXT_MAX = 8_000;

/**
 * Which statements a connection keeps: those that came often enough, the least recently used making room. Texts that
 * came less often are counted as long as there is room.
 */
export class StatementCache {
  readonly #known = new Map<string, Known>();
  readonly #after: number;
  readonly #most: number;
  #made = 0;

  constructor({ after, most }: { after: number; most: number }) {
    this.#after = after;
    this.#most = most;
  }

  /** The statement of a text that has been used often enough; `evict` is told of one that makes room. */
  use(text: string, evict: (statement: Statement) => void): Statement | undefined {
    if (text.length > TEXT_MAX) return undefined;
    const known = this.#known.get(text) ?? { uses: 0, statement: undefined };
    this.#known.delete(text);
    this.#known.set(text, known);
    if (this.#known.size > this.#most) this.#dropOldest(evict);
    known.uses += 1;
    if (known.uses > this.#after)
      known.statement ??= { name: `s${++this.#made}`, isParsed: false, isUnsure: false, shape: undefined };
    return known.statement;
  }

  #dropOldest(evict: (statement: Statement) => void): void {
    const [text, { statement }] = this.#known.entries().next().value!;
    this.#known.delete(text);
    if (statement) evict(statement);
  }
}
