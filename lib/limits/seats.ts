/** Who may wait: so many in all, and so many of each. */
export class Seats {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a seat for somebody who may have `most`. How to give it back; the bound that is reached where there is none. */
  take(whom: string, most: number): { giveBack(): void } | { bound: number; of: 'application' | 'process' } {
    const taken = this.#taken.get(whom) ?? 0;
    if (taken >= most) return { bound: most, of: 'application' };
    if (this.#size >= this.#most) return { bound: this.#most, of: 'process' };
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
