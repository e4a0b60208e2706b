/**
 * SQLSTATE codes of errors that a prepared statement causes on every further use: the columns of its result changed, or
 * the server no longer has the statement.
 */
export const STALE_CODES: ReadonlySet<string> = new Set(['0A000', '26000']);

/** The number of uses after which the processes of a service keep a statement prepared. */
export const KEEPS_AFTER = 3;

/** The largest length of a statement that is kept prepared, in characters. */
const TEXT_MAX = 8_000;

/**
 * Chooses the statements that a connection prepares: the first `max` statements that were used more than `after` times.
 * For other statements, only the number of uses is kept, and only for a limited number of the most recent statements.
 */
export class StatementCache {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();
  readonly #after: number;
  readonly #max: number;
  /** The statements that the server has certainly prepared. */
  readonly #prepared = new Set<string>();
  #made = 0;

  constructor({ after, max }: { after: number; max: number }) {
    this.#after = after;
    this.#max = max;
  }

  /**
   * Counts a use of a statement. Returns the name under which the statement is prepared; undefined if it is not
   * prepared.
   */
  use(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || text.length > TEXT_MAX || this.#names.size >= this.#max) return name;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.delete(text);
    if (uses > this.#after) {
      this.#names.set(text, `s${++this.#made}`);
      return this.#names.get(text);
    }
    this.#uses.set(text, uses);
    if (this.#uses.size > this.#max) this.#uses.delete(this.#uses.keys().next().value!);
    return undefined;
  }

  /** Notes that the server has run a statement under its name. */
  notePrepared(text: string): void {
    this.#prepared.add(text);
  }

  /** Removes the name of a statement, unless the server has certainly prepared the statement under this name. */
  forgetUncertain(text: string): void {
    if (!this.#prepared.has(text)) this.#names.delete(text);
  }

  /** Removes the prepared name of a statement. The statement gets a new name when it is used again. */
  forget(text: string): void {
    this.#prepared.delete(text);
    this.#names.delete(text);
  }
}
