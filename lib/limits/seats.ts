/**
 * Limits how many requests wait at the same time, in total and per caller. Each waiting request takes one
 * seat.
 */
export class Seats {
  readonly #max: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a seat for a request of a caller who may hold `max` seats. Returns a function that frees the seat. If a limit
   * is reached, returns that limit instead.
   */
  take(whom: string, max: number): { giveBack(): void } | { bound: number; of: 'application' | 'process' } {
    const taken = this.#taken.get(whom) ?? 0;
    if (taken >= max) return { bound: max, of: 'application' };
    if (this.#size >= this.#max) return { bound: this.#max, of: 'process' };
    this.#count(whom, 1);
    return { giveBack: () => this.#count(whom, -1) };
  }

  #count(whom: string, by: number): void {
    this.#size += by;
    const taken = (this.#taken.get(whom) ?? 0) + by;
    if (taken === 0) this.#taken.delete(whom);
    else this.#taken.set(whom, taken);
  }
}
